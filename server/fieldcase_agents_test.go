package server_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// agentCases: agents and frameworks that call twice.
var agentCases = []fieldCase{
	{"FC-101", longCallIsDispatchedAgain},
	{"FC-104", callIDIsTakenAsTheKey},
	{"FC-105", providerRepeatsCallIDs},
	{"FC-107", modelInventsKeys},
	{"FC-109", wantedRepetition},
	{"FC-112", cancelledSaysTheClient},
}

// longCallIsDispatchedAgain: a call runs for 200 s, and at 180 s a second run takes it up from its checkpoint.
func longCallIsDispatchedAgain(t *testing.T, w *servertest.World) {
	c := serve(w)
	p := c.Execute("email.send", mail)
	for range 9 {
		w.Pass(20 * time.Second)
		c.Extend(p, time.Minute)
	}
	second := c.Propose("email.send", mail, from("wf_1", "run_2"))
	decided(t, second, pb.Decision_DECISION_IN_FLIGHT)
	if h := second.Holder; h.GetAttemptId() != p.AttemptId || h.RunId != "run_1" || h.Until == nil || h.Remaining.AsDuration() <= 0 || !h.Begun {
		t.Fatalf("the holder and its deadline are to be told: %v", second.Holder)
	}
	w.Pass(20 * time.Second)
	c.Reported(p, servertest.Succeeded("msg_1", `{"id":"msg_1"}`))
	last := c.Propose("email.send", mail, from("wf_1", "run_2"))
	decided(t, last, pb.Decision_DECISION_REPLAYED)
	if last.Result.ResultJson != `{"id":"msg_1"}` {
		t.Fatalf("the recorded result is the answer: %v", last.Result)
	}
	attempts(t, c.Operation(p.OperationId), 1)

	// Had the first run stopped extending, nobody would know.
	const other = `{"template":"receipt","ref":"order_124","to":["kim@example.com"]}`
	silent := c.Execute("email.send", other)
	w.Pass(180 * time.Second)
	decided(t, c.Propose("email.send", other, from("wf_1", "run_2")), pb.Decision_DECISION_RECONCILING)
	inState(t, c.Operation(silent.OperationId), pb.Operation_STATE_UNKNOWN_OUTCOME)
}

// callIDIsTakenAsTheKey: a retried model turn has another call id and the same arguments.
func callIDIsTakenAsTheKey(t *testing.T, w *servertest.World) {
	c := serve(w)
	first := c.Propose("refund.create", refund, called("call_A"))
	decided(t, first, pb.Decision_DECISION_EXECUTE)
	again := c.Propose("refund.create", refund, called("call_B"))
	decided(t, again, pb.Decision_DECISION_IN_FLIGHT)
	sameOperation(t, first.Result.OperationId, again.Result.OperationId)
	w.Pass(61 * time.Second)
	late := c.Propose("refund.create", refund, called("call_C"))
	decided(t, late, pb.Decision_DECISION_RECONCILING)
	sameOperation(t, first.Result.OperationId, late.Result.OperationId)

	for _, component := range []string{"tool_call_id", "run_id"} {
		d := fieldTool(t, "refund.create")
		d.Name = "refund.by_" + component
		d.Identity.KeyTemplate = "refund:{order_id}:{" + component + "}:{occurrence}"
		_, err := c.TryApply(d)
		refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION")
		says(t, status.Convert(err).Message(), component)
	}
}

// providerRepeatsCallIDs: the model numbers its calls from zero in each turn.
func providerRepeatsCallIDs(t *testing.T, w *servertest.World) {
	c := serve(w)
	first := c.Propose("ticket.create", `{"project":"OPS","ref":"a1","title":"Disk"}`, called("call_0"))
	second := c.Propose("ticket.create", `{"project":"OPS","ref":"a2","title":"Disk"}`, called("call_0"))
	decided(t, first, pb.Decision_DECISION_EXECUTE)
	decided(t, second, pb.Decision_DECISION_EXECUTE)
	otherOperation(t, first.Result.OperationId, second.Result.OperationId)
	third := c.Propose("ticket.create", `{"project":"OPS","ref":"a1","title":"Disk"}`, called("call_0"))
	decided(t, third, pb.Decision_DECISION_IN_FLIGHT)
	sameOperation(t, first.Result.OperationId, third.Result.OperationId)
}

// modelInventsKeys: the tool's schema has a key of its own, and the model makes a fresh one for each try.
func modelInventsKeys(t *testing.T, w *servertest.World) {
	c := serve(w)
	p := c.Execute("payment.capture", `{"order_id":"order_123","amount":"49.00","currency":"USD","idempotency_key":"k-1"}`)
	c.Reported(p, servertest.Ambiguous())
	second := c.Propose("payment.capture", `{"order_id":"order_123","amount":"49.00","currency":"USD","idempotency_key":"k-2"}`)
	decided(t, second, pb.Decision_DECISION_RECONCILING)
	sameOperation(t, p.OperationId, second.Result.OperationId)
	if len(second.IgnoredDifferences) != 1 || second.IgnoredDifferences[0] != "/idempotency_key" {
		t.Errorf("the answer names what differs and does not count: %v", second.IgnoredDifferences)
	}
	if k := p.VendorIdempotencyKey; k == "" || k == "k-1" || k == "k-2" {
		t.Errorf("the provider is to see the ledger's key, not %q", k)
	}
}

