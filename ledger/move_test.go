package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestAnEventLeavesOutWhatIsEmpty, and keeps what stands behind it.
func TestAnEventLeavesOutWhatIsEmpty(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeSucceeded))
	did[ledger.Compensation](t, w, undo(w, h.Operation, "", undoStep("refund")))
	begun := told(w, h.Operation, "change", "begun")
	if len(begun) != 1 || begun[0].Detail["reason"] != "the ticket cannot be had" {
		t.Fatalf("%+v", begun)
	}
	if _, there := begun[0].Detail["effect_id"]; there {
		t.Errorf("%+v", begun[0].Detail)
	}
}

// TestANoticeSaysWhy in the words of the event that it is about.
func TestANoticeSaysWhy(t *testing.T) {
	w := ledgertest.New(t)
	s := subscribing("sub_1")
	s.Kinds = []ledger.NoticeKind{ledger.NoticeEnded, ledger.NoticeUnknown}
	kept(t, w, s)
	h := w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	w.Found(h.Now(), "ch_1")
	why := map[ledger.State]string{}
	for _, e := range w.Events(ledgertest.North, h.Operation) {
		if e.Type == ledger.EventStateChanged {
			why[e.To] = e.Detail["because"]
		}
	}
	notices := w.Records(ledger.RecordNotice)
	for _, r := range notices {
		if n := r.(*ledger.Notice); n.Because == "" || n.Because != why[n.State] {
			t.Errorf("%s: because %q, the event says %q", n.State, n.Because, why[n.State])
		}
	}
	if len(notices) != 2 {
		t.Errorf("%d notices", len(notices))
	}
}

// TestAQuestionEndsWithWhatItWasAbout, whoever answers it.
func TestAQuestionEndsWithWhatItWasAbout(t *testing.T) {
	for name, c := range map[string]struct {
		asked func(t *testing.T, w *ledgertest.World) *ledger.Operation
		ends  func(t *testing.T, w *ledgertest.World, o *ledger.Operation)
		want  ledger.State
	}{
		"an outcome that is found": {personAsked, func(_ *testing.T, w *ledgertest.World, o *ledger.Operation) { w.Found(o, "ch_1") }, ledger.CompletedSuccess},
		"an outcome that is none": {personAsked, func(_ *testing.T, w *ledgertest.World, o *ledger.Operation) {
			w.Advance(late)
			w.NotFound(o, time.Second)
		}, ledger.FailedRetryable},
		"a look before a dispatch that is wanted no more": {lookAsked, func(t *testing.T, w *ledgertest.World, o *ledger.Operation) {
			did[ledger.Cancelled](t, w, &ledger.CancelOperation{Namespace: o.Namespace, Principal: ledgertest.Agent, OperationID: o.ID})
		}, ledger.FailedPermanent},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			o := c.asked(t, w)
			if o.Human == nil {
				t.Fatal("nobody is asked")
			}
			c.ends(t, w, o)
			o = w.Operation(o.Namespace, o.ID)
			wantState(t, o, c.want)
			if o.Human != nil {
				t.Errorf("a person is asked still: %+v", o.Human)
			}
		})
	}
}

// personAsked is an operation about whose outcome a person is asked.
func personAsked(t *testing.T, w *ledgertest.World) *ledger.Operation {
	t.Helper()
	call := capture
	call.Tool = call.Tool.With(func(t *ledger.Terms) { t.HumanAfter = 10 * time.Minute })
	h := w.Execute(call)
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	w.Advance(10 * time.Minute)
	w.RunDue()
	return h.Now()
}

// lookAsked is an operation that may be so already, and about which a person is asked.
func lookAsked(t *testing.T, w *ledgertest.World) *ledger.Operation {
	t.Helper()
	o := enqueue(t, w, looking(email))
	for range 3 {
		answers(w, putQuestion(t, w, o), ledger.SaysUnknown)
	}
	w.NextWork(o)
	w.TakeUp(o)
	return w.Operation(o.Namespace, o.ID)
}
