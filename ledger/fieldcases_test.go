package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// refund is a keyed refund of an order.
func refund(key, args string) ledgertest.Call {
	tool := ledgertest.PaymentCapture
	tool.Name = "refund.create"
	return ledgertest.Call{Tool: tool, Key: key, Args: args}
}

// ticket is a ticket by its reference.
func ticket(ref string) ledgertest.Call {
	tool := ledgertest.EmailSend
	tool.Name = "ticket.create"
	return ledgertest.Call{Tool: tool, Key: "ticket:OPS:" + ref, Args: fmt.Sprintf(`{"project":"OPS","ref":%q}`, ref)}
}

// fieldCases are failures of others, from the field: what the core makes of each. What lies at the edge, in a store or at
// an executor is tested there.
var fieldCases = map[string]func(*testing.T, *ledgertest.World){
	// A long call is dispatched again while the first still runs.
	"FC-101": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(email)
		wantOK(t, h.Begin())
		for range 8 {
			w.Advance(20 * time.Second)
			_, err := h.Extend(time.Minute)
			wantOK(t, err)
		}
		w.Advance(20 * time.Second)
		again := email
		again.Run = "run_2"
		a := w.Propose(again)
		wantDecision(t, a, ledger.DecisionInFlight)
		if a.Holder.RunID != "run_1" || !a.Holder.Until.Equal(w.Now.Add(40*time.Second)) {
			t.Fatalf("the holder is %+v", a.Holder)
		}
		w.Advance(20 * time.Second)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")))
		a = w.Propose(again)
		wantDecision(t, a, ledger.DecisionReplayed)
		if a.Operation.Result.ProviderObjectID != "msg_1" || len(a.Operation.Attempts) != 1 {
			t.Fatalf("the result is %+v", a.Operation.Result)
		}
		// Had it stopped extending:
		other := ticket("silent")
		silently(t, w, other)
		wantDecision(t, w.Propose(other), ledger.DecisionReconciling)
	},
	// The model's call id is taken as the key.
	"FC-104": func(t *testing.T, w *ledgertest.World) {
		c := refund("refund:order_123:1000:USD", `{"amount":1000}`)
		first := w.Command(c)
		first.Correlation = map[string]string{"tool_call_id": "call_A"}
		_, err := w.Do(first)
		wantOK(t, err)
		second := w.Command(c)
		second.Correlation = map[string]string{"tool_call_id": "call_B"}
		reply, err := w.Do(second)
		wantOK(t, err)
		wantDecision(t, reply.(*ledger.Answer), ledger.DecisionInFlight)
		w.Advance(time.Minute)
		wantDecision(t, w.Propose(c), ledger.DecisionReconciling)
	},
	// A provider repeats call ids, for new calls and for replays.
	"FC-105": func(t *testing.T, w *ledgertest.World) {
		call := func(ref string) ledger.DecisionKind {
			c := w.Command(ticket(ref))
			c.Correlation = map[string]string{"tool_call_id": "call_0"}
			reply, err := w.Do(c)
			wantOK(t, err)
			return reply.(*ledger.Answer).Decision
		}
		if a, b, c := call("a1"), call("a2"), call("a1"); a != ledger.DecisionExecute || b != ledger.DecisionExecute || c != ledger.DecisionInFlight {
			t.Fatalf("%s, %s, %s", a, b, c)
		}
	},
	// The model invents a key for each call.
	"FC-107": func(t *testing.T, w *ledgertest.World) {
		c := capture
		c.Ignored = map[string]string{"/idempotency_key": `"k-1"`}
		first := w.Propose(c)
		c.Ignored = map[string]string{"/idempotency_key": `"k-2"`}
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionInFlight)
		if len(a.IgnoredDifferences) != 1 || strings.Contains(first.Permit.VendorKey, "k-1") {
			t.Fatalf("%v, %s", a.IgnoredDifferences, first.Permit.VendorKey)
		}
	},
	// A wanted second action is swallowed as a repeat.
	"FC-109": func(t *testing.T, w *ledgertest.World) {
		c := refund("refund:order_123:500:USD", `{"amount":500}`)
		wantOK(t, w.Execute(c).Says(ledger.OutcomeSucceeded, ledgertest.Effect("re_1")))
		c.Tool = c.Tool.With(func(t *ledger.Terms) {
			t.Messages = map[string]registry.Texts{"completed_success": {SafeUser: "Your refund is done."}}
		})
		w.Advance(time.Hour)
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionReplayed)
		if u := a.Told.SafeUser; !strings.Contains(u, "1 March 2026 09:00:00 UTC") || !strings.Contains(u, "no new one") {
			t.Fatalf("the customer is told %q", u)
		}
		item := c
		item.Key, item.Occurrence = "refund:order_123:500:USD:item_2", "item_2"
		h := w.Execute(item)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("re_2")))
		a = w.Propose(item)
		wantDecision(t, a, ledger.DecisionReplayed)
		if u := a.Told.SafeUser; !strings.Contains(u, "no new one") {
			t.Fatalf("a tool's own sentence took the place of the truth: %q", u)
		}
	},
	// Cancelled, says the client; done, says the world.
	"FC-112": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(email)
		wantOK(t, h.Begin())
		if r := cancel(t, w, h.Operation); r.Done || r.Operation.State != ledger.Dispatched {
			t.Fatalf("%+v", r)
		}
		w.Advance(2 * time.Second)
		wantOK(t, h.Says(ledger.OutcomeSucceeded))
		wantState(t, h.Now(), ledger.CompletedSuccess)
		queued := ticket("queued")
		queued.Tool = queued.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
		if r := cancel(t, w, w.Propose(queued).Operation.ID); !r.Done {
			t.Fatalf("%+v", r)
		}
		wantDecision(t, w.Propose(queued), ledger.DecisionReplayed)
	},
	// Two paths charge one order.
	"FC-201": func(t *testing.T, w *ledgertest.World) {
		var batch []ledger.Command
		for i := range 64 {
			c := capture
			c.Principal = ledger.Principal([]string{"checkout", "webhook"}[i%2])
			batch = append(batch, w.Command(c))
		}
		execute := 0
		for i, out := range append(w.DoAll(batch[:32]...), w.DoAll(batch[32:]...)...) {
			wantOK(t, out.Err)
			switch a := out.Reply.(*ledger.Answer); a.Decision {
			case ledger.DecisionExecute:
				execute++
			case ledger.DecisionInFlight:
			default:
				t.Fatalf("proposal %d: %s", i, a.Decision)
			}
		}
		if execute != 1 || len(w.Operations()) != 1 {
			t.Fatalf("%d permits, %d operations", execute, len(w.Operations()))
		}
	},
	// A key is carried into another request.
	"FC-202": func(t *testing.T, w *ledgertest.World) {
		c := capture
		c.Key = "K1"
		h := w.Execute(c)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		changed := c
		changed.Args = `{"amount":5000,"order_id":"order_123"}`
		_, err := w.Do(w.Command(changed))
		wantRefusal(t, err, ledger.ReasonKeyReused)
		other := refund("K1", c.Args)
		_, err = w.Do(w.Command(other))
		wantRefusal(t, err, ledger.ReasonKeyReused)
		wantDecision(t, w.Propose(c), ledger.DecisionReplayed)
	},
	// The key hashes fields that change on every submit: where rules ignore them, it is one operation.
	"FC-203": func(t *testing.T, w *ledgertest.World) {
		c := capture
		c.Ignored = map[string]string{"/client_ctx/created_at": `"10:00:01"`}
		h := w.Execute(c)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		c.Ignored = map[string]string{"/client_ctx/created_at": `"10:03:00"`}
		if a := w.Propose(c); a.Operation.ID != h.Operation {
			t.Fatal("a second operation")
		}
	},
	// The record is deleted when the provider fails.
	"FC-204": func(t *testing.T, w *ledgertest.World) {
		c := refund("refund:order_123:4000:USD", `{"amount":4000}`)
		h := w.Execute(c)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous, func(r *ledger.Report) { r.RawStatusCode = "500" }))
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionReconciling)
		if a.Lookup.VendorKey == "" || a.Lookup.VendorKey != h.Now().VendorKey {
			t.Fatalf("the lookup is %+v", a.Lookup)
		}
		w.Found(h.Now(), "re_1")
		wantState(t, h.Now(), ledger.CompletedSuccess)
		wantDecision(t, w.Propose(c), ledger.DecisionReplayed)
	},
	// People press again because the slow success looks like a failure.
	"FC-205": func(t *testing.T, w *ledgertest.World) {
		c := capture
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.LookupWait = 10 * time.Minute })
		h := w.Execute(c)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		for range 5 {
			w.Advance(time.Minute)
			a := w.Propose(c)
			wantDecision(t, a, ledger.DecisionReconciling)
			wantNothingClaimed(t, a.Told.SafeUser)
		}
		w.Advance(time.Minute)
		o := h.Now()
		w.Tell(w.Statement(o, ledger.SourceWebhook, ledger.SaysHappened, func(s *ledger.Statement) {
			s.ClientReference, s.EffectID = o.ClientReference, "ch_1"
		}))
		wantDecision(t, w.Propose(c), ledger.DecisionReplayed)
	},
	// A definite decline blocks the order for a day.
	"FC-206": func(t *testing.T, w *ledgertest.World) {
		first := rejected(t, w, capture)
		a := w.Propose(capture) // payment_method is ignored in identity
		wantDecision(t, a, ledger.DecisionReplayed)
		if a.Told.Retry != ledger.RetryRevise || a.Operation.Failure.Code != "card_declined" {
			t.Fatalf("%+v, %+v", a.Told, a.Operation.Failure)
		}
		second := w.Execute(revising(capture, first))
		if second.Now().VendorKey == first.Now().VendorKey {
			t.Fatal("the provider may answer with the old decline")
		}
		again := w.Propose(revising(capture, first))
		if again.Operation.ID != second.Operation || again.Permit != nil {
			t.Fatal("twice gives the same revision")
		}
		wantOK(t, second.Says(ledger.OutcomeAmbiguous))
		_, err := w.Do(w.Command(revising(capture, second)))
		wantRefusal(t, err, ledger.ReasonRevisionNotAllowed)
	},
	// The second partial refund is taken for the first.
	"FC-207": func(t *testing.T, w *ledgertest.World) {
		forty, twentyFive := refund("refund:order_123:4000:USD", `{"amount":4000}`), refund("refund:order_123:2500:USD", `{"amount":2500}`)
		wantOK(t, w.Execute(forty).Says(ledger.OutcomeSucceeded, ledgertest.Effect("re_1")))
		w.Execute(twentyFive)
		wantDecision(t, w.Propose(forty), ledger.DecisionReplayed)
	},
	// The in-progress mark expires and the work is done again.
	"FC-303": func(t *testing.T, w *ledgertest.World) {
		c := email
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.PermitDuration = time.Second })
		h := silently(t, w, c)
		wantDecision(t, w.Propose(c), ledger.DecisionReconciling)
		w.Advance(time.Hour)
		wantDecision(t, w.Propose(c), ledger.DecisionReconciling)
		w.Advance(c.Tool.Terms.HumanAfter)
		w.RunDue()
		if h.Now().Human == nil {
			t.Fatal("nobody is asked")
		}
		other := ticket("short")
		held := w.Execute(other)
		before := held.Now().Attempts[0].Deadline
		_, err := held.Extend(time.Nanosecond) // an extension to "now" takes nothing away, and is not without end
		wantOK(t, err)
		if got := held.Now().Attempts[0].Deadline; !got.Equal(before) {
			t.Fatalf("the deadline is %s", got)
		}
	},
	// The stored fingerprint is thrown away, so a changed amount is replayed.
	"FC-304": func(t *testing.T, w *ledgertest.World) {
		c := refund("refund:r_1", `{"amount":1000}`)
		wantOK(t, w.Execute(c).Says(ledger.OutcomeSucceeded, ledgertest.Effect("re_1")))
		changed := c
		changed.Args = `{"amount":100000}`
		_, err := w.Do(w.Command(changed))
		wantRefusal(t, err, ledger.ReasonKeyReused)
		wantDecision(t, w.Propose(c), ledger.DecisionReplayed)
	},
	// A failure is stored as the result, or a success is not.
	"FC-305": func(t *testing.T, w *ledgertest.World) {
		for outcome, want := range map[ledger.Outcome]struct{ atOnce, later ledger.DecisionKind }{
			ledger.OutcomeRateLimited: {ledger.DecisionRetryLater, ledger.DecisionExecute},
			ledger.OutcomeAmbiguous:   {ledger.DecisionReconciling, ledger.DecisionExecute}, // the same request under the same key
			ledger.OutcomeRejected:    {ledger.DecisionReplayed, ledger.DecisionReplayed},
			ledger.OutcomeSucceeded:   {ledger.DecisionReplayed, ledger.DecisionReplayed},
		} {
			c := capture
			c.Key = "payment:" + string(outcome)
			first := w.Propose(c)
			wantOK(t, w.HolderOf(first).Says(outcome))
			wantDecision(t, w.Propose(c), want.atOnce)
			w.Advance(time.Hour)
			a := w.Propose(c)
			wantDecision(t, a, want.later)
			if a.Permit != nil && a.Permit.VendorKey != first.Permit.VendorKey {
				t.Fatalf("%s: another vendor key", outcome)
			}
		}
	},
	// After the retention, the same key acts again.
	"FC-306": func(t *testing.T, w *ledgertest.World) {
		inside, outside := capture, capture
		outside.Key = "payment:outside"
		for c, wait := range map[*ledgertest.Call]time.Duration{&inside: 23 * time.Hour, &outside: 25 * time.Hour} {
			w := ledgertest.New(t)
			h := w.Execute(*c)
			wantOK(t, h.Says(ledger.OutcomeAmbiguous))
			w.Advance(wait)
			a := w.Propose(*c)
			if c == &inside {
				wantDecision(t, a, ledger.DecisionExecute)
				if a.Permit.VendorKey != h.Now().VendorKey {
					t.Fatal("another vendor key")
				}
				continue
			}
			wantDecision(t, a, ledger.DecisionReconciling)
			if a.Lookup.ClientReference == "" {
				t.Fatalf("the lookup is %+v", a.Lookup)
			}
			w.Advance(c.Tool.Terms.HumanAfter)
			w.RunDue()
			if h.Now().Human == nil {
				t.Fatal("nobody is asked")
			}
		}
		wantOK(t, w.Execute(capture).Says(ledger.OutcomeSucceeded))
		w.Advance(400 * 24 * time.Hour)
		wantDecision(t, w.Propose(capture), ledger.DecisionReplayed)
	},
	// Another tenant's key opens another tenant's result.
	"FC-307": func(t *testing.T, w *ledgertest.World) {
		north := w.Propose(capture)
		south := capture
		south.Namespace = "south"
		other := w.Propose(south)
		wantDecision(t, other, ledger.DecisionExecute)
		if other.Permit.VendorKey == north.Permit.VendorKey || other.Permit.ClientReference == north.Permit.ClientReference {
			t.Fatal("two tenants share a vendor key")
		}
		h := w.HolderOf(north)
		h.Namespace = "south"
		wantRefusal(t, h.Begin(), ledger.ReasonOperationNotFound)
		wantRefusal(t, h.Says(ledger.OutcomeSucceeded), ledger.ReasonOperationNotFound)
		_, err := w.Do(&ledger.CancelOperation{Namespace: "south", OperationID: h.Operation})
		wantRefusal(t, err, ledger.ReasonOperationNotFound)
		_, err = w.Do(&ledger.Reconcile{Namespace: "south", OperationID: h.Operation})
		wantRefusal(t, err, ledger.ReasonOperationNotFound)
	},
	// The permit is granted, its answer is lost.
	"FC-315": func(t *testing.T, w *ledgertest.World) {
		c := email
		c.Request = "r-1"
		first := w.Propose(c)
		retry := w.Propose(c)
		if retry.Permit == nil || retry.Permit.Attempt.ID != first.Permit.Attempt.ID || !retry.Permit.Attempt.Deadline.Equal(first.Permit.Attempt.Deadline) {
			t.Fatalf("the retry is answered %s", retry.Decision)
		}
		for _, run := range []string{"run_1", "run_2"} {
			other := email
			other.Run = run
			a := w.Propose(other)
			wantDecision(t, a, ledger.DecisionInFlight)
			if a.Operation.ID != first.Operation.ID || a.Holder.Until.IsZero() {
				t.Fatalf("%+v", a.Holder)
			}
		}
		w.Advance(time.Minute)
		a := w.Propose(c) // nobody began: nothing was sent
		wantDecision(t, a, ledger.DecisionRetryLater)
		w.Advance(a.RetryAfter)
		wantDecision(t, w.Propose(c), ledger.DecisionExecute)
	},
	// "No heartbeat yet, so it never began."
	"FC-402": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(unbegun)
		w.Advance(time.Minute)
		w.RunDue()
		wantState(t, h.Now(), ledger.UnknownOutcome)
		queued := ticket("queued")
		queued.Tool = queued.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
		o := w.Propose(queued).Operation
		w.Advance(time.Hour)
		w.RunDue()
		wantState(t, w.Operation(ledgertest.North, o.ID), ledger.PendingDispatch)
	},
	// A step that cannot end in time is done completely, three times.
	"FC-403": func(t *testing.T, w *ledgertest.World) {
		c := email
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.PermitDuration = 15 * time.Minute })
		h := silently(t, w, c)
		for range 3 {
			w.Advance(24 * time.Minute)
			wantDecision(t, w.Propose(c), ledger.DecisionReconciling)
		}
		if n := len(h.Now().Attempts); n != 1 {
			t.Fatalf("%d attempts", n)
		}
	},
	// The engine restarts and sends the running step out again: a permit lives in the database.
	"FC-405": func(t *testing.T, w *ledgertest.World) {
		c := email
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.PermitDuration = 10 * time.Minute })
		h := w.Execute(c)
		wantOK(t, h.Begin())
		w.Advance(time.Minute)
		w.RunDue() // all that a restarted server does
		_, err := h.Extend(10 * time.Minute)
		wantOK(t, err)
		wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
		w.Advance(time.Hour) // no server ran
		if n := w.RunDue(); n != 1 {
			t.Fatalf("%d pieces of due work", n)
		}
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// The workflow id is free again, and frees no operation.
	"FC-406": func(t *testing.T, w *ledgertest.World) {
		wantOK(t, w.Execute(capture).Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		w.Advance(30 * 24 * time.Hour)
		other := w.Command(capture)
		other.WorkflowID = "wf_2"
		reply, err := w.Do(other)
		wantOK(t, err)
		wantDecision(t, reply.(*ledger.Answer), ledger.DecisionReplayed)
	},
	// The retry after an ambiguous insert fights its own first write.
	"FC-507": func(t *testing.T, w *ledgertest.World) {
		cmd := w.Command(capture)
		first, err := w.Do(cmd)
		wantOK(t, err)
		w.Advance(2 * time.Second)
		second, err := w.Do(cmd)
		wantOK(t, err)
		a, b := first.(*ledger.Answer), second.(*ledger.Answer)
		if b.Permit == nil || b.Permit.Attempt.ID != a.Permit.Attempt.ID || !b.Permit.Attempt.Deadline.Equal(a.Permit.Attempt.Deadline) {
			t.Fatalf("the retry is answered %+v", b)
		}
	},
}