// wantedRepetition: a second item comes back, and the refund is wanted once more.
func wantedRepetition(t *testing.T, w *servertest.World) {
	c := serve(w)
	const five = `{"order_id":"order_123","amount":"5.00","currency":"USD"}`
	p := c.Execute("refund.create", five)
	c.Reported(p, servertest.Succeeded("re_1", `{"id":"re_1"}`))
	plain := c.Propose("refund.create", five)
	decided(t, plain, pb.Decision_DECISION_REPLAYED)
	sameOperation(t, p.OperationId, plain.Result.OperationId)
	if plain.Result.EffectTime == nil {
		t.Error("a replay says when the effect happened")
	}
	says(t, plain.Result.SafeUserMessage, "already done", "no new one was made")

	item := c.Execute("refund.create", five, occurrence("item_2"))
	otherOperation(t, p.OperationId, item.OperationId)
	c.Reported(item, servertest.Succeeded("re_2", `{"id":"re_2"}`))
	repeated := c.Propose("refund.create", five, occurrence("item_2"))
	decided(t, repeated, pb.Decision_DECISION_REPLAYED)
	sameOperation(t, item.OperationId, repeated.Result.OperationId)
}

// cancelledSaysTheClient: a client gives up, and the world goes on. An operation that waits for a worker comes with the
// release that has workers; of what waits undispatched this one has the retryable failure.
func cancelledSaysTheClient(t *testing.T, w *servertest.World) {
	begun := make(chan string, 16)
	c := serve(w, func(c *server.Config) { c.Observer = decisions(begun) })
	p := c.Execute("email.send", mail)
	cancelled, err := c.CancelOperation(t.Context(), &pb.CancelOperationRequest{OperationId: p.OperationId, RequestId: uuid.NewString()})
	if err != nil {
		t.Fatal(err)
	}
	inState(t, cancelled.Operation, pb.Operation_STATE_DISPATCHED)
	if cancelled.Operation.CancelWish == nil || cancelled.Result.DispatchStatus != pb.DispatchStatus_DISPATCH_STATUS_PERMIT_OUT {
		t.Fatalf("the wish stands, a permit is out and the outcome open: %v", cancelled)
	}
	w.Pass(2 * time.Second)
	inState(t, c.Reported(p, servertest.Succeeded("msg_1", `{}`)).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)

	t.Run("an ended call changes nothing", func(t *testing.T) {
		const other = `{"template":"receipt","ref":"order_124","to":["kim@example.com"]}`
		p := c.Execute("email.send", other)
		before := c.Operation(p.OperationId)
		for len(begun) > 0 {
			<-begun
		}
		ctx, giveUp := context.WithCancel(t.Context())
		go func() {
			<-begun // it is decided, and waits
			giveUp()
		}()
		waiting := servertest.Proposal("email.send", other, func(r *pb.ProposeOperationRequest) { r.Wait = durationpb.New(time.Minute) })
		if _, err := c.ProposeOperation(ctx, waiting); status.Code(err) != codes.Canceled {
			t.Fatalf("the caller has given up: %v", err)
		}
		short, done := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer done()
		waiting.RequestId = uuid.NewString()
		m, err := c.ProposeOperation(short, waiting)
		if err != nil && !errors.Is(short.Err(), context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if err == nil {
			decided(t, m, pb.Decision_DECISION_IN_FLIGHT)
		}
		after := c.Operation(p.OperationId)
		if after.Version != before.Version || after.CancelWish != nil {
			t.Fatalf("a call that ended changed version %d to %d", before.Version, after.Version)
		}
	})

	t.Run("before dispatch it is a fact", func(t *testing.T) {
		const third = `{"template":"receipt","ref":"order_125","to":["kim@example.com"]}`
		p := c.Execute("email.send", third)
		inState(t, c.Reported(p, servertest.NotSent()).Operation, pb.Operation_STATE_FAILED_RETRYABLE)
		m, err := c.CancelOperation(t.Context(), &pb.CancelOperationRequest{OperationId: p.OperationId, RequestId: uuid.NewString()})
		if err != nil {
			t.Fatal(err)
		}
		inState(t, m.Operation, pb.Operation_STATE_FAILED_PERMANENT)
		if m.Operation.Failure.GetCategory() != pb.FailureCategory_FAILURE_CATEGORY_CANCELLED {
			t.Fatalf("it failed by %v", m.Operation.Failure)
		}
		w.Pass(time.Hour)
		decided(t, c.Propose("email.send", third), pb.Decision_DECISION_REPLAYED)
	})
}

// decisions is an observer that tells of each decision.
type decisions chan string

func (d decisions) Decision(_, _, decision string) {
	select {
	case d <- decision:
	default: // nobody listens
	}
}
func (decisions) Incident(string)                   {}
func (decisions) RPC(string, string, time.Duration) {}
