package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestHowEventsAreNamed: rows and claims are found by these names for as long as a ledger is kept.
func TestHowEventsAreNamed(t *testing.T) {
	fits := strings.Repeat("e", 500-len("3:psp/"))
	for _, c := range []struct{ source, id, want string }{
		{"psp", "evt_1", "3:psp/evt_1"},
		{"psp", fits, "3:psp/" + fits},
	} {
		if have := ledger.InboundKey(ledgertest.North, c.source, c.id).ID; have != c.want {
			t.Errorf("%s of %s is named %q, want %q", c.id, c.source, have, c.want)
		}
	}
	if have := ledger.InboundKey(ledgertest.North, "psp", fits+"e").ID; !strings.HasPrefix(have, "sha256:") || len(have) != len("sha256:")+64 {
		t.Errorf("what is too long is named %q", have)
	}
}

// TestTheOldestThatSaysNoPresenceMakesRoom, and no more room than one needs.
func TestTheOldestThatSaysNoPresenceMakesRoom(t *testing.T) {
	w := ledgertest.New(t)
	for i := range 101 {
		says := ledger.SaysHappened
		if i == 1 || i == 2 {
			says = ledger.SaysInProgress
		}
		w.Hear(w.Event(psp, fmt.Sprintf("evt_%d", i), says, func(r *ledger.RecordEvent) { r.ObjectID = "ch_1" }))
	}
	waiting := w.Record(ledger.AwaitedKey(ledgertest.North, "10:psp-events/6:object/ch_1")).(*ledger.AwaitedReference)
	waits := func(i int) bool {
		return slices.ContainsFunc(waiting.Events, func(e ledger.AwaitedEvent) bool {
			return e.ID == ledger.InboundKey(ledgertest.North, psp, fmt.Sprintf("evt_%d", i)).ID
		})
	}
	if len(waiting.Events) != 100 || !waits(0) || waits(1) || !waits(2) || !waits(100) {
		t.Errorf("%d wait; the first four: %v", len(waiting.Events), waiting.Events[:4])
	}
}

// TestWhatNamesAnOperation: what its provider said of it by a reference that it had, and not what was said without one.
func TestWhatNamesAnOperation(t *testing.T) {
	w := ledgertest.New(t)
	h := ambiguously(t, w, hooked(capture))
	w.Hear(w.Event(psp, "evt_1", ledger.SaysInProgress, func(r *ledger.RecordEvent) {
		r.ClientReference, r.ObjectID = h.Now().ClientReference, "ch_1"
	}))
	w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) { s.EffectID = "ch_2" }))
	names := h.Now().References()
	if !slices.Contains(names, "10:psp-events/6:object/ch_1") || slices.Contains(names, "10:psp-events/6:object/ch_2") {
		t.Errorf("it is named by %q", names)
	}
}

// TestEventOfARevisionWithAKeyOfItsOwn: its predecessor's references stay the predecessor's.
func TestEventOfARevisionWithAKeyOfItsOwn(t *testing.T) {
	w := ledgertest.New(t)
	c := hooked(capture)
	first := w.Execute(c)
	wantOK(t, first.Says(ledger.OutcomeRejected))
	next := revising(c, first)
	next.Key, next.Args = "payment:order_123:capture:4900:EUR", `{"amount":4900,"currency":"EUR","order_id":"order_123"}`
	h := w.Execute(next)
	if h.Now().VendorKey == first.Now().VendorKey {
		t.Fatal("this revision was to have a key of its own")
	}
	out := w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) { r.VendorKey = first.Now().VendorKey }))
	if out.Event.Operation != first.Operation {
		t.Errorf("it was matched to %s, want %s", out.Event.Operation, first.Operation)
	}
}

