package server_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// chargeRefund pays a charge back, all of it. It names the charge, so that it can undo nothing else.
const chargeRefund = `
name: charge.refund
class: EXTERNAL_IDEMPOTENT_WRITE
arguments_schema:
  type: object
  required: [order_id, charge, amount]
  additionalProperties: false
  properties:
    order_id: {type: string}
    charge: {type: string}
    amount: {type: string}
    note: {type: string}
identity:
  key_template: "charge:{charge}:refund:{amount}:{occurrence}"
  intent: refund
  entity: {type: order, id: "{order_id}"}
  occurrence: ANY_CALLER
  fields:
    /note: {ignore: {}}
waiting: {human_after: 300s}
retry: {initial_backoff: 1s, max_backoff: 1s}
exclusive: {group: charge.refund}
provider:
  name: acme-pay
  account: main
  stores_client_reference: true
  idempotency_key: {supported: true, header: Idempotency-Key, retention: 86400s}
  lookups:
    - {by: CLIENT_REFERENCE, how: GET /refunds with the reference}
  longest_flight: 20s
  propagation_delay: 10s
`

// undoable applies the tests' tools with a playbook of payment.capture: its charge is refunded.
func undoable(t *testing.T, c *servertest.Client, more ...func(*pb.Playbook)) {
	t.Helper()
	c.Apply(chargeRefund)
	d := fieldTool(t, "payment.capture")
	d.Playbook = &pb.Playbook{
		Precondition: `args.amount.minor > 0 && result.status == "captured"`,
		EscalateTo:   "payments-oncall",
		Steps: []*pb.PlaybookStep{{
			Name: "refund", Tool: "charge.refund",
			ArgumentsTemplate: `{"order_id": "{args.order_id}", "charge": "{effect.id}", "amount": "{result.amount}", "note": "{args.note?}"}`,
		}},
	}
	for _, m := range more {
		m(d.Playbook)
	}
	c.ApplyDefinition(d)
}

// charged leaves a capture that is known to have happened, as its provider recorded it.
func charged(c *servertest.Client, p *provider) (id, charge string) {
	permit := c.Execute("payment.capture", capture)
	charge = p.did(permit, 4900)
	c.Reported(permit, servertest.Succeeded(charge, `{"status":"captured","amount":"49.00"}`))
	return permit.OperationId, charge
}

func compensateRequest(id string) *pb.CompensateOperationRequest {
	return &pb.CompensateOperationRequest{OperationId: id, RequestId: uuid.NewString(), Reason: "the ticket cannot be had"}
}

// undone asks for the compensation, and fails the test where that is refused.
func undone(t *testing.T, c *servertest.Client, id string) *pb.Operation {
	t.Helper()
	m, err := c.CompensateOperation(t.Context(), compensateRequest(id))
	if err != nil {
		t.Fatalf("compensate %s: %v", id, err)
	}
	return m.Operation
}

// stepBegun waits until due work has proposed the operation's first step.
func stepBegun(t *testing.T, c *servertest.Client, id string) *pb.CompensationStep {
	t.Helper()
	var step *pb.CompensationStep
	eventually(t, "the step has an operation", func() bool {
		step = c.Operation(id).CompensationSteps[0]
		return step.OperationId != ""
	})
	return step
}

// proposed proposes a step as its executor does: by exactly what the answer names.
func proposed(c *servertest.Client, s *pb.CompensationStep) *pb.ProposeOperationResponse {
	c.TB.Helper()
	m := c.Propose(s.Tool, s.ArgumentsJson, func(r *pb.ProposeOperationRequest) { r.Occurrence, r.WorkflowId, r.RunId = s.Occurrence, "", "" })
	if m.Permit != nil {
		c.Begin(m.Permit)
	}
	return m
}

// ended waits until the operation is in the state.
func endsAs(t *testing.T, c *servertest.Client, id string, want pb.Operation_State) *pb.Operation {
	t.Helper()
	var o *pb.Operation
	eventually(t, id+" is "+want.String(), func() bool { o = c.Operation(id); return o.State == want })
	return o
}

