package crowd

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

// tally sums up scenes.
type tally struct {
	eval.Figures
	ordered
	classes            map[registry.Class]*eval.ClassFigures
	drawn              map[string]map[eval.Fault]int
	took, costs, known []time.Duration // of calls; of those for one request; from unknown to known
	lost, operations   int
	expired            int // permits that ended by themselves
}

func newTally() *tally {
	return &tally{
		Figures: eval.Figures{Arm: eval.Opledger}, classes: map[registry.Class]*eval.ClassFigures{}, drawn: map[string]map[eval.Fault]int{},
	}
}

// add adds one business key.
func (t *tally) add(r eval.Record) {
	c := check.Count(r)
	class := t.classes[r.Class]
	if class == nil {
		class, t.drawn[string(r.Class)] = &eval.ClassFigures{Class: r.Class}, map[eval.Fault]int{}
		t.classes[r.Class] = class
		for _, f := range faults {
			t.drawn[string(r.Class)][f] = 0 // it can happen there
		}
	}
	person := min(c.NeedsHuman, 1)
	class.Runs++
	class.Wanted += r.Wanted
	class.Effects += len(r.Effects)
	class.Duplicates += c.Duplicates
	class.Lost += c.Lost
	class.NeedsHuman += person
	for _, f := range r.Faults {
		t.drawn[string(r.Class)][f]++
	}
	t.Runs++
	t.Wanted += r.Wanted
	t.Effects += len(r.Effects)
	t.Duplicates += c.Duplicates
	t.Lost += c.Lost
	t.NeedsHuman += person
	t.Incidents += c.Incidents
	t.Unflagged += c.Unflagged
	t.Unheard += c.Unheard
	t.operations += len(r.Operations)
	t.expired += ended(r)
	if times, ambiguous := check.UnknownFor(r); ambiguous {
		t.Ambiguous++
		t.ResolvedAlone += 1 - person
		t.known = append(t.known, times...)
	}
}

// ended is how many permits of a key ended by themselves.
func ended(r eval.Record) (n int) {
	for _, events := range r.Events {
		for _, e := range events {
			if e.Type == pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_ENDED {
				n++
			}
		}
	}
	return n
}

// call adds what calls took, and how often a proposal met somebody else's lock.
func (t *tally) call(calls []eval.Call) {
	for i := range calls {
		c := &calls[i]
		t.took = append(t.took, c.Ended.Sub(c.Began))
		if c.Error == "Unavailable" {
			t.lost++
		}
		switch m := c.Answer.(type) {
		case *pb.ProposeOperationResponse:
			t.Proposals++
			if m.Decision == pb.Decision_DECISION_BLOCKED {
				t.Contended++
			}
		case *pb.AcquireEntityLeaseResponse:
			t.Proposals++
			if m.Grant == nil {
				t.Contended++
			}
		}
	}
}

// calls says in words how many calls there were and what they took.
func (t *tally) calls(who string) string {
	return fmt.Sprintf("%d %s made %d calls at once, of which %d were lost or lost their answers; a call took %s in the mean, %s at p99", callers, who,
		len(t.took), t.lost, eval.Mean(t.took).Round(10*time.Microsecond), eval.Percentile(t.took, 0.99).Round(10*time.Microsecond))
}

// figures are the counts with what is worked out from all of them.
func (t *tally) figures() eval.Figures {
	f := t.Figures
	f.ReconcileMean, f.ReconcileP99, f.Reconciled = eval.Mean(t.known), eval.Percentile(t.known, 0.99), len(t.known)
	f.AddedMean, f.AddedP99 = eval.Mean(t.costs), eval.Percentile(t.costs, 0.99)
	for _, class := range registry.Classes {
		if c := t.classes[class]; c != nil {
			f.NeedsHumanBudget += (c.Runs*humanShare[class] + 99) / 100
			f.ByClass = append(f.ByClass, *c)
		}
	}
	return f
}

// humanShare is how many of a class's intents may be left to a person, in percent: of an attempt of what cannot be undone
// that stays silent, only a person says that it did nothing.
var humanShare = map[registry.Class]int{registry.ExternalNonIdempotentWrite: 5, registry.Irreversible: 50}