// TestEachEventIsHeardOnce, by whichever of its references: what waits behind one that was heard already is heard, too,
// and so is what waits under a reference behind one that is another's.
func TestEachEventIsHeardOnce(t *testing.T) {
	w := ledgertest.New(t)
	c := hooked(capture)
	like := ledgertest.New(t).Execute(c).Now()
	w.Hear(w.Event(psp, "evt_1", ledger.SaysInProgress, func(r *ledger.RecordEvent) { r.ClientReference, r.ObjectID = like.ClientReference, "ch_1" }))
	w.Hear(w.Event(psp, "evt_2", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.ObjectID = "ch_1" }))
	o := w.Propose(c).Operation
	wantState(t, w.Operation(o.Namespace, o.ID), ledger.CompletedSuccess)
	var versions []string
	for _, id := range []string{"evt_1", "evt_2"} {
		e := w.Record(ledger.InboundKey(ledgertest.North, psp, id)).(*ledger.InboundEvent)
		if e.Operation != o.ID {
			t.Errorf("%s was matched to %q", id, e.Operation)
		}
		versions = append(versions, e.Etag())
	}
	if versions[0] != versions[1] {
		t.Errorf("the events were written as %q", versions)
	}

	other := hooked(capture)
	other.Key, other.Args = "payment:order_124", `{"order_id":"order_124"}`
	w.Hear(w.Event(psp, "evt_3", ledger.SaysInProgress, func(r *ledger.RecordEvent) { r.ObjectID = "po_2" }))
	h := w.Execute(other)
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1"), func(r *ledger.Report) { r.ObjectID = "po_2" }))
	if e := w.Record(ledger.InboundKey(ledgertest.North, psp, "evt_3")).(*ledger.InboundEvent); e.Operation != h.Operation {
		t.Errorf("evt_3 was matched to %q, want %s", e.Operation, h.Operation)
	}
}

// TestWhatNobodyHasTalkedOf is not planned first: only what events wait for is.
func TestWhatNobodyHasTalkedOf(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(hooked(capture))
	if n := movesTo(w, h.Now(), ledger.Planned); n != 0 {
		t.Errorf("it was planned %d times", n)
	}
}

// TestAMatchedEventIsNobodyElses: it waited under the object that it changed, too, and whoever makes that object later does
// not hear it.
func TestAMatchedEventIsNobodyElses(t *testing.T) {
	w := ledgertest.New(t)
	changes := hooked(capture)
	changes.Tool = changes.Tool.With(func(t *ledger.Terms) { t.Effect = "CHANGE" })
	like := ledgertest.New(t).Execute(changes).Now()
	w.Hear(w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.ClientReference, r.ObjectID = like.ClientReference, "cus_1" }))
	o := w.Propose(changes).Operation
	wantState(t, o, ledger.CompletedSuccess)

	makes := hooked(capture)
	makes.Key, makes.Args = "payment:order_124", `{"order_id":"order_124"}`
	h := w.Execute(makes)
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("cus_1")))
	wantState(t, h.Now(), ledger.Acknowledged)
	if e := w.Record(ledger.InboundKey(ledgertest.North, psp, "evt_1")).(*ledger.InboundEvent); e.Operation != o.ID {
		t.Errorf("the event is %s's, want %s's", e.Operation, o.ID)
	}
}

// TestADecisionLearnsABoundedNumberOfReferences: each may bring more by what waits under it, and a transaction has an end.
func TestADecisionLearnsABoundedNumberOfReferences(t *testing.T) {
	w := ledgertest.New(t)
	w.Unaudited = true // those beyond the bound are nobody's
	c := hooked(capture)
	like := ledgertest.New(t).Execute(c).Now()
	for i := range 30 {
		w.Hear(w.Event(psp, fmt.Sprintf("evt_%d", i), ledger.SaysInProgress, func(r *ledger.RecordEvent) {
			r.ClientReference, r.ObjectID = like.ClientReference, fmt.Sprintf("ch_%d", i)
		}))
	}
	w.Propose(c)
	if n := w.Claims(ledger.ClaimReference); n != 20 {
		t.Errorf("it has learned %d", n)
	}
}
