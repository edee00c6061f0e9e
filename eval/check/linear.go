package check

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

// Verdict is what the search for an order of calls came to.
type Verdict int

// The verdicts. Undecided is never taken for Ordered: it is counted by itself.
const (
	Ordered   Verdict = iota // there is an order in which each answer is the right one
	Unordered                // there is none
	Undecided                // the time was over before either was found
)

// Ordering is the calls on one operation or one entity, and whether they have an order.
type Ordering struct {
	Of      string // "operation op_…" or "lease of order/order_1"
	Calls   int
	Verdict Verdict
	Shown   []string // the calls, one a line, in the order of their beginning
}

// Within bounds the search for the order of one operation's or one entity's calls.
const Within = 10 * time.Second

// Linearizable looks for an order of a record's calls in which every answer is the right one, on each operation and each
// leased entity by itself. Reads are left out: each is an operation of its own. So are runs whose clock steps, since
// deadlines are counted by it.
func Linearizable(r eval.Record) []eval.Finding {
	if !judged(&r) || r.Class == registry.PureRead || slices.Contains(r.Faults, eval.ClockSteps) {
		return nil
	}
	f := &findings{checker: checkerLinearizable, record: &r}
	for _, h := range Histories(r.Calls) {
		switch h.Verdict {
		case Unordered:
			f.add(eval.ConcurrencySafety, "no order of the %d calls on %s makes each answer the right one", h.Calls, h.Of)
			f.found[len(f.found)-1].History = h.Shown
		case Undecided:
			f.add(eval.ConcurrencySafety, "whether the %d calls on %s have an order was not found out within %s", h.Calls, h.Of, Within)
		}
	}
	return f.found
}

// Histories parts calls by operation and by leased entity, and judges each. Calls without their requests cannot be told
// apart: where a ledger call lacks one, nothing is judged.
func Histories(calls []eval.Call) []Ordering {
	var all []Ordering
	parts, ok := partsOf(calls)
	if !ok {
		return nil
	}
	for name, p := range sorted(parts.operations) {
		all = append(all, search("operation "+name, operationModel(p.queued), p.calls))
	}
	for name, entries := range sorted(parts.leases) {
		all = append(all, search("lease of "+name, leaseModel(), entries))
	}
	return all
}

// part is a call as it concerns one object.
type part interface {
	call() *eval.Call
	// pending is the same call as it looks while its answer has not come.
	pending() part
}

// search looks for an order, and where there is none for the earliest answer up to which there is none: whatever prefix of a
// history that has an order is taken, has one too.
func search(of string, m porcupine.NondeterministicModel, parts []part) Ordering {
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.call().Sequence, b.call().Sequence) })
	h := Ordering{Of: of, Calls: len(parts), Verdict: judge(m, parts)}
	if h.Verdict == Unordered {
		ends := make([]int, len(parts))
		for i, p := range parts {
			ends[i] = p.call().EndSeq
		}
		slices.Sort(ends)
		first := sort.Search(len(ends)-1, func(i int) bool { return judge(m, upTo(parts, ends[i])) == Unordered })
		parts = upTo(parts, ends[first])
	}
	for _, p := range parts {
		h.Shown = append(h.Shown, shown(p.call()))
	}
	return h
}

// upTo is the history as it was when the moment came: later calls are not there, later answers have not come.
func upTo(parts []part, moment int) []part {
	var before []part
	for _, p := range parts {
		switch c := p.call(); {
		case c.Sequence > moment:
		case c.EndSeq > moment:
			before = append(before, p.pending())
		default:
			before = append(before, p)
		}
	}
	return before
}

// judge looks for an order for as long as it may. A call that may take effect later than its caller waited has no end: it
// may stand anywhere after its beginning.
func judge(m porcupine.NondeterministicModel, parts []part) Verdict {
	last := 0
	for _, p := range parts {
		last = max(last, p.call().Sequence, p.call().EndSeq)
	}
	var operations []porcupine.Operation
	clients := map[string]int{}
	for _, p := range parts {
		c := p.call()
		if _, known := clients[c.By]; !known {
			clients[c.By] = len(clients)
		}
		end := c.EndSeq
		if indefinite(c) {
			end = last + 1
		}
		operations = append(operations, porcupine.Operation{ClientId: clients[c.By], Input: p, Call: int64(c.Sequence), Return: int64(end)})
	}
	switch porcupine.CheckOperationsTimeout(m.ToModel(), operations, Within) {
	case porcupine.Illegal:
		return Unordered
	case porcupine.Unknown:
		return Undecided
	}
	return Ordered
}

// seed makes the hashes of one process comparable.
var seed = maphash.MakeSeed()

// hash is a state's hash, for states that are compared by their values.
func hash[S comparable](state any) uint64 { return maphash.Comparable(seed, state.(S)) }

// indefinite reports whether it is not known if a call was carried out: its answer was lost, or the server or the wire
// said that it does not know.
func indefinite(c *eval.Call) bool {
	switch c.Error {
	case "DEADLINE_EXCEEDED", "DATABASE_UNAVAILABLE", "DRAINING", "OVERLOADED", "INTERNAL":
		return true
	case "Canceled", "DeadlineExceeded", "Unavailable", "Unknown", "Internal", "Aborted":
		return true
	}
	return c.Lost
}

// shown is a call on one line.
func shown(c *eval.Call) string {
	came := saidShort(c.Answer)
	switch {
	case c.Lost:
		came = "no answer"
	case c.Error != "":
		came = c.Error
	}
	return fmt.Sprintf("%d-%d %s: %s %s: %s", c.Sequence, c.EndSeq, c.By, c.Method, askedShort(c.Request), came)
}
