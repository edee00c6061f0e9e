package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

func cancel(t *testing.T, w *ledgertest.World, id ledger.OperationID) *ledger.Cancelled {
	t.Helper()
	reply, err := w.Do(&ledger.CancelOperation{Namespace: ledgertest.North, Principal: "kim", OperationID: id, Reason: "changed my mind"})
	wantOK(t, err)
	return reply.(*ledger.Cancelled)
}

func TestCancel(t *testing.T) {
	t.Run("pending: it ends, and no permit is given", func(t *testing.T) {
		w := ledgertest.New(t)
		c := email
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
		id := w.Propose(c).Operation.ID
		if r := cancel(t, w, id); !r.Done || r.Operation.State != ledger.FailedPermanent {
			t.Fatalf("%+v", r.Operation)
		}
		wantDecision(t, w.Propose(c), ledger.DecisionReplayed)
	})
	t.Run("retryable: it ends", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		if r := cancel(t, w, h.Operation); !r.Done || r.Operation.Failure.Category != ledger.CategoryCancelled {
			t.Fatalf("%+v", r.Operation)
		}
	})
	t.Run("dispatched: a wish, which a no fulfils", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		r := cancel(t, w, h.Operation)
		if r.Done || r.Operation.State != ledger.Dispatched || r.Told.NextAction != ledger.NextWait {
			t.Fatalf("%+v", r)
		}
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		wantState(t, h.Now(), ledger.FailedPermanent)
		if !cancel(t, w, h.Operation).Done {
			t.Fatal("it is cancelled by now")
		}
	})
	t.Run("dispatched: the world may have done it", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		wantOK(t, h.Begin())
		cancel(t, w, h.Operation)
		w.Advance(2 * time.Second)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")))
		wantState(t, h.Now(), ledger.CompletedSuccess)
		if cancel(t, w, h.Operation).Done {
			t.Fatal("it happened")
		}
	})
	t.Run("unknown: no resend, and it ends when it is known", func(t *testing.T) {
		w := ledgertest.New(t)
		h := ambiguously(t, w, capture)
		cancel(t, w, h.Operation)
		w.Advance(time.Hour)
		wantDecision(t, w.Propose(capture), ledger.DecisionReconciling)
		w.NotFound(h.Now(), 0)
		if f := h.Now().Failure; h.Now().State != ledger.FailedPermanent || f.Category != ledger.CategoryCancelled {
			t.Fatalf("%s, %+v", h.Now().State, f)
		}
	})
	t.Run("acknowledged: a wish", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		wantOK(t, h.Says(ledger.OutcomeAcknowledge))
		if cancel(t, w, h.Operation).Done {
			t.Fatal("the provider has it")
		}
		wantOK(t, h.Says(ledger.OutcomeDeclined))
		wantState(t, h.Now(), ledger.FailedPermanent)
	})
	t.Run("ended: nothing changes", func(t *testing.T) {
		w := ledgertest.New(t)
		h := rejected(t, w, capture)
		before := h.Now().Version
		if r := cancel(t, w, h.Operation); r.Done || h.Now().Version != before {
			t.Fatalf("%+v", r)
		}
	})
	t.Run("the wish is for no further attempt of the same request", func(t *testing.T) {
		w := ledgertest.New(t)
		c := capture
		c.Request = "r-1"
		h := w.Execute(c)
		cancel(t, w, h.Operation)
		wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
	})
}

// TestCancelOfWhatWasSeen: whoever names the version that they saw cancels that one, and may say so again when the wish stands.
func TestCancelOfWhatWasSeen(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(email)
	seen := h.Now().Etag()
	naming := func(etag string) error {
		_, err := w.Do(&ledger.CancelOperation{Namespace: ledgertest.North, Principal: "kim", OperationID: h.Operation, Etag: etag})
		return err
	}
	wantOK(t, h.Begin())
	wantRefusal(t, naming(seen), ledger.ReasonVersionSeenOutdated)
	if h.Now().Cancel != nil {
		t.Fatal("it is to be cancelled, by somebody who saw an earlier version")
	}
	seen = h.Now().Etag()
	wantOK(t, naming(seen))
	if h.Now().Cancel == nil || h.Now().Etag() == seen {
		t.Fatalf("the wish is %+v", h.Now().Cancel)
	}
	wantOK(t, naming(seen))
}