func TestFieldCase(t *testing.T) {
	for name, run := range fieldCases {
		t.Run(name, func(t *testing.T) { run(t, ledgertest.New(t)) })
	}
}

// wantNothingClaimed fails the test if a sentence claims an end that is not known.
func wantNothingClaimed(t *testing.T, sentence string) {
	t.Helper()
	for _, word := range []string{"done", "success", "complete", "failed", "fail", "refused", "not carried out", "nothing was", "cancelled", "already"} {
		if strings.Contains(strings.ToLower(sentence), word) {
			t.Errorf("%q claims %q, which is not known", sentence, word)
		}
	}
	if sentence == "" {
		t.Error("the customer is told nothing")
	}
}

// TestNoSentenceClaimsWhatIsNotKnown goes through every situation of every class: what a customer is told of an open
// outcome claims no end, and what a model is told teaches it no way round.
func TestNoSentenceClaimsWhatIsNotKnown(t *testing.T) {
	for class, call := range ofClass {
		for _, s := range situations {
			t.Run(fmt.Sprintf("%s/%s", class, s.name), func(t *testing.T) {
				w := ledgertest.New(t)
				h := s.make(t, w, call)
				told := ledger.TellState(h.Now(), w.Now)
				switch h.Now().State {
				case ledger.UnknownOutcome, ledger.Dispatched, ledger.Acknowledged:
					wantNothingClaimed(t, told.SafeUser)
				case ledger.CompletedSuccess, ledger.CompletedNoop:
					if told.NextAction != ledger.NextUseResult {
						t.Errorf("the next action is %s", told.NextAction)
					}
				default:
					if strings.Contains(told.SafeUser, "has been done") {
						t.Errorf("%q", told.SafeUser)
					}
				}
				for _, way := range []string{"occurrence", "revise", "another tool to", "different arguments", "new request"} {
					if strings.Contains(told.Model, way) {
						t.Errorf("the model is taught %q: %s", way, told.Model)
					}
				}
				if a := w.Propose(call); a.Decision == ledger.DecisionReconciling || a.Decision == ledger.DecisionInFlight {
					wantNothingClaimed(t, a.Told.SafeUser)
				}
			})
		}
	}
}
