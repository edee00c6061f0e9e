package demo

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// maxPatience bounds the wait between two proposals where the answer names a longer one or none.
const maxPatience = 5 * time.Second

// leastPatience keeps the loop from asking in a tight circle where the answer names no time.
const leastPatience = 100 * time.Millisecond

// governedHands propose each call to the ledger and act on a permit that is present, never on anything else.
type governedHands struct {
	ledger   pb.OperationServiceClient
	provider *provider.Client
	workflow string
	runID    string
	say      func(note)
}

func (h *governedHands) do(ctx context.Context, call toolCall) (step, error) {
	answer, asked, err := h.propose(ctx, call)
	if err != nil {
		return step{}, err
	}
	switch {
	case answer.Permit != nil:
		return h.act(ctx, answer.Permit, asked)
	case answer.Lookup != nil:
		return h.lookUp(ctx, call, answer)
	case answer.Result.GetNextAction().GetKind() == pb.NextActionKind_NEXT_ACTION_KIND_USE_RESULT:
		return step{done: true, result: "the recorded result: " + answer.Result.ProviderObjectId + ", no new effect"}, nil
	}
	return step{wait: patience(answer.RetryAfter)}, nil
}

// propose puts a call to the ledger and shows the answer. It says since when a permit in there counts.
func (h *governedHands) propose(ctx context.Context, call toolCall) (answer *pb.ProposeOperationResponse, asked time.Time, err error) {
	h.say(note{Kind: noteCall, Tool: call.Tool, Text: "propose: " + call.Note})
	asked = time.Now()
	answer, err = h.ledger.ProposeOperation(ctx, &pb.ProposeOperationRequest{
		RequestId: uuid.NewString(), WorkflowId: h.workflow, RunId: h.runID, Tool: call.Tool,
		Arguments:   &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: call.Arguments},
		Correlation: &pb.Correlation{ToolCallId: call.ID, ThreadId: threadID},
	})
	if err != nil {
		return nil, asked, fmt.Errorf("propose %s: %w", call.Tool, err)
	}
	h.tell(call, answer)
	return answer, asked, nil
}

// act sends one request under a permit and reports what came of it.
func (h *governedHands) act(ctx context.Context, p *pb.Permit, asked time.Time) (step, error) {
	var nonce []byte
	if p.BeginRequired {
		n := uuid.New()
		nonce = n[:]
		begun, err := h.ledger.BeginAttempt(ctx, &pb.BeginAttemptRequest{
			OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, BeginNonce: nonce,
		})
		if err != nil || begun.Begun == nil {
			return step{why: "the begin was not accepted: nothing is sent"}, nil
		}
		h.say(note{Kind: noteLedger, Text: "begin accepted"})
	}
	// No request gets a longer time-out than what is left of the permit, counted from before it was asked for.
	left := time.Until(asked.Add(p.Remaining.AsDuration()))
	if left <= 0 {
		return step{why: "the permit has run out: nothing is sent"}, nil
	}
	sending, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	report := h.send(sending, p)
	report.OperationId, report.AttemptId, report.AttemptToken, report.BeginNonce = p.OperationId, p.AttemptId, p.AttemptToken, nonce
	report.ReportId, report.SenderReturned = uuid.NewString(), true
	if _, err := h.ledger.ReportAttempt(ctx, report); err != nil {
		return step{}, fmt.Errorf("report an attempt of %s: %w", p.Tool, err)
	}
	if _, ok := report.Outcome.(*pb.ReportAttemptRequest_Succeeded); ok {
		return step{done: true, result: "done: " + report.Answer.ProviderObjectId}, nil
	}
	return step{why: report.Message + " Reported as it is: not known. Propose again."}, nil
}

// send makes the provider's request of a permit, once, and says what came of it.
func (h *governedHands) send(ctx context.Context, p *pb.Permit) *pb.ReportAttemptRequest {
	a, err := parseArguments(p.DispatchArgumentsJson)
	if err != nil {
		return notSent("bad_arguments", err)
	}
	var id string
	var replayed bool
	if kind, moves := transferKinds[p.Tool]; moves {
		transfer, err := transferOf(kind, a, p.ProviderAccount)
		if err != nil {
			return notSent("bad_arguments", err)
		}
		transfer.IdempotencyKey, transfer.ClientReference = p.VendorIdempotencyKey, p.ClientReference
		h.say(note{Kind: noteCall, Text: "POST /v1/accounts/" + p.ProviderAccount + "/" + string(kind) + "s  " + keyShown(p)})
		made, again, err := h.provider.Transfer(ctx, transfer)
		if err != nil {
			return failed(err)
		}
		id, replayed = made.ID, again
	} else {
		h.say(note{Kind: noteCall, Text: "POST /v1/messages  " + keyShown(p)})
		sent, err := h.provider.Send(ctx, provider.Email{To: a.To, Subject: a.Subject, ClientReference: p.ClientReference})
		if err != nil {
			return failed(err)
		}
		id = sent.ID
	}
	return &pb.ReportAttemptRequest{
		Outcome: &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}},
		Answer:  &pb.ProviderAnswer{ProviderObjectId: id, RawStatusCode: "2xx", ProviderReplayed: &replayed, ResultJson: resultJSON(id)},
	}
}

// failed reads an error of the provider's client: what said no, what never left, and what nobody knows.
func failed(err error) *pb.ReportAttemptRequest {
	var status *provider.StatusError
	switch {
	case errors.As(err, &status) && status.Status < 500:
		return &pb.ReportAttemptRequest{
			Outcome: &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: fmt.Sprint(status.Status)}},
			Message: "The provider refused.",
		}
	case errors.Is(err, syscall.ECONNREFUSED):
		return notSent("connection_refused", err)
	}
	return &pb.ReportAttemptRequest{
		Outcome: &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT}},
		Message: fmt.Sprintf("No answer within %s.", callTimeout),
	}
}

func notSent(code string, err error) *pb.ReportAttemptRequest {
	return &pb.ReportAttemptRequest{
		Outcome: &pb.ReportAttemptRequest_NotSent{NotSent: &pb.OutcomeNotSent{Code: code}}, Message: err.Error(),
	}
}

func keyShown(p *pb.Permit) string {
	if p.VendorIdempotencyKey != "" {
		return p.VendorKeyHeader + ": " + cut(p.VendorIdempotencyKey)
	}
	return "client_reference: " + cut(p.ClientReference)
}

func resultJSON(id string) string { return fmt.Sprintf(`{"id":%q}`, id) }

// patience is how long to wait before the next proposal.
func patience(d *durationpb.Duration) time.Duration {
	return min(max(d.AsDuration(), leastPatience), maxPatience)
}

func seconds(d *durationpb.Duration) string { return fmt.Sprintf("%.1f s", d.AsDuration().Seconds()) }
