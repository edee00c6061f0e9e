package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// psp is the source of the events about the tools below.
const psp = "psp-events"

func hooked(c ledgertest.Call) ledgertest.Call {
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.WebhookSource = psp })
	return c
}

// references are the ways in which an event may name an operation whose object is ch_1.
var references = map[string]func(o *ledger.Operation, r *ledger.RecordEvent){
	"client reference": func(o *ledger.Operation, r *ledger.RecordEvent) { r.ClientReference = o.ClientReference },
	"vendor key":       func(o *ledger.Operation, r *ledger.RecordEvent) { r.VendorKey = o.VendorKey },
	"object":           func(_ *ledger.Operation, r *ledger.RecordEvent) { r.ObjectID = "ch_1" },
	"effect":           func(_ *ledger.Operation, r *ledger.RecordEvent) { r.EffectID = "ch_1" },
}

// TestEventsInAnyOrder: whichever of an event and what it needs comes first, the operation ends alike, and no event waits
// for what is there.
func TestEventsInAnyOrder(t *testing.T) {
	for by, refer := range references {
		for name, order := range map[string]string{"event last": "xre", "event between": "xer", "event first": "exr"} {
			t.Run(by+", "+name, func(t *testing.T) {
				if order == "exr" && (by == "client reference" || by == "vendor key") {
					t.Skip("an operation's own references before it: TestEventBeforeItsOperation")
				}
				w := ledgertest.New(t)
				c := hooked(capture)
				like := ledgertest.New(t).Execute(c).Now() // references are derived: another ledger derives the same
				var h *ledgertest.Holder
				for _, step := range order {
					w.Advance(time.Second)
					switch step {
					case 'x':
						h = w.Execute(c)
					case 'r':
						wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
					case 'e':
						w.Hear(w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { refer(like, r) }))
					}
				}
				o := h.Now()
				wantState(t, o, ledger.CompletedSuccess)
				wantIncidents(t, o)
				e := w.Record(ledger.InboundKey(ledgertest.North, psp, "evt_1")).(*ledger.InboundEvent)
				if e.Operation != o.ID || e.Status() != ledger.InboundMatched {
					t.Fatalf("the event is %s, of %q", e.Status(), e.Operation)
				}
				if moves := movesTo(w, o, ledger.CompletedSuccess); moves != 1 {
					t.Fatalf("it became a success %d times", moves)
				}
			})
		}
	}
}

func movesTo(w *ledgertest.World, o *ledger.Operation, to ledger.State) (n int) {
	for _, e := range w.Events(o.Namespace, o.ID) {
		if e.Type == ledger.EventStateChanged && e.To == to {
			n++
		}
	}
	return n
}

// TestEventBeforeItsOperation: after a loss of the ledger's tail the provider's event comes before the operation is made
// again. It is not sent a second time.
func TestEventBeforeItsOperation(t *testing.T) {
	for says, want := range map[ledger.Says]struct {
		decision ledger.DecisionKind
		state    ledger.State
	}{
		ledger.SaysHappened:   {ledger.DecisionReplayed, ledger.CompletedSuccess},
		ledger.SaysInProgress: {ledger.DecisionReconciling, ledger.UnknownOutcome},
		ledger.SaysNot:        {ledger.DecisionExecute, ledger.Dispatched},
	} {
		t.Run(string(says), func(t *testing.T) {
			c := hooked(capture)
			lost := ledgertest.New(t).Execute(c).Now()
			w := ledgertest.New(t)
			w.Hear(w.Event(psp, "evt_1", says, func(r *ledger.RecordEvent) { r.ClientReference, r.ObjectID = lost.ClientReference, "ch_1" }))
			a := w.Propose(c)
			wantDecision(t, a, want.decision)
			wantState(t, a.Operation, want.state)
			if again := w.Propose(c); again.Permit != nil || again.Operation.ID != a.Operation.ID {
				t.Fatalf("the second proposal is answered by %s of %s", again.Decision, again.Operation.ID)
			}
		})
	}
}

