package crashtest

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// margin is what an executor keeps between its last look at the clock and the permit's end.
const margin = 100 * time.Millisecond

// agent is one client that does what agents do, and dies where agents die. Dying is leaving the step: the next one knows
// nothing of it.
type agent struct {
	tb       testing.TB
	api      pb.OperationServiceClient
	random   *rand.Rand
	provider *provider
	journal  *journal
	intents  *atomic.Int64 // how many intents exist by now; it grows with the rounds
	careful  bool          // it does not die any more
}

// dies decides whether the agent dies here.
func (a *agent) dies(share float64) bool { return !a.careful && a.random.Float64() < share }

// id makes a UUID from the agent's own randomness.
func (a *agent) id() string {
	var b [16]byte
	for i := range b {
		b[i] = byte(a.random.UintN(256))
	}
	id, err := uuid.FromBytes(b[:])
	if err != nil {
		a.tb.Fatal(err)
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}

// again calls until the server has answered, whatever becomes of its process meanwhile: the same request, unchanged.
func again[Reply any](ctx context.Context, call func(context.Context, ...grpc.CallOption) (Reply, error)) (Reply, error) {
	for {
		m, err := call(ctx, grpc.WaitForReady(true))
		switch status.Code(err) {
		case codes.Unavailable, codes.ResourceExhausted, codes.Aborted:
			if ctx.Err() == nil {
				continue
			}
		}
		return m, err
	}
}

// work takes steps until the context ends.
func (a *agent) work(ctx context.Context) {
	for ctx.Err() == nil {
		a.step(ctx)
	}
}

// intent picks one, the newest ones more often as long as there are new ones.
func (a *agent) intent() (tool, ref, arguments string) {
	n := a.intents.Load()
	i := a.random.Int64N(n)
	if !a.careful {
		i = max(i, a.random.Int64N(n), a.random.Int64N(n))
	}
	switch i % 3 {
	case 0:
		ref = fmt.Sprint("m", i)
		return "mail.send", "mail " + ref, `{"ref":"` + ref + `"}`
	case 1:
		ref = fmt.Sprint("c", i)
		return "card.charge", "charge " + ref, `{"ref":"` + ref + `"}`
	}
	amount := fmt.Sprint(a.random.IntN(2))
	ref = fmt.Sprint("r", i)
	return "refund.pay", "refund " + ref + " " + amount, `{"ref":"` + ref + `","amount":"` + amount + `"}`
}

// step is one tool call: the proposal and what it allows.
func (a *agent) step(ctx context.Context) {
	tool, intent, arguments := a.intent()
	request := &pb.ProposeOperationRequest{
		RequestId: a.id(), WorkflowId: "wf_1", RunId: "run_1", Tool: tool,
		Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: arguments},
	}
	asked := time.Now()
	m, err := again(ctx, func(ctx context.Context, o ...grpc.CallOption) (*pb.ProposeOperationResponse, error) {
		asked = time.Now()
		return a.api.ProposeOperation(ctx, request, o...)
	})
	if !a.fine(ctx, "propose", err) {
		return
	}
	a.journal.told(m.Result.GetOperationId(), m.OperationVersion, m.Permit.GetAttemptId())
	switch {
	case m.Permit != nil:
		if !a.dies(0.1) {
			a.execute(ctx, intent, m.Permit, asked)
		}
	case m.Lookup != nil:
		if !a.dies(0.2) {
			a.lookUp(ctx, m.Result.OperationId, m.Lookup)
		}
	}
}

// execute acts under a permit.
func (a *agent) execute(ctx context.Context, intent string, p *pb.Permit, asked time.Time) {
	deadline := asked.Add(p.Remaining.AsDuration())
	nonce := []byte(hex.EncodeToString([]byte(a.id()))[:32])
	if p.BeginRequired {
		request := &pb.BeginAttemptRequest{OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, BeginNonce: nonce}
		m, err := again(ctx, func(ctx context.Context, o ...grpc.CallOption) (*pb.BeginAttemptResponse, error) {
			return a.api.BeginAttempt(ctx, request, o...)
		})
		if !a.fine(ctx, "begin", err, "PERMIT_EXPIRED", "BEGIN_NONCE_MISMATCH", "PERMIT_WITHDRAWN") {
			return
		}
		a.journal.told(p.OperationId, m.Begun.GetOperationVersion(), "")
	}
	if a.dies(0.1) || ctx.Err() != nil || time.Until(deadline) < margin {
		return
	}
	effect, replayed := a.provider.send(intent, p.VendorIdempotencyKey, p.ClientReference)
	if a.dies(0.15) {
		return
	}
	a.report(ctx, p, nonce, effect, replayed)
}

// report tells what came of it; sometimes the answer of the provider was lost on the way.
func (a *agent) report(ctx context.Context, p *pb.Permit, nonce []byte, effect string, replayed bool) {
	r := &pb.ReportAttemptRequest{OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, ReportId: a.id(), SenderReturned: true}
	if p.BeginRequired {
		r.BeginNonce = nonce
	}
	if a.dies(0.15) {
		r.Outcome = &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT}}
	} else {
		r.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
		r.Answer = &pb.ProviderAnswer{EffectId: effect, ResultJson: `{"effect":"` + effect + `"}`, ProviderReplayed: &replayed}
	}
	m, err := again(ctx, func(ctx context.Context, o ...grpc.CallOption) (*pb.ReportAttemptResponse, error) {
		return a.api.ReportAttempt(ctx, r, o...)
	})
	if a.fine(ctx, "report", err, "STALE_ATTEMPT") {
		a.journal.told(p.OperationId, m.Operation.GetVersion(), "")
	}
}

// lookUp asks the provider and hands its answer in.
func (a *agent) lookUp(ctx context.Context, operation string, l *pb.LookupInstruction) {
	q := l.Questions[0]
	e := &pb.Evidence{
		EvidenceId: a.id(), Verdict: pb.Verdict_VERDICT_DID_NOT_HAPPEN,
		Source: &pb.Evidence_Lookup{Lookup: &pb.LookupSource{LookupTicket: l.LookupTicket, By: q.By, Value: q.Value}},
	}
	if effect, found := a.provider.find(q.Value); found {
		e.Verdict, e.Attribution = pb.Verdict_VERDICT_HAPPENED, &pb.Attribution{ClientReference: q.Value}
		e.Answer = &pb.ProviderAnswer{EffectId: effect}
	}
	request := &pb.ReconcileRequest{OperationId: operation, RequestId: a.id(), Evidence: e}
	m, err := again(ctx, func(ctx context.Context, o ...grpc.CallOption) (*pb.ReconcileResponse, error) {
		return a.api.Reconcile(ctx, request, o...)
	})
	if a.fine(ctx, "reconcile", err) {
		a.journal.told(operation, m.Operation.GetVersion(), "")
	}
}

// fine reports whether a call was answered. A refusal is fine where it is one of those that belong to the game; it ends
// the step all the same.
func (a *agent) fine(ctx context.Context, what string, err error, expected ...string) bool {
	if err == nil {
		return true
	}
	if ctx.Err() != nil || status.Code(err) == codes.DeadlineExceeded || status.Code(err) == codes.Canceled {
		return false
	}
	reason := reasonOf(err)
	for _, e := range expected {
		if reason == e {
			return false
		}
	}
	a.tb.Errorf("%s: %v (%s)", what, err, reason)
	return false
}