// TestFC408TheCompensationKnowsTheOriginal: undoing is a side effect like any other. It takes what it needs from the
// record, not from the memory of the run that captured; it survives every server; and asked for again, it is the same.
func TestFC408TheCompensationKnowsTheOriginal(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		p := newProvider(t)
		c := serve(w)
		undoable(t, c)
		id, charge := charged(c, p)
		ticket := c.Execute("ticket.create", `{"project":"OPS","ref":"order_123","title":"seats"}`)
		c.Reported(ticket, servertest.Rejected("sold_out"))
		inState(t, c.Operation(ticket.OperationId), pb.Operation_STATE_FAILED_PERMANENT)

		w.Restart() // every process that knew of the charge is gone
		c = w.Serve()
		o := undone(t, c, id)
		inState(t, o, pb.Operation_STATE_COMPENSATING)
		if s := o.CompensationSteps; len(s) != 1 || s[0].Status != pb.CompensationStep_STATUS_PLANNED ||
			s[0].ArgumentsJson != `{"amount":"49.00","charge":"`+charge+`","order_id":"order_123"}` {
			t.Fatalf("the steps are %v", s)
		}

		w.Restart() // whoever was asked is gone, too: the steps are recorded
		c = w.Serve()
		stop := w.Dispatch()
		step := stepBegun(t, c, id)
		m := proposed(c, step)
		decided(t, m, pb.Decision_DECISION_EXECUTE)
		sameOperation(t, m.Permit.OperationId, step.OperationId)
		effect := p.did(m.Permit, -4900)
		c.Reported(m.Permit, servertest.Ambiguous())
		inState(t, c.Operation(step.OperationId), pb.Operation_STATE_UNKNOWN_OUTCOME)
		stop()

		w.Restart()
		c = w.Serve()
		stop = w.Dispatch()
		for range 2 {
			o = undone(t, c, id)
			inState(t, o, pb.Operation_STATE_COMPENSATING)
			if len(o.CompensationSteps) != 1 {
				t.Fatalf("the steps are %v", o.CompensationSteps)
			}
			sameOperation(t, o.CompensationSteps[0].OperationId, step.OperationId)
		}
		m = proposed(c, step)
		decided(t, m, pb.Decision_DECISION_RECONCILING)
		p.counts(2) // nothing was sent on a guess
		c.Settle(step.OperationId, servertest.Looked(m.Lookup, pb.Verdict_VERDICT_HAPPENED, effect))
		o = endsAs(t, c, id, pb.Operation_STATE_COMPENSATED)
		stop()

		refunded := c.Operation(step.OperationId)
		inState(t, refunded, pb.Operation_STATE_COMPLETED_SUCCESS)
		sameOperation(t, refunded.CompensatesOperationId, id)
		sameOperation(t, o.CompensationSteps[0].OperationId, refunded.OperationId)
		if o.Effects[0].UndoTime == nil || refunded.IdempotencyKey == o.IdempotencyKey {
			t.Errorf("%v, by %s", o.Effects, refunded.IdempotencyKey)
		}
		inState(t, undone(t, c, id), pb.Operation_STATE_COMPENSATED)
		decided(t, c.Propose("payment.capture", capture), pb.Decision_DECISION_REPLAYED)
		p.counts(2)
		if made := p.of(step.OperationId); len(made) != 1 {
			t.Errorf("the step made %v", made)
		}
	})
}

// TestFC408ALastingFailureAsksAPerson: a refund that its provider refuses for good leaves the original compensating, and a
// person, whom the playbook names, is asked. Her corrected try takes the step's place.
func TestFC408ALastingFailureAsksAPerson(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		p := newProvider(t)
		c := serve(w)
		undoable(t, c)
		id, charge := charged(c, p)
		undone(t, c, id)
		defer w.Dispatch()()
		step := stepBegun(t, c, id)
		first := proposed(c, step)
		c.Reported(first.Permit, servertest.Rejected("charge_disputed"))
		var o *pb.Operation
		eventually(t, "a person is asked", func() bool { o = c.Operation(id); return o.NeedsHuman != nil })
		inState(t, o, pb.Operation_STATE_COMPENSATING)
		if o.NeedsHuman.Owner != "payments-oncall" || o.CompensationSteps[0].Status != pb.CompensationStep_STATUS_FAILED {
			t.Errorf("%v, %v", o.NeedsHuman, o.CompensationSteps)
		}
		says(t, o.Result.ModelMessage, "person", "Do not call again")

		second := c.Execute(step.Tool, `{"order_id":"order_123","charge":"`+charge+`","amount":"48.00"}`, func(r *pb.ProposeOperationRequest) {
			r.Occurrence = step.Occurrence
			r.Revise = &pb.Revise{Predecessor: &pb.Revise_OperationId{OperationId: step.OperationId}, Reason: "a fee was kept back"}
		})
		c.Reported(second, servertest.Succeeded(p.did(second, -4800), `{}`))
		o = endsAs(t, c, id, pb.Operation_STATE_COMPENSATED)
		sameOperation(t, o.CompensationSteps[0].OperationId, second.OperationId)
		p.counts(2)
	})
}

