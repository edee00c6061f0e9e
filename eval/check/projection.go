package check

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// account is the JSON form of a projection, as far as it is judged.
type account struct {
	Schema   string `json:"schema"`
	Workflow struct {
		ID string `json:"id"`
	} `json:"workflow"`
	Open    []accounted `json:"open"`
	Ended   []accounted `json:"ended"`
	Summary *struct {
		Count     int `json:"count"`
		Done      int `json:"done"`
		AlreadySo int `json:"already_so"`
		NotDone   int `json:"not_done"`
		Undone    int `json:"undone"`
	} `json:"summary"`
	Truncated bool `json:"truncated"`
}

// accounted is what an account tells of one operation.
type accounted struct {
	ID              string          `json:"operation_id"`
	Version         int64           `json:"version"`
	State           string          `json:"state"`
	Outcome         string          `json:"outcome"`
	MayHaveHappened *bool           `json:"may_have_happened"`
	Result          json.RawMessage `json:"result"`
	EffectTime      string          `json:"effect_time"`
}

// Projection holds the accounts of a record's workflow against its operations: counts agree, each open operation is named as
// open, each ended one with the word of its state, JSON and prose tell the same, and the same state gives the same account.
func Projection(r eval.Record) []eval.Finding {
	if !judged(&r) {
		return nil
	}
	f := &findings{checker: checkerProjection, record: &r}
	accounts := slices.Clone(r.Accounts)
	for i := range r.Calls {
		if m, resumed := r.Calls[i].Answer.(*pb.ResumeWorkflowResponse); resumed && m.GetProjection() != nil {
			accounts = append(accounts, m.Projection)
		}
	}
	for _, p := range accounts {
		f.account(p)
	}
	f.sameTwice()
	return f.found
}

func (f *findings) account(p *pb.Projection) {
	var a account
	if err := json.Unmarshal([]byte(p.Json), &a); err != nil {
		f.add(eval.WhatIsTold, "the account is no JSON: %v", err)
		return
	}
	if a.Schema != "opledger.projection/1" {
		f.add(eval.WhatIsTold, "the account is of the schema %q", a.Schema)
	}
	f.outcomes(&a)
	f.listed(&a, p)
	f.complete(&a, p)
	f.prose(&a, p.Prose)
}

// outcomeWords are what an account calls the end of each state; whatever is not here is open.
var outcomeWords = map[string]string{
	"completed_success": "done", "completed_noop": "already_so", "failed_permanent": "not_done", "compensated": "undone",
}

// outcomes: every operation is told in the list and with the word of its state; of an open one nothing is told as a result,
// and what may have happened is told as such.
func (f *findings) outcomes(a *account) {
	for _, t := range a.Open {
		switch {
		case outcomeWords[t.State] != "" || t.Outcome != "open":
			f.add(eval.WhatIsTold, "%s is %s, and the account tells it among the open ones as %s", t.ID, t.State, t.Outcome)
		case t.Result != nil || t.EffectTime != "":
			f.add(eval.WhatIsTold, "%s is open, and the account tells a result of it", t.ID)
		case t.MayHaveHappened == nil:
			f.add(eval.WhatIsTold, "%s is open, and the account does not say whether it may have happened", t.ID)
		case !*t.MayHaveHappened && slices.Contains([]string{"dispatched", "acknowledged", "unknown_outcome", "compensating"}, t.State):
			f.add(eval.WhatIsTold, "%s is %s, and the account says that it has not happened", t.ID, t.State)
		}
	}
	for _, t := range a.Ended {
		if outcomeWords[t.State] == "" || t.Outcome != outcomeWords[t.State] {
			f.add(eval.WhatIsTold, "%s is %s, and the account tells it as ended: %s", t.ID, t.State, t.Outcome)
		}
	}
	if s := a.Summary; s != nil && s.Done+s.AlreadySo+s.NotDone+s.Undone != s.Count {
		f.add(eval.WhatIsTold, "the account sums %d operations up, and %d by their outcomes", s.Count, s.Done+s.AlreadySo+s.NotDone+s.Undone)
	}
}

// told are all operations that an account names, by id.
func (a *account) told() map[string]accounted {
	told := map[string]accounted{}
	for _, t := range slices.Concat(a.Open, a.Ended) {
		told[t.ID] = t
	}
	return told
}

// listed: the message lists what the JSON tells.
func (f *findings) listed(a *account, p *pb.Projection) {
	told := a.told()
	if len(told) != len(a.Open)+len(a.Ended) || len(told) != len(p.Operations) {
		f.add(eval.WhatIsTold, "the account tells of %d operations, open and ended, and lists %d", len(a.Open)+len(a.Ended), len(p.Operations))
	}
	for _, o := range p.Operations {
		t, known := told[o.OperationId]
		switch {
		case !known:
			f.add(eval.WhatIsTold, "%s is listed, and the account does not tell of it", o.OperationId)
		case t.Version != 0 && t.Version != o.OperationVersion || t.State != word(o.Result.GetState()):
			f.add(eval.WhatIsTold, "%s is listed with version %d as %s, and told with version %d as %s", o.OperationId, o.OperationVersion, word(o.Result.GetState()), t.Version, t.State)
		}
	}
	if p.Summarized != (a.Summary != nil) {
		f.add(eval.WhatIsTold, "that the account is summed up is %t, and said to be %t", a.Summary != nil, p.Summarized)
	}
}

