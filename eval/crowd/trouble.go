package crowd

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// rights are what an evaluation needs of a token.
const rights = "the roles administer, propose, execute and read, and no bound of tools"

// trouble says of an error at a server that is given what is to be done about it.
func (s *site) trouble(err error) error {
	if err == nil || s.given == "" {
		return err
	}
	said := status.Convert(err).Message()
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded:
		return fmt.Errorf("no server answers at %s: start one there, or name another with --server (https://host:port where it speaks TLS on loopback, http://host:port where it does not elsewhere): %s", s.given, said)
	case codes.Unauthenticated:
		return fmt.Errorf("the server at %s does not let the evaluation in: give it a token that it knows, by --token or OPLEDGER_TOKEN, with %s: %s", s.given, rights, said)
	case codes.PermissionDenied:
		return fmt.Errorf("the token may not do at %s what an evaluation does: it needs %s: %s", s.given, rights, said)
	}
	return fmt.Errorf("the server at %s: %w", s.given, err)
}

// admit asks whether the server would let each of the tools act now: a switch or a rule of the namespace may not.
func (s *site) admit(ctx context.Context, intents []*intent) error {
	api := pb.NewOperationServiceClient(s.conn)
	asked := map[string]bool{}
	for _, i := range intents {
		if asked[i.tool] {
			continue
		}
		asked[i.tool] = true
		m, err := api.ProposeOperation(ctx, &pb.ProposeOperationRequest{
			RequestId: uuid.NewString(), Tool: i.tool, Mode: pb.ProposalMode_PROPOSAL_MODE_PLAN_ONLY,
			Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: i.spellings[0]},
		})
		if err != nil {
			return s.trouble(err)
		}
		if would := m.Plan.GetDecision(); would != pb.Decision_DECISION_EXECUTE {
			return fmt.Errorf("%s would be answered %s%s: an evaluation needs a namespace that is not paused, and whose rules let the tools opledger_eval.* act",
				i.tool, strings.TrimPrefix(foreseen(would, m.Decision).String(), "DECISION_"), because(m))
		}
	}
	return nil
}

// foreseen is what would be decided, or was where nothing was planned.
func foreseen(would, was pb.Decision) pb.Decision {
	if would == pb.Decision_DECISION_UNSPECIFIED {
		return was
	}
	return would
}

// because names the rules that said no.
func because(m *pb.ProposeOperationResponse) string {
	verdicts := m.Plan.GetVerdicts()
	if m.DecidedBy != nil {
		verdicts = append(verdicts, m.DecidedBy)
	}
	var said []string
	for _, v := range verdicts {
		if v.Decision != pb.Decision_DECISION_UNSPECIFIED && !v.Shadow {
			said = append(said, v.RuleId+": "+v.Explanation)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, "; ") + ")"
}

// admitted lets a crowd act for as long as none of its calls is refused for want of a right: that would be no order which
// was tried.
func (s *site) admitted(ctx context.Context, act func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.refused = cancel
	err := act(ctx)
	switch why := context.Cause(ctx); {
	case err != nil:
		return err
	case why != nil:
		return s.trouble(why)
	}
	return nil
}

// watching ends the crowd when a call is refused for want of a right. To break leases is one that only persons have.
func (s *site) watching(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, next grpc.UnaryInvoker, options ...grpc.CallOption) error {
	err := next(ctx, method, request, reply, conn, options...)
	code := status.Code(err)
	if (code == codes.PermissionDenied || code == codes.Unauthenticated) && method != pb.LeaseService_BreakEntityLease_FullMethodName {
		s.refused(err)
	}
	return err
}