// TestEventInOneTransactionWithItsOperation: commands that share a transaction see one another.
func TestEventInOneTransactionWithItsOperation(t *testing.T) {
	c := hooked(capture)
	reference := ledgertest.New(t).Execute(c).Now().ClientReference
	for _, order := range [][]int{{0, 1, 2}, {1, 0, 2}, {1, 2, 0}} {
		w := ledgertest.New(t)
		event := func() *ledger.RecordEvent {
			return w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.ClientReference, r.ObjectID = reference, "ch_1" })
		}
		all := []ledger.Command{w.Command(c), event(), event()}
		var commands []ledger.Command
		for _, i := range order {
			commands = append(commands, all[i])
		}
		repeats := 0
		for _, out := range w.DoAll(commands...) {
			wantOK(t, out.Err)
			if r, ok := out.Reply.(*ledger.EventRecorded); ok && r.Deduplicated {
				repeats++
			}
		}
		o := w.Operations()[0]
		if repeats != 1 || len(o.Effects) != 1 || len(o.Evidence) != 1 {
			t.Fatalf("order %v: %d repeats, effects %v, evidence %v", order, repeats, o.Effects, o.Evidence)
		}
	}
}

// TestEventIsStoredOnce: a repeat does nothing again and says what the first was matched to; a pair of source and id is
// never another's.
func TestEventIsStoredOnce(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(hooked(capture))
	o := h.Now()
	event := w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.ClientReference, r.ObjectID = o.ClientReference, "ch_1" })
	if first := w.Hear(event); first.Deduplicated || first.Operation == nil || first.Event.Operation != o.ID {
		t.Fatalf("the first is answered by %+v", first)
	}
	before := w.Dump()
	if own := w.Hear(event); own.Deduplicated || own.Operation != nil {
		t.Fatalf("a retry that sees its own write is answered by %+v", own)
	}
	again := w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) { r.ClientReference = o.ClientReference }))
	if !again.Deduplicated || again.Event.Operation != o.ID || again.Event.Says != ledger.SaysHappened {
		t.Fatalf("a repeat is answered by %+v", again)
	}
	if w.Dump() != before {
		t.Fatal("a repeat changed something")
	}
	keys := map[ledger.RecordKey]bool{}
	for _, pair := range [][2]string{{"a", "b/c"}, {"a/b", "c"}, {"a", "b:c"}, {"1:a", "b"}, {"1", "a/b"}, {"", "a"}, {"a", strings.Repeat("x", 2000)}, {"a", strings.Repeat("x", 2001)}, {strings.Repeat("x", 600), "a"}} {
		key := ledger.InboundKey(ledgertest.North, pair[0], pair[1])
		if keys[key] || len(key.ID) > 600 {
			t.Fatalf("%q is named %q, which is another's or too long", pair, key.ID)
		}
		keys[key] = true
	}
}

// TestEventsThatMeetNobody: of another source, of another namespace, by another kind of reference, or without any.
func TestEventsThatMeetNobody(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(o *ledger.Operation, r *ledger.RecordEvent)
		status string
	}{
		"another source": {func(o *ledger.Operation, r *ledger.RecordEvent) {
			r.Source, r.ClientReference, r.ObjectID = "other", o.ClientReference, "ch_1"
		}, ledger.InboundWaiting},
		"another namespace": {func(o *ledger.Operation, r *ledger.RecordEvent) {
			r.Namespace, r.ClientReference, r.ObjectID = "south", o.ClientReference, "ch_1"
		}, ledger.InboundWaiting},
		"a client reference as a vendor key": {func(o *ledger.Operation, r *ledger.RecordEvent) { r.VendorKey = o.ClientReference }, ledger.InboundWaiting},
		"an object as a client reference":    {func(o *ledger.Operation, r *ledger.RecordEvent) { r.ClientReference = "ch_1" }, ledger.InboundWaiting},
		"no reference":                       {func(o *ledger.Operation, r *ledger.RecordEvent) {}, ledger.InboundNoted},
		"no word of an effect":               {func(o *ledger.Operation, r *ledger.RecordEvent) { r.Says, r.ObjectID = "", "cus_1" }, ledger.InboundNoted},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(hooked(capture))
			wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
			before := h.Now()
			out := w.Hear(w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { tc.change(before, r) }))
			if out.Event.Status() != tc.status || out.Operation != nil || h.Now().Version != before.Version {
				t.Fatalf("the event is %s; the operation went from version %d to %d", out.Event.Status(), before.Version, h.Now().Version)
			}
		})
	}
	t.Run("a tool without a source", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		w.Hear(w.Event("", "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.ClientReference = h.Now().ClientReference }))
		wantState(t, h.Now(), ledger.Dispatched)
	})
	t.Run("a word of nothing is matched and moves nothing", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(hooked(capture))
		before := h.Now()
		out := w.Hear(w.Event(psp, "evt_1", "", func(r *ledger.RecordEvent) { r.ClientReference = before.ClientReference }))
		if out.Event.Operation != before.ID || h.Now().Version != before.Version {
			t.Fatalf("it was matched to %q", out.Event.Operation)
		}
	})
}

