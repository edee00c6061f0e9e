package ledger_test

import (
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// wantForeseen carries a command out and fails the test where its decision asked for a row that it had not named: not even
// one of those that may be late, of which the commonest answers need none.
func wantForeseen(t *testing.T, w *ledgertest.World, c ledger.Command) any {
	t.Helper()
	w.Late()
	reply, err := w.Do(c)
	wantOK(t, err)
	if late := w.Late(); len(late) > 0 {
		t.Errorf("it did not name beforehand that %v", late)
	}
	return reply
}

// TestTakeForeseesWhatItReads: for a question the operation's rows, for a permit what it is judged by too.
func TestTakeForeseesWhatItReads(t *testing.T) {
	w := ledgertest.New(t)
	c := looking(inGroup(capture, "a"))
	o := enqueue(t, w, c)
	w.NextWork(o)
	h := wantForeseen(t, w, w.Take(o)).(*ledger.Handed)
	if h.Lookup == nil {
		t.Fatalf("no question: %s", h.Because)
	}
	answers(w, h, ledger.SaysNot)
	if h = wantForeseen(t, w, w.Take(o)).(*ledger.Handed); h.Permit == nil {
		t.Fatalf("no permit: %s", h.Because)
	}
}

// TestTakeOfWorkOfAnotherKind gives nothing: who claimed a question is not the one who acts.
func TestTakeOfWorkOfAnotherKind(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, queued(email))
	take := w.Take(o)
	take.Work.Kind = ledger.WorkLookup
	reply, err := w.Do(take)
	wantOK(t, err)
	if h := reply.(*ledger.Handed); h.Permit != nil || h.Lookup != nil || h.Because != "nothing of the kind is to be done any more" {
		t.Errorf("it is answered %+v", h)
	}
	wantState(t, w.Operation(o.Namespace, o.ID), ledger.PendingDispatch)
}

// TestTakeAsksForRoomOften: whoever waits only for another's permit to end is never asked again later than in ten seconds.
func TestTakeAsksForRoomOften(t *testing.T) {
	w := ledgertest.New(t)
	one := func(t *ledger.Terms) { t.ToolSlots = 1 }
	w.Dispatch(enqueue(t, w, bounded(capture, 0, one)))
	o := enqueue(t, w, bounded(capture, 1, one))
	var waits []time.Duration
	for range 6 {
		w.NextWork(o)
		if h := w.TakeUp(o); h.Permit != nil {
			t.Fatal("a second permit is out")
		}
		work, _ := w.Work(o)
		waits = append(waits, work.At.Sub(w.Now))
	}
	want := []time.Duration{time.Second, 1500 * time.Millisecond, 3 * time.Second, 6 * time.Second, 7500 * time.Millisecond, 7500 * time.Millisecond}
	if !slices.Equal(waits, want) { // of at most ten seconds a half is certain, and of the other the half is drawn
		t.Errorf("it is checked again after %v, want %v", waits, want)
	}
}

// TestTakeNotesWhoKeepsItWaiting: once, on the operation that holds the group, so that its owner is asked in time.
func TestTakeNotesWhoKeepsItWaiting(t *testing.T) {
	w := ledgertest.New(t)
	call := func(key string) ledgertest.Call { // nobody can be asked about it, so that the permit is what it waits for
		c := queued(inGroup(capture, key))
		c.Tool, c.Args = c.Tool.With(func(t *ledger.Terms) { t.Lookups = nil }), `{"of":"`+key+`"}`
		return c
	}
	ended := w.Dispatch(enqueue(t, w, call("a")))
	wantOK(t, ended.Says(ledger.OutcomeRejected))
	open := w.Dispatch(enqueue(t, w, call("b")))
	wantOK(t, open.Says(ledger.OutcomeAmbiguous))
	wantRefusal(t, ended.Says(ledger.OutcomeAcknowledge), ledger.ReasonStaleAttempt) // it may have happened after all, and joins the group again
	w.Advance(time.Hour)
	w.RunDue()
	if since := open.Now().BlockingSince; !since.IsZero() {
		t.Fatalf("it keeps others waiting since %s", since)
	}
	since := w.Now
	for range 2 {
		w.NextWork(ended.Now())
		h := wantForeseen(t, w, w.Take(ended.Now())).(*ledger.Handed)
		if want := "operation " + string(open.Operation) + " is open in the exclusive group/money on order/order_123"; h.Permit != nil || h.Because != want {
			t.Fatalf("it is answered %+v, want %q", h, want)
		}
		if got := open.Now().BlockingSince; !got.Equal(since) {
			t.Fatalf("it keeps others waiting since %s, want %s", got, since)
		}
	}
}
