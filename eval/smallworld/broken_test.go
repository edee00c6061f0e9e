package smallworld

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// is tells commands apart.
func is[C ledger.Command](c ledger.Command) bool {
	_, ok := c.(C)
	return ok
}

// restored keeps of each attempt what it was before the command, as far as back says; only what the command added stands.
func restored(back func(a, was *ledger.Attempt)) func(*world, ledger.Command, *ledger.Operation, *ledger.Operation) {
	return func(_ *world, _ ledger.Command, before, o *ledger.Operation) {
		if before == nil {
			return
		}
		for i := range before.Attempts {
			back(&o.Attempts[i], &before.Attempts[i])
		}
	}
}

func lastMoment(a *ledger.Attempt) time.Time {
	if a.ReportedAt.IsZero() {
		return a.Deadline
	}
	return a.ReportedAt
}

// overdue reports whether the live permit has run out and nobody has noticed yet.
func overdue(w *world, o *ledger.Operation) bool {
	a := o.LiveAttempt()
	return a != nil && !w.time().Before(a.Deadline)
}

// mutant is a broken rule, the world in which it shows, and the promise that it breaks.
type mutant struct {
	rules   rules
	promise string
	broken  broken
}

var (
	plain      = rules{class: class4, operations: 1}
	beginning4 = rules{class: class4, operations: 1, begin: true}
	replaying  = rules{class: class4, operations: 1, begin: true, replays: true}
	babbling   = rules{class: class4, operations: 1, babbles: true}
	finishing  = rules{class: class4, operations: 1, begin: true, finishesLater: true}
	keyed      = rules{class: class3, operations: 1}
	forgetful  = rules{class: class3, operations: 1, unasked: true}
	exclusive  = rules{class: class4, operations: 2, group: true, begin: true}
)

// mutants are the rules of the operation model, one by one, and those of the rest of the core that it takes two operations
// or two servers to break.
var mutants = slices.Concat(permitMutants, knowledgeMutants, worldMutants)

// TestBrokenRulesAreNoticed breaks one rule at a time, and expects the search to name the promise that goes with it.
func TestBrokenRulesAreNoticed(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.broken.name, func(t *testing.T) {
			r := m.rules
			r.broken, r.horizon, r.depth = &m.broken, 7, 12
			s := search{rules: r}
			f, err := s.run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(f.wrong, m.promise+":") {
				t.Fatalf("%s: the search came to %q, %s, and not to a broken promise of %q\n\t%s", m.broken.text, f.wrong, f, m.promise, strings.Join(f.history, "\n\t"))
			}
			t.Logf("%s: %s after %d steps, %d states\n\t%s", m.broken.text, f.wrong, len(f.history), f.states, strings.Join(f.history, "\n\t"))
		})
	}
}
