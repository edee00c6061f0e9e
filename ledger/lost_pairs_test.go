package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// carriedOut are ways in which an operation that a worker or the server carries out comes to stand.
var carriedOut = map[string]func(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder{
	"never taken up": func(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
		o := enqueue(t, w, c)
		return &ledgertest.Holder{World: w, Namespace: o.Namespace, Operation: o.ID, Attempt: "att_none"}
	},
	"taken up": func(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
		return w.Dispatch(enqueue(t, w, c))
	},
	"silent": func(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
		h := acting(t, c, w.Dispatch(enqueue(t, w, c)))
		w.Advance(c.Tool.Terms.PermitDuration)
		w.RunDue()
		return h
	},
	"acknowledged": reported(ledger.OutcomeAcknowledge),
	"ambiguous":    reported(ledger.OutcomeAmbiguous),
	"not sent":     reported(ledger.OutcomeNotSent),
	"declined":     reported(ledger.OutcomeDeclined),
	"rate limited": reported(ledger.OutcomeRateLimited),
	"cancel wished": func(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
		h := reported(ledger.OutcomeAmbiguous)(t, w, c)
		cancel(t, w, h.Operation)
		return h
	},
	"not sent twice": func(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
		h := reported(ledger.OutcomeNotSent)(t, w, c)
		w.NextWork(h.Now())
		return w.Dispatch(h.Now())
	},
}

func reported(outcome ledger.Outcome) func(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
	return func(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
		h := acting(t, c, w.Dispatch(enqueue(t, w, c)))
		wantOK(t, h.Says(outcome))
		return h
	}
}

// TestNothingIsLostSightOf sends every command to an operation that others carry out, in every situation, class and order
// of strategies, with and without lookups. The World's audit then finds who looks at it again; and where nobody answers,
// doing what is due until nothing is leads to an end or a person.
func TestNothingIsLostSightOf(t *testing.T) {
	const L, R, P = registry.StrategyLookup, registry.StrategyResend, registry.StrategyPerson
	orders := map[string]func(*ledger.Terms){
		"its class's order": func(*ledger.Terms) {},
		"no lookups":        func(t *ledger.Terms) { t.Lookups = nil },
		"a look first":      func(t *ledger.Terms) { t.LookFirst = true },
		"a person at once":  func(t *ledger.Terms) { t.Reconcile = []registry.Strategy{P} },
		"only lookups":      func(t *ledger.Terms) { t.Reconcile = []registry.Strategy{L} },
		"only resends":      func(t *ledger.Terms) { t.Reconcile = []registry.Strategy{R} },
		"webhook, no person": func(t *ledger.Terms) {
			t.WebhookSource, t.Reconcile = psp, []registry.Strategy{registry.StrategyWebhook}
		},
	}
	for _, class := range registry.Classes {
		t.Run(string(class), func(t *testing.T) {
			for order, change := range orders {
				for situation, make := range carriedOut {
					if order == "a look first" && situation != "never taken up" {
						continue // it is taken up as any other once it has looked
					}
					for _, p := range pairs() {
						c := queued(ofClass[class])
						c.Tool = c.Tool.With(change)
						w := ledgertest.New(t)
						h := make(t, w, c)
						if h.Now().Version == 0 {
							continue // a read that has no row
						}
						_, _ = w.Do(p.make(w, h, c))
						if o := untilNobodyMoves(w, h); !o.State.Ended() && o.Human == nil {
							t.Errorf("%s, %s, %s: it is left %s", order, situation, p.name, o.State)
						}
					}
				}
			}
		})
	}
}

// untilNobodyMoves lets a long time pass in which due work is done, permits are taken up and never used, and questions are
// taken up and never answered.
func untilNobodyMoves(w *ledgertest.World, h *ledgertest.Holder) *ledger.Operation {
	w.Unaudited = true // each step of it is a command that other tests audit; what counts is where it leads
	for end := w.Now.Add(60 * 24 * time.Hour); w.Now.Before(end); {
		o := h.Now()
		if o.State.Ended() || o.Human != nil || !nextOccasion(w, o) {
			break
		}
		if work, there := w.Work(h.Now()); there && !work.At.After(w.Now) {
			w.TakeUp(h.Now())
		}
	}
	return h.Now()
}
