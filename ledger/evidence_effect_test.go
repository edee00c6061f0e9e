package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestWhatBecameOfAStatement is told to whoever brought it, and to whoever reads it later.
func TestWhatBecameOfAStatement(t *testing.T) {
	says := func(says ledger.Says, change ...func(*ledger.Statement)) func(*ledgertest.World, *ledgertest.Holder) *ledger.Evidence {
		return func(w *ledgertest.World, h *ledgertest.Holder) *ledger.Evidence {
			o := h.Now()
			return w.Tell(w.Statement(o, ledger.SourceLookup, says, append([]func(*ledger.Statement){func(s *ledger.Statement) {
				s.Ticket = ledger.Ticket{IssuedAt: w.Now, Attempts: int64(len(o.Attempts))}.String()
			}}, change...)...)).Evidence
		}
	}
	own := func(effect string) func(*ledger.Statement) {
		return func(s *ledger.Statement) {
			s.VendorKey, s.EffectID = ledger.VendorKeyOf(ledgertest.North, ledger.IdempotencyKey(capture.Key), 1, "", 64), effect
		}
	}
	reported := func(o ledger.Outcome, after time.Duration) func(*ledgertest.World, *ledgertest.Holder) {
		return func(w *ledgertest.World, h *ledgertest.Holder) {
			wantOK(t, h.Says(o, func(r *ledger.Report) {
				if o == ledger.OutcomeSucceeded {
					r.EffectID = "ch_1"
				}
			}))
			w.Advance(after)
		}
	}
	for name, c := range map[string]struct {
		before func(*ledgertest.World, *ledgertest.Holder)
		say    func(*ledgertest.World, *ledgertest.Holder) *ledger.Evidence
		want   ledger.Became
	}{
		"found":                    {reported(ledger.OutcomeAmbiguous, 0), says(ledger.SaysHappened, own("ch_1")), ledger.BecameApplied},
		"found again":              {reported(ledger.OutcomeSucceeded, 0), says(ledger.SaysHappened, own("ch_1")), ledger.BecameDuplicate},
		"another found":            {reported(ledger.OutcomeSucceeded, 0), says(ledger.SaysHappened, own("ch_2")), ledger.BecameApplied},
		"found, of nobody":         {reported(ledger.OutcomeAmbiguous, 0), says(ledger.SaysHappened), ledger.BecameNothing},
		"not found":                {reported(ledger.OutcomeAmbiguous, late), says(ledger.SaysNot), ledger.BecameApplied},
		"not found, too early":     {reported(ledger.OutcomeAmbiguous, time.Second), says(ledger.SaysNot), ledger.BecameNothing},
		"not found, known already": {reported(ledger.OutcomeNotSent, late), says(ledger.SaysNot), ledger.BecameDuplicate},
		"not found, a permit out":  {func(*ledgertest.World, *ledgertest.Holder) {}, says(ledger.SaysNot), ledger.BecameWaiting},
		"not found, against it":    {reported(ledger.OutcomeSucceeded, late), says(ledger.SaysNot, own("")), ledger.BecameContradicts},
		"no answer":                {reported(ledger.OutcomeAmbiguous, late), says(ledger.SaysUnknown), ledger.BecameNothing},
		"a person's word": {reported(ledger.OutcomeAmbiguous, late), func(w *ledgertest.World, h *ledgertest.Holder) *ledger.Evidence {
			return w.Person(h.Now(), ledger.SaysNot).Evidence
		}, ledger.BecameApplied},
		"a person, against it": {reported(ledger.OutcomeSucceeded, late), func(w *ledgertest.World, h *ledgertest.Holder) *ledger.Evidence {
			return w.Overrule(h.Now(), ledger.SaysNot).Evidence
		}, ledger.BecameContradicts},
		"found after a known no":     {reported(ledger.OutcomeNotSent, 0), says(ledger.SaysHappened, own("ch_1")), ledger.BecameApplied},
		"in progress, of this one":   {reported(ledger.OutcomeAmbiguous, 0), says(ledger.SaysInProgress, own("")), ledger.BecameApplied},
		"in progress, of some other": {reported(ledger.OutcomeAmbiguous, 0), says(ledger.SaysInProgress), ledger.BecameNothing},
		"found, of another": {func(w *ledgertest.World, h *ledgertest.Holder) {
			other := capture
			other.Key, other.Args = "payment:order_124", `{"order_id":"order_124"}`
			wantOK(t, w.Execute(other).Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_9")))
			wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		}, says(ledger.SaysHappened, own("ch_9")), ledger.BecameContradicts},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			c.before(w, h)
			e := c.say(w, h)
			if e.Effect() != c.want {
				t.Errorf("it became %s (%s), want %s", e.Effect(), e.Why, c.want)
			}
			if kept := h.Now().Evidence; kept[len(kept)-1].Effect() != c.want {
				t.Errorf("it is kept as %s", kept[len(kept)-1].Effect())
			}
		})
	}
}

// TestAWaitingNoIsApplied when the attempt ends.
func TestAWaitingNoIsApplied(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(capture)
	w.Advance(30 * time.Second)
	wantOK(t, h.Says(ledger.OutcomeAmbiguous, ledgertest.StillRunning)) // it may send until its deadline
	w.Advance(late)
	w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) {
		s.Ticket = ledger.Ticket{IssuedAt: w.Now, Attempts: 1}.String()
	}))
	wantState(t, h.Now(), ledger.FailedRetryable)
}

// TestLateReportsKeepWhatTheySaid: the failure that a report tells of can be read, though it moves nothing.
func TestLateReportsKeepWhatTheySaid(t *testing.T) {
	w := ledgertest.New(t)
	h := lost(t, w, queued(capture))
	for w.NextWork(h.Now()).Kind == ledger.WorkLookup {
		w.TakeUp(h.Now())
	}
	w.Dispatch(h.Now())
	wantRefusal(t, h.Says(ledger.OutcomeDeclined, func(r *ledger.Report) {
		r.Code, r.Message, r.RawStatusCode, r.RequestRef = "busy", "try later", "503", "req_1"
	}), ledger.ReasonStaleAttempt)
	kept := h.Now().Evidence
	r := kept[len(kept)-1].Report
	if r == nil || r.Outcome != ledger.OutcomeDeclined || r.Code != "busy" || r.Message != "try later" || r.RawStatusCode != "503" || r.RequestRef != "req_1" || !r.SenderReturned {
		t.Errorf("kept is %+v", r)
	}
}
