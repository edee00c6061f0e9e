package dispatch

import (
	"cmp"
	"slices"

	"github.com/opledger/opledger/ledger"
)

// turns says which queues are served next: namespaces in turn, then the tools of a namespace, then the queues of a tool.
// So a tenant, or a tool, with a hundred thousand items holds nobody up, and whoever is passed over because its provider
// takes no more keeps its turn. It is a function of what it is asked; it has no clock and asks nobody.
//
// Whoever has work joins the line at its end, and leaves it when it has none, so that nothing is kept of those that have
// none and nobody jumps the line by having work now and then.
type turns struct {
	now        int64 // grows with each turn
	namespaces map[ledger.Namespace]int64
	tools      map[toolName]int64
	queues     map[ledger.Queue]int64
}

type toolName struct {
	ns   ledger.Namespace
	tool string
}

func toolOf(q ledger.Queue) toolName { return toolName{q.Namespace, q.Tool} }

func newTurns() *turns {
	return &turns{namespaces: map[ledger.Namespace]int64{}, tools: map[toolName]int64{}, queues: map[ledger.Queue]int64{}}
}

// share is how many items are to be claimed in a queue.
type share struct {
	queue ledger.Queue
	items int
}

// room says whether one more item of a queue may be started, those included that it said yes to before.
type room func(q ledger.Queue) bool

// deal hands out places among queues that are ready, one after the other, and answers each queue's share in the order of
// their first turns. A queue gets no more than it has ready, and nothing where allowed says no; allowed is asked once for
// each place that would be dealt, and counts those itself.
func (t *turns) deal(ready []ledger.QueueDepth, places int, allowed room) []share {
	t.join(ready)
	left := map[ledger.Queue]int64{}
	line := make([]ledger.Queue, 0, len(ready))
	for _, r := range ready {
		if r.Ready > 0 {
			left[r.Queue], line = r.Ready, append(line, r.Queue)
		}
	}
	var shares []share
	at := map[ledger.Queue]int{}
	for places > 0 && len(line) > 0 {
		first := 0
		for i := range line {
			if t.compare(line[i], line[first]) < 0 {
				first = i
			}
		}
		next := line[first]
		if !allowed(next) {
			line = slices.Delete(line, first, first+1) // it keeps its turn for the next time
			continue
		}
		t.serve(next)
		places--
		if i, has := at[next]; has {
			shares[i].items++
		} else {
			at[next] = len(shares)
			shares = append(shares, share{next, 1})
		}
		if left[next]--; left[next] == 0 {
			line = slices.Delete(line, first, first+1)
		}
	}
	return shares
}

// compare puts whoever was served longest ago first.
func (t *turns) compare(a, b ledger.Queue) int {
	return cmp.Or(
		cmp.Compare(t.namespaces[a.Namespace], t.namespaces[b.Namespace]),
		cmp.Compare(t.tools[toolOf(a)], t.tools[toolOf(b)]),
		cmp.Compare(t.queues[a], t.queues[b]),
	)
}

func (t *turns) serve(q ledger.Queue) {
	t.now++
	t.namespaces[q.Namespace], t.tools[toolOf(q)], t.queues[q] = t.now, t.now, t.now
}

// join puts those that are new at the end of the line, the longest ready first, and forgets those that are ready no more.
func (t *turns) join(ready []ledger.QueueDepth) {
	ordered := slices.Clone(ready)
	slices.SortStableFunc(ordered, func(a, b ledger.QueueDepth) int { return a.Oldest.Compare(b.Oldest) })
	namespaces, tools, queues := map[ledger.Namespace]int64{}, map[toolName]int64{}, map[ledger.Queue]int64{}
	for _, r := range ordered {
		if r.Ready <= 0 {
			continue
		}
		t.now++
		namespaces[r.Namespace] = orNow(t.namespaces, r.Namespace, namespaces, t.now)
		tools[toolOf(r.Queue)] = orNow(t.tools, toolOf(r.Queue), tools, t.now)
		queues[r.Queue] = orNow(t.queues, r.Queue, queues, t.now)
	}
	t.namespaces, t.tools, t.queues = namespaces, tools, queues
}

// orNow is the place in line that somebody has, or a new one at its end.
func orNow[K comparable](old map[K]int64, key K, joined map[K]int64, now int64) int64 {
	if at, has := joined[key]; has {
		return at
	}
	if at, has := old[key]; has {
		return at
	}
	return now
}
