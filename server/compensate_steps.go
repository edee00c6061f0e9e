package server

import (
	"context"
	"errors"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/dispatch"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// stepTimeout bounds one proposal of a step. Its claim runs out later, so that nobody else proposes it meanwhile; if
// somebody does, the row of the step answers.
const stepTimeout = 15 * time.Second

// Compensations is the due work of compensations: steps whose turn has come, or of which something has become known. The
// server may be made after the dispatcher that runs it.
func Compensations(s func() *Server) dispatch.Records {
	return dispatch.Records{
		Kind: ledger.RecordStep,
		Command: func(_ context.Context, key ledger.RecordKey) (ledger.Command, error) {
			return &ledger.AdvanceStep{Key: key, Jitter: s().ids.jitter()}, nil
		},
		Told: func(key ledger.RecordKey, reply any) { s().stepAdvanced(key, reply.(*ledger.StepAdvanced)) },
	}
}

// stepAdvanced tells those who wait for the original, and proposes the step whose turn has come.
func (s *Server) stepAdvanced(key ledger.RecordKey, a *ledger.StepAdvanced) {
	if a.Changed {
		s.announce(a, nil)
	}
	if a.Propose == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
	defer cancel()
	if err := s.proposeStep(ctx, a); err != nil { // its claim runs out, and it is tried again
		s.log.Warn("a step of a compensation could not be proposed; it is tried again", "error", err, "namespace", key.Namespace, "step", key.ID)
	}
}

// proposeStep proposes a step on the road of every proposal: its tool's newest version, identity, policy, leases. A "no"
// about now leaves the step waiting.
func (s *Server) proposeStep(ctx context.Context, a *ledger.StepAdvanced) error {
	step := a.Propose
	ctx = context.WithValue(ctx, callKey{}, call{Caller: callers.Caller{
		Namespace: step.Namespace, Principal: a.By.Principal, Person: a.By.Person, Teams: a.By.Teams, Local: a.By.Local,
	}})
	p := s.newProposal(ctx, &pb.ProposeOperationRequest{
		RequestId: s.ids.fresh("undo_"), Tool: step.Tool, Occurrence: step.Occurrence(), WorkflowId: a.Original.WorkflowID,
		Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: string(step.Arguments)},
	})
	p.undoes = &ledger.Undoes{Original: step.Original, StepID: step.ID, Approval: step.Approval}
	reply, err := p.run(ctx)
	var refusal *ledger.Refusal
	postpone := &ledger.PostponeStep{Key: step.Key(), Jitter: s.ids.jitter()}
	answer, _ := reply.(*ledger.Answer)
	switch {
	case answer != nil && answer.Operation != nil:
		return nil
	case answer != nil:
		postpone.Because, postpone.After = answer.Because, answer.RetryAfter
	case errors.As(err, &refusal):
		postpone.Because = refusal.Message
	case isRefusal(err):
		postpone.Because = status.Convert(err).Message()
	default:
		return err
	}
	reply, err = s.config.Ledger.Do(ctx, postpone)
	s.announce(reply, err)
	return err
}

// isRefusal reports whether an error says that the proposal is not accepted as things are, rather than that it could not
// be asked.
func isRefusal(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.FailedPrecondition, codes.PermissionDenied, codes.NotFound:
		return true
	}
	return false
}

// undoing reports whether an occurrence is that of a step. It comes from a playbook, which is the approval that a repeat
// grant would be; the ledger lets nobody make another operation of that name.
func undoing(occurrence string) bool { return strings.HasPrefix(occurrence, ledger.UndoPrefix) }
