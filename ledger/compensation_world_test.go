package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// kim compensates. The name is a person's who holds the right to resolve.
var kim = ledger.Actor{Principal: "kim", Person: "kim@example.com"}

// captured leaves a capture that is known to have happened, with the effect ch_1.
func captured(t *testing.T, w *ledgertest.World) *ledger.Operation {
	t.Helper()
	call := capture
	call.Order = "order_123"
	call.Tool = call.Tool.With(func(t *ledger.Terms) { t.HumanAfter = 10 * time.Minute })
	h := w.Execute(call)
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	wantState(t, h.Now(), ledger.CompletedSuccess)
	return h.Now()
}

// undoStep is a step of a plan whose tool is the e-mail tool: a write that must be begun and is never resent on a guess.
func undoStep(name string) ledger.UndoStep {
	return ledger.UndoStep{Name: name, Tool: ledgertest.EmailSend.Name, Arguments: fmt.Appendf(nil, `{"step":%q}`, name)}
}

// undo asks for the compensation of an operation, by a plan of these steps.
func undo(w *ledgertest.World, id ledger.OperationID, effectID string, steps ...ledger.UndoStep) *ledger.Compensate {
	o := w.Operation(ledgertest.North, id)
	return &ledger.Compensate{
		Namespace: ledgertest.North, Actor: kim, OperationID: id, EffectID: effectID, Reason: "the ticket cannot be had",
		Epoch: w.Epoch(ledgertest.North), PlannedAt: o.Version, Plan: &ledger.UndoPlan{EffectID: effectID, Steps: steps}, Jitter: 0.5,
	}
}

// rowsOf are the steps of an operation, by effect and number.
func rowsOf(t *testing.T, w *ledgertest.World, id ledger.OperationID) []*ledger.Step {
	t.Helper()
	var rows []*ledger.Step
	for _, u := range w.Operation(ledgertest.North, id).Undoing {
		for _, step := range u.Steps {
			rows = append(rows, w.Record(ledger.StepKey(ledgertest.North, step)).(*ledger.Step))
		}
	}
	return rows
}

// stepCall is the call of a step: its tool, its arguments and its occurrence.
func stepCall(s *ledger.Step) ledgertest.Call {
	return ledgertest.Call{
		Tool: ledgertest.EmailSend, Key: "step:" + s.Occurrence(), Args: string(s.Arguments), Order: "order_123", Occurrence: s.Occurrence(),
		Principal: kim.Principal, Person: kim.Person,
	}
}

// proposeStep is the proposal that the ledger itself makes of a step.
func proposeStep(w *ledgertest.World, s *ledger.Step) *ledger.Propose {
	p := w.Command(stepCall(s))
	p.Undoes = &ledger.Undoes{Original: s.Original, StepID: s.ID, Approval: s.Approval}
	return p
}

// runSteps does the due work of steps as the server does, until none is due.
func runSteps(w *ledgertest.World) error {
	const most = 100
	for range most {
		due := dueStep(w)
		if due == nil {
			return nil
		}
		reply, err := w.Do(&ledger.AdvanceStep{Key: due.Key(), Jitter: 0.5})
		if err != nil {
			return err
		}
		s := reply.(*ledger.StepAdvanced).Propose
		if s == nil {
			continue
		}
		reply, err = w.Do(proposeStep(w, s))
		because := fmt.Sprint(err)
		if err == nil {
			a := reply.(*ledger.Answer)
			if a.Permit != nil {
				return fmt.Errorf("the ledger took a permit for step %s", s.Name)
			}
			if a.Operation != nil {
				continue
			}
			because = a.Because
		}
		if _, err = w.Do(&ledger.PostponeStep{Key: s.Key(), Because: because, Jitter: 0.5}); err != nil {
			return err
		}
	}
	return fmt.Errorf("steps were due %d times in a row", most)
}

func dueStep(w *ledgertest.World) *ledger.Step {
	for _, r := range w.Records(ledger.RecordStep) {
		if s := r.(*ledger.Step); !s.NextAt.IsZero() && !s.NextAt.After(w.Now) {
			return s
		}
	}
	return nil
}

// carryOut proposes a step as its executor does, begins it, and tells what came of it.
func carryOut(t *testing.T, w *ledgertest.World, s *ledger.Step, outcome ledger.Outcome) *ledgertest.Holder {
	t.Helper()
	call := stepCall(s)
	call.Principal, call.Person = ledgertest.Agent, ""
	h := w.Execute(call)
	wantOK(t, h.Begin())
	wantOK(t, h.Says(outcome, ledgertest.Effect("undone_"+s.ID)))
	return h
}

// ran runs due steps and fails the test where that fails.
func ran(t *testing.T, w *ledgertest.World) {
	t.Helper()
	wantOK(t, runSteps(w))
}

// refunded asks for the compensation of one effect, by one step, and carries the step out with this outcome.
func refunded(t *testing.T, w *ledgertest.World, id ledger.OperationID, effectID string, outcome ledger.Outcome) *ledgertest.Holder {
	t.Helper()
	did[ledger.Compensation](t, w, undo(w, id, effectID, undoStep("refund")))
	ran(t, w)
	rows := rowsOf(t, w, id)
	h := carryOut(t, w, rows[len(rows)-1], outcome)
	ran(t, w)
	return h
}

// statuses are the statuses of an operation's steps, in order.
func statuses(t *testing.T, w *ledgertest.World, id ledger.OperationID) string {
	t.Helper()
	var words []string
	for _, s := range rowsOf(t, w, id) {
		words = append(words, string(s.Status))
	}
	return strings.Join(words, " ")
}

func wantSteps(t *testing.T, w *ledgertest.World, id ledger.OperationID, want string) {
	t.Helper()
	if have := statuses(t, w, id); have != want {
		t.Fatalf("the steps are %s, want %s", have, want)
	}
}

// finance is an approval by one person of the role finance.
func finance() *policy.ApprovalNeed {
	return &policy.ApprovalNeed{Count: 1, Roles: []string{"finance"}, ExpiresAfter: late}
}

// told are the compensation events of an operation with this detail.
func told(w *ledgertest.World, id ledger.OperationID, key, value string) []ledger.Event {
	var found []ledger.Event
	for _, e := range w.Events(ledgertest.North, id) {
		if e.Type == ledger.EventCompensation && e.Detail[key] == value {
			found = append(found, e)
		}
	}
	return found
}

// showsToo tells of one more effect of an operation.
func showsToo(t *testing.T, w *ledgertest.World, o *ledger.Operation, effect string) {
	t.Helper()
	if _, err := w.Do(w.Statement(o, ledger.SourceWebhook, ledger.SaysHappened, func(s *ledger.Statement) {
		s.ClientReference, s.EffectID = o.ClientReference, effect
	})); err != nil {
		t.Fatal(err)
	}
}

// gaveUp gives a compensation up as kim, who may.
func gaveUp(t *testing.T, w *ledgertest.World, id ledger.OperationID) *ledger.Operation {
	t.Helper()
	did[ledger.Cancelled](t, w, &ledger.CancelOperation{
		Namespace: ledgertest.North, Principal: "kim", OperationID: id, GivesUp: true, Reason: "enough",
	})
	return w.Operation(ledgertest.North, id)
}

// questions are how often a person was asked about an operation for this reason.
func questions(w *ledgertest.World, o *ledger.Operation, reason string) (n int) {
	for _, e := range w.Events(o.Namespace, o.ID) {
		if e.Type == ledger.EventNeedsHuman && e.Detail["reason"] == reason {
			n++
		}
	}
	return n
}