func TestWake(t *testing.T) {
	t.Run("a stale stamp does nothing", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		due, _ := w.Due(ledgertest.North, h.Operation)
		_, err := h.Extend(5 * time.Minute)
		wantOK(t, err)
		w.Advance(time.Hour) // long past both deadlines: somebody else's due work it is
		reply, err := w.Do(&ledger.Wake{Due: due})
		wantOK(t, err)
		if reply.(*ledger.Woken).Changed {
			t.Fatal("it changed something")
		}
		wantState(t, h.Now(), ledger.Dispatched)
	})
	t.Run("of nothing does nothing", func(t *testing.T) {
		w := ledgertest.New(t)
		_, err := w.Do(&ledger.Wake{Due: ledger.Due{Namespace: ledgertest.North, OperationID: "op_none", Stamp: 1}})
		wantOK(t, err)
	})
	t.Run("what is said of an operation does not hang on how punctual due work is", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		w.Advance(time.Hour) // nobody woke it
		wantRefusal(t, h.Begin(), ledger.ReasonPermitExpired)
		wantState(t, h.Now(), ledger.FailedRetryable)
	})
}

// TestWaitingEnds: nothing waits for ever.
func TestWaitingEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		make     func(t *testing.T, w *ledgertest.World) ledger.OperationID
		kind     ledger.DueKind
		category ledger.Category
	}{
		"pending": {func(t *testing.T, w *ledgertest.World) ledger.OperationID {
			c := email
			c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
			return w.Propose(c).Operation.ID
		}, ledger.DueExpiry, ledger.CategoryExpired},
		"retryable": {func(t *testing.T, w *ledgertest.World) ledger.OperationID {
			h := w.Execute(email)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			return h.Operation
		}, ledger.DueExpiry, ledger.CategoryExpired},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			id := tc.make(t, w)
			due, ok := w.Due(ledgertest.North, id)
			if !ok || due.Kind != tc.kind || !due.At.Equal(w.Now.Add(24*time.Hour)) {
				t.Fatalf("the due work is %+v", due)
			}
			w.Now = due.At
			w.RunDue()
			o := w.Operation(ledgertest.North, id)
			if o.State != ledger.FailedPermanent || o.Failure.Category != tc.category {
				t.Fatalf("%s, %+v", o.State, o.Failure)
			}
			if _, more := w.Due(ledgertest.North, id); more {
				t.Fatal("an end is due for nothing")
			}
		})
	}
	t.Run("what is not known never expires: a person is asked, then the next one", func(t *testing.T) {
		w := ledgertest.New(t)
		h := ambiguously(t, w, email)
		for range 5 {
			due, ok := w.Due(ledgertest.North, h.Operation)
			if !ok {
				break
			}
			w.Now = due.At
			w.RunDue()
		}
		wantState(t, h.Now(), ledger.UnknownOutcome)
		if h.Now().Human == nil || !h.Now().Human.Escalated {
			t.Fatalf("a person is asked: %+v", h.Now().Human)
		}
	})
}

func TestTools(t *testing.T) {
	w := ledgertest.New(t)
	applied := func(c ledger.Command) *ledger.Applied {
		t.Helper()
		reply, err := w.Do(c)
		wantOK(t, err)
		return reply.(*ledger.Applied)
	}
	version := func(n int64) *ledger.ApplyTool {
		return &ledger.ApplyTool{Namespace: ledgertest.North, Principal: "ops", Name: "a", Version: n, Definition: []byte("x")}
	}
	if a := applied(version(1)); !a.Changed || a.Head.Version != 1 {
		t.Fatalf("%+v", a)
	}
	_, err := w.Do(version(1))
	wantRefusal(t, err, ledger.ReasonToolVersionConflict)
	_, err = w.Do(version(3))
	wantRefusal(t, err, ledger.ReasonToolVersionConflict)
	off := &ledger.SwitchTool{Namespace: ledgertest.North, Name: "a", Disabled: true, Reason: "incident 7"}
	if a := applied(off); !a.Changed || !a.Head.Disabled {
		t.Fatalf("%+v", a)
	}
	if a := applied(off); a.Changed {
		t.Fatal("the same switch again changed something")
	}
	if a := applied(version(2)); !a.Head.Disabled || a.Head.Reason != "incident 7" {
		t.Fatalf("a new version switched it on: %+v", a)
	}
	on := version(3)
	on.Enable = true
	if a := applied(on); a.Head.Disabled || a.Head.Reason != "" {
		t.Fatalf("%+v", a)
	}
	_, err = w.Do(&ledger.SwitchTool{Namespace: ledgertest.North, Name: "b"})
	wantRefusal(t, err, ledger.ReasonToolNotFound)
}