// TestEventOfAnotherOperationsObject: the object of an event that names one operation is known to be another's.
func TestEventOfAnotherOperationsObject(t *testing.T) {
	w := ledgertest.New(t)
	one := w.Execute(hooked(capture))
	wantOK(t, one.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	c := hooked(capture)
	c.Key, c.Args = "payment:order_124", `{"order_id":"order_124"}`
	two := ambiguously(t, w, c)
	w.Hear(w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) {
		r.ClientReference, r.ObjectID = two.Now().ClientReference, "ch_1"
	}))
	wantState(t, one.Now(), ledger.CompletedSuccess)
	wantState(t, two.Now(), ledger.UnknownOutcome)
	if !slices.ContainsFunc(two.Now().Incidents, func(i ledger.Incident) bool { return i.Kind == ledger.IncidentEffectElsewhere }) {
		t.Fatalf("the incidents are %v", two.Now().Incidents)
	}
}

// TestEventOfAChange: the object that calls only change names none of them; the change's own id does.
func TestEventOfAChange(t *testing.T) {
	w := ledgertest.New(t)
	c := hooked(capture)
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Effect = "CHANGE" })
	h := w.Execute(c)
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("chg_1"), func(r *ledger.Report) { r.ObjectID = "order_9" }))
	w.Hear(w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.ObjectID = "order_9" }))
	wantState(t, h.Now(), ledger.Acknowledged)
	w.Hear(w.Event(psp, "evt_2", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.ObjectID, r.EffectID = "order_9", "chg_1" }))
	wantState(t, h.Now(), ledger.CompletedSuccess)
	if o := h.Now(); len(o.Effects) != 1 || o.Effects[0].EffectID != "chg_1" {
		t.Fatalf("the effects are %v", o.Effects)
	}
}

// TestEventOfARevisionThatKeepsItsKey: what a predecessor's reference names is the newest revision that has it.
func TestEventOfARevisionThatKeepsItsKey(t *testing.T) {
	w := ledgertest.New(t)
	c := hooked(capture)
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.MaxAttempts = 1 })
	first := w.Execute(c)
	wantOK(t, first.Says(ledger.OutcomeDeclined))
	wantState(t, first.Now(), ledger.FailedPermanent)
	next := w.Execute(revising(c, first))
	if next.Now().VendorKey != first.Now().VendorKey {
		t.Fatal("this revision was to keep its key")
	}
	out := w.Hear(w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.VendorKey, r.ObjectID = first.Now().VendorKey, "ch_1" }))
	if out.Event.Operation != next.Operation {
		t.Fatalf("it was matched to %s", out.Event.Operation)
	}
	wantOK(t, next.Says(ledger.OutcomeAmbiguous))
	wantState(t, next.Now(), ledger.CompletedSuccess)
}

// TestAwaitedEventsAreBounded: a babbling source keeps no presence out.
func TestAwaitedEventsAreBounded(t *testing.T) {
	w := ledgertest.New(t)
	w.Unaudited = true
	for i := range 150 {
		says := ledger.SaysInProgress
		if i == 3 {
			says = ledger.SaysHappened
		}
		w.Hear(w.Event(psp, fmt.Sprintf("evt_%d", i), says, func(r *ledger.RecordEvent) { r.ObjectID = "ch_1" }))
	}
	h := w.Execute(hooked(capture))
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
	wantState(t, h.Now(), ledger.CompletedSuccess)
	if n := len(h.Now().Evidence); n > 110 {
		t.Fatalf("%d statements were kept", n)
	}
}

// TestReadsLearnNoReferences: what a read returns is nobody's effect.
func TestReadsLearnNoReferences(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(hooked(read))
	if o := h.Now(); o.Terms.Class != registry.PureRead || len(o.References()) != 0 {
		t.Fatalf("it has the references %q", o.References())
	}
}