// TestCompensationIsRefusedWithItsReason: what cannot be undone by a playbook is refused, nothing changes, and the message
// says why.
func TestCompensationIsRefusedWithItsReason(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		p := newProvider(t)
		c := serve(w)
		id, _ := charged(c, p)
		no := func(words ...string) {
			t.Helper()
			before := c.Operation(id)
			_, err := c.CompensateOperation(t.Context(), compensateRequest(id))
			refused(t, err, codes.FailedPrecondition, "COMPENSATION_NOT_POSSIBLE")
			says(t, err.Error(), words...)
			if after := c.Operation(id); after.Etag != before.Etag {
				t.Errorf("a refusal changed the operation")
			}
		}
		no("no playbook")
		undoable(t, c, func(b *pb.Playbook) { b.Precondition = `result.status == "settled"` })
		no("precondition", "does not hold")
		undoable(t, c, func(b *pb.Playbook) { b.Precondition = `result.batch > 3` })
		no("cannot be asked")
		undoable(t, c, func(b *pb.Playbook) {
			b.Steps[0].ArgumentsTemplate = `{"order_id": "{args.order_id}", "charge": "{effect.id}", "amount": 49}`
		})
		no("charge.refund", "does not take")
		undoable(t, c, func(b *pb.Playbook) {
			b.Steps[0].ArgumentsTemplate = `{"order_id": "{args.order_id}", "charge": "{effect.id}", "amount": "{result.total}"}`
		})
		no("{result.total} has no value")
		undoable(t, c, func(b *pb.Playbook) { b.Steps[0].Tool = "charge.void" })
		no("no tool charge.void")

		undoable(t, c)
		outdated := compensateRequest(id)
		outdated.Etag = "v1"
		_, err := c.CompensateOperation(t.Context(), outdated)
		refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		_, err = c.CompensateOperation(t.Context(), compensateRequest("op_none"))
		refused(t, err, codes.NotFound, "OPERATION_NOT_FOUND")
		p.counts(1)
	})
}

// TestAToolThatCouldNotUndoIsNotApplied: what a playbook names is held against the other tools when either is applied.
func TestAToolThatCouldNotUndoIsNotApplied(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		d := fieldTool(t, "payment.capture")
		d.Playbook = &pb.Playbook{Steps: []*pb.PlaybookStep{{Name: "mail", Tool: "email.send", ArgumentsTemplate: `{}`}}}
		_, err := c.TryApply(d)
		refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION", "definition.playbook.steps[0].tool")
		d.Playbook.Steps[0].Tool = "order.get"
		_, err = c.TryApply(d)
		refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION", "definition.playbook.steps[0].tool")
		d.Playbook.Steps[0].Tool = "charge.void"
		m, err := c.TryApply(d)
		if err != nil || len(m.Warnings) == 0 || m.Warnings[0].Code != "unknown_step_tool" {
			t.Errorf("%v, %v", m.GetWarnings(), err)
		}
		undoable(t, c)
		step := servertest.Definitions(t, chargeRefund)["charge.refund"]
		step.Identity.Occurrence = pb.OccurrencePolicy_OCCURRENCE_POLICY_NOBODY
		step.Identity.Change = &pb.IdentityChange{Relation: &pb.IdentityChange_Continues{Continues: &pb.IdentityContinues{}}}
		_, err = c.TryApply(step)
		refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION", "definition.identity.occurrence")
	})
}

// TestAStepThatIsHeldUpWaits: a pause is a "no" about now. The step waits with its reason, and goes on by itself.
func TestAStepThatIsHeldUpWaits(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		p := newProvider(t)
		c := serve(w)
		undoable(t, c)
		id, _ := charged(c, p)
		scope := toolScope("charge.refund")
		policies := pb.NewPolicyServiceClient(c.Conn)
		if _, err := policies.PauseScope(t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: scope, Reason: "the bank is closed"}); err != nil {
			t.Fatal(err)
		}
		undone(t, c, id)
		defer w.Dispatch()()
		var step *pb.CompensationStep
		eventually(t, "the step waits", func() bool { step = c.Operation(id).CompensationSteps[0]; return step.WaitsFor != "" })
		says(t, step.WaitsFor, "the bank is closed")
		if step.Status != pb.CompensationStep_STATUS_PLANNED || step.OperationId != "" {
			t.Errorf("%v", step)
		}
		if _, err := policies.ResumeScope(t.Context(), &pb.ResumeScopeRequest{RequestId: uuid.NewString(), Scope: scope, Reason: "it is open"}); err != nil {
			t.Fatal(err)
		}
		w.Pass(10 * time.Minute)
		m := proposed(c, stepBegun(t, c, id))
		c.Reported(m.Permit, servertest.Succeeded(p.did(m.Permit, -4900), `{}`))
		endsAs(t, c, id, pb.Operation_STATE_COMPENSATED)
		p.counts(2)
	})
}
