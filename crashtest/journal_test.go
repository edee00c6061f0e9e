package crashtest

import "sync"

// journal is what clients were told, which the ledger must never forget.
type journal struct {
	mu      sync.Mutex
	version map[string]int64           // by operation: the greatest version that anybody was told
	granted map[string]map[string]bool // by operation: the attempts whose permits were answered
	fresh   map[string]bool            // operations told of since the last check
	answers int
}

func newJournal() *journal {
	return &journal{version: map[string]int64{}, granted: map[string]map[string]bool{}, fresh: map[string]bool{}}
}

// told keeps one answer about an operation.
func (j *journal) told(operation string, version int64, attempt string) {
	if operation == "" {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.answers++
	j.version[operation] = max(j.version[operation], version)
	j.fresh[operation] = true
	if attempt != "" {
		if j.granted[operation] == nil {
			j.granted[operation] = map[string]bool{}
		}
		j.granted[operation][attempt] = true
	}
}

// remembered is what one operation must have at least.
type remembered struct {
	operation string
	version   int64
	attempts  []string
}

// since lists what was told since the last call, or everything.
func (j *journal) since(everything bool) []remembered {
	j.mu.Lock()
	defer j.mu.Unlock()
	var list []remembered
	for id, version := range j.version {
		if !everything && !j.fresh[id] {
			continue
		}
		r := remembered{operation: id, version: version}
		for a := range j.granted[id] {
			r.attempts = append(r.attempts, a)
		}
		list = append(list, r)
	}
	j.fresh = map[string]bool{}
	return list
}

// size is how many operations and answers were kept.
func (j *journal) size() (operations, answers int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.version), j.answers
}