// complete: the record's own operations of that workflow are told, in the state of the version that is told; none that is
// open is left out. One that was made or changed after the account is no fault of it, and a read that nobody has reported is
// told of by nobody: it has no version yet.
func (f *findings) complete(a *account, p *pb.Projection) {
	told := a.told()
	versions := map[string]int64{}
	for _, o := range p.Operations {
		versions[o.OperationId] = o.OperationVersion
	}
	last := slices.Index(f.record.Accounts, p) >= 0 // it was read at the end, when nothing could change any more
	for _, o := range f.record.Operations {
		if o.WorkflowId != a.Workflow.ID || o.Version == 0 && !mutates(o.ToolClass) {
			continue
		}
		t, known := told[o.OperationId]
		switch {
		case known && versions[o.OperationId] == o.Version && t.State != word(o.State):
			f.add(eval.WhatIsTold, "%s is %s, and the account says %s of the same version", o.OperationId, word(o.State), t.State)
		case known && last && versions[o.OperationId] != o.Version:
			f.add(eval.WhatIsTold, "%s has version %d, and the account tells of version %d", o.OperationId, o.Version, versions[o.OperationId])
		case !known && last && (!ended(o.State) || a.Summary == nil && !a.Truncated):
			f.add(eval.WhatIsTold, "%s is %s, and the account does not tell of it", o.OperationId, word(o.State))
		}
	}
}

// The lines of the prose that are judged.
var (
	proseOpen    = regexp.MustCompile(`(?m)^Open, (\d+):`)
	proseEnded   = regexp.MustCompile(`(?m)^Ended, (\d+),`)
	proseEarlier = regexp.MustCompile(`(?m)^Ended earlier, (\d+), `)
)

// prose: its counts are those of the JSON, and each operation has one line with the words of its outcome.
func (f *findings) prose(a *account, prose string) {
	counted := func(line *regexp.Regexp, n int, what string) {
		said := "0"
		if m := line.FindStringSubmatch(prose); m != nil {
			said = m[1]
		}
		if said != fmt.Sprint(n) {
			f.add(eval.WhatIsTold, "the prose counts %s %s operations, and there are %d", said, what, n)
		}
	}
	counted(proseOpen, len(a.Open), "open")
	counted(proseEnded, len(a.Ended), "ended")
	summed := 0
	if a.Summary != nil {
		summed = a.Summary.Count
	}
	counted(proseEarlier, summed, "earlier ended")
	lines := map[string][]string{}
	for _, line := range strings.Split(prose, "\n") {
		if id, _, found := strings.Cut(strings.TrimPrefix(line, "- "), " "); found && strings.HasPrefix(line, "- op_") {
			lines[id] = append(lines[id], line)
		}
	}
	told := a.told()
	for id, t := range sorted(told) {
		if len(lines[id]) != 1 {
			f.add(eval.WhatIsTold, "%s has %d lines in the prose", id, len(lines[id]))
			continue
		}
		if !tells(lines[id][0], t) {
			f.add(eval.WhatIsTold, "%s is %s, and the prose says: %s", id, t.State, lines[id][0])
		}
	}
	for id := range sorted(lines) {
		if _, known := told[id]; !known {
			f.add(eval.WhatIsTold, "the prose tells of %s, and the JSON does not", id)
		}
	}
}

// tells reports whether a line says what is known of the operation, and nothing else.
func tells(line string, t accounted) bool {
	words := map[string]string{
		"done": ": done", "already_so": ": it was already so", "not_done": ": not done", "undone": ": done",
	}
	has := func(s string) bool { return strings.Contains(line, s) }
	switch {
	case t.Outcome == "undone":
		return has(words["undone"]) && has("undone since")
	case t.Outcome != "open":
		return has(words[t.Outcome]) && !has("undone since") && !has(": open (")
	case t.State == "compensating":
		return has("it was done, and is being undone") && !has("undone since")
	}
	may := t.MayHaveHappened != nil && *t.MayHaveHappened
	return has(": open ("+t.State+")") && has("it may have happened") == may && has("it has not happened so far") == !may && !has(": done") && !has(": not done")
}

// sameTwice: accounts that are read one after the other with nothing in between are the same, byte by byte.
func (f *findings) sameTwice() {
	first := map[string]*pb.Projection{}
	for _, p := range f.record.Accounts {
		var a account
		_ = json.Unmarshal([]byte(p.Json), &a) // what is no JSON was found before
		told := a.Workflow.ID
		for _, o := range p.Operations {
			told += fmt.Sprint(" ", o.OperationId, o.OperationVersion)
		}
		if before := first[told]; before != nil && (before.Json != p.Json || before.Prose != p.Prose) {
			f.add(eval.ReplaySafety, "the same operations give two accounts")
		}
		first[told] = p
	}
}
