package server

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/registry"
)

// domain is the domain of every google.rpc.ErrorInfo.
const domain = "opledger"

// overloadRetry is how long a refused caller should wait: longer than a full queue takes to empty.
const overloadRetry = 500 * time.Millisecond

var codeOf = map[ledger.Code]codes.Code{
	ledger.CodeInvalidArgument: codes.InvalidArgument, ledger.CodeNotFound: codes.NotFound,
	ledger.CodeFailedPrecondition: codes.FailedPrecondition, ledger.CodePermissionDenied: codes.PermissionDenied,
	ledger.CodeAlreadyExists: codes.AlreadyExists, ledger.CodeUnimplemented: codes.Unimplemented, ledger.CodeAborted: codes.Aborted,
}

// fail makes a status with its stable reason.
func fail(code codes.Code, reason pb.ErrorReason, message string, metadata map[string]string, details ...protoadapt.MessageV1) error {
	st := status.New(code, message)
	info := &errdetails.ErrorInfo{Reason: strings.TrimPrefix(reason.String(), "ERROR_REASON_"), Domain: domain, Metadata: metadata}
	with, err := st.WithDetails(append([]protoadapt.MessageV1{info}, details...)...)
	if err != nil {
		return st.Err() // details that cannot be packed are left out, never the error itself
	}
	return with.Err()
}

// argumentFaults refuses arguments with one violation per fault, each naming the JSON pointer.
func argumentFaults(field, tool string, faults canon.Faults) error {
	bad := &errdetails.BadRequest{}
	for _, f := range faults {
		bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
			Field: field + f.Pointer, Description: f.Message, Reason: string(f.Reason),
		})
	}
	message := "the arguments are not what the tool takes"
	if tool != "" {
		message = "the arguments are not what the tool " + tool + " takes"
	}
	if len(faults) > 0 {
		message += ": " + strings.TrimSpace(faults[0].Pointer+" "+faults[0].Message)
	}
	return fail(codes.InvalidArgument, reasonOfFaults(faults), message, map[string]string{"tool": tool}, bad)
}

// reasonOfFaults: where nothing but numbers is wrong, which a double would change, the caller is to write them otherwise.
func reasonOfFaults(faults canon.Faults) pb.ErrorReason {
	for _, f := range faults {
		if !slices.Contains(inexact, f.Reason) {
			return pb.ErrorReason_ERROR_REASON_INVALID_ARGUMENTS
		}
	}
	return pb.ErrorReason_ERROR_REASON_NUMBER_NOT_EXACT
}

// proposalFaults refuses a proposal that its tool does not admit, one violation per fault. The reason is that of the first
// part that is wrong beside the arguments, if one is.
func proposalFaults(tool, arguments string, faults []registry.Fault) error {
	bad := &errdetails.BadRequest{}
	reason := pb.ErrorReason_ERROR_REASON_INVALID_ARGUMENTS
	for _, f := range faults {
		field := string(f.Field)
		if f.Field == registry.FieldArguments {
			field = arguments + f.Pointer
		}
		switch f.Reason {
		case registry.ReasonOccurrenceNotAllowed:
			reason = pb.ErrorReason_ERROR_REASON_OCCURRENCE_NOT_ALLOWED
		case registry.ReasonCallerKeyNotAllowed:
			reason = pb.ErrorReason_ERROR_REASON_CALLER_KEY_NOT_ALLOWED
		case registry.ReasonEntityMismatch:
			reason = pb.ErrorReason_ERROR_REASON_ENTITY_MISMATCH
		case canon.ReasonAbsentComponent, canon.ReasonNullComponent, canon.ReasonEmptyComponent:
			reason = pb.ErrorReason_ERROR_REASON_KEY_COMPONENT_EMPTY
		}
		bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{Field: field, Description: f.Message, Reason: string(f.Reason)})
	}
	first := bad.FieldViolations[0]
	return fail(codes.InvalidArgument, reason, "the tool "+tool+" does not take this: "+first.Field+": "+first.Description, map[string]string{"tool": tool}, bad)
}

// protoStatus is an error as a message, for the items of a batch.
func protoStatus(err error) *statuspb.Status { return status.Convert(err).Proto() }

// invalidField refuses one field of a request.
func invalidField(reason pb.ErrorReason, field, message string) error {
	return fail(codes.InvalidArgument, reason, message, nil, &errdetails.BadRequest{
		FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: field, Description: message}},
	})
}

// statusOf turns what went wrong below into a status. What is not meant for callers becomes INTERNAL without a word of
// SQL, arguments or secrets, and is logged where it happened.
func (s *Server) statusOf(ctx context.Context, err error) error {
	if _, ok := status.FromError(err); ok {
		return err
	}
	var refusal *ledger.Refusal
	var network net.Error
	switch {
	case errors.As(err, &refusal):
		return s.refusalStatus(ctx, refusal)
	case errors.Is(err, ledger.ErrNotFound):
		return fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_OPERATION_NOT_FOUND, "there is no such operation in this namespace; name one by the id that its answer gave, or propose it", nil)
	case errors.Is(err, transact.ErrOverloaded):
		return fail(codes.Unavailable, pb.ErrorReason_ERROR_REASON_OVERLOADED,
			"too many calls wait for the database; ask again after the stated time", nil, retryIn(overloadRetry))
	case errors.Is(err, transact.ErrClosed):
		return fail(codes.Unavailable, pb.ErrorReason_ERROR_REASON_DRAINING, "this server is stopping; ask again, of another one if there is one", nil, retryIn(overloadRetry))
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return status.FromContextError(ctx.Err()).Err()
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		return fail(codes.DeadlineExceeded, pb.ErrorReason_ERROR_REASON_DEADLINE_EXCEEDED,
			"the call's deadline passed; whether it was carried out is answered by asking again, unchanged", nil)
	case errors.Is(err, ledger.ErrUnknownCommit):
		return fail(codes.Unavailable, pb.ErrorReason_ERROR_REASON_DATABASE_UNAVAILABLE,
			"the database did not say whether the change was made; ask again, unchanged", nil, retryIn(overloadRetry))
	}
	s.log.ErrorContext(ctx, "a call failed inside", "error", err)
	if errors.As(err, &network) || errors.Is(err, ledger.ErrGivenUp) && !errors.Is(err, ledger.ErrLostWrite) {
		return fail(codes.Unavailable, pb.ErrorReason_ERROR_REASON_DATABASE_UNAVAILABLE,
			"the database cannot be reached; ask again, unchanged", nil, retryIn(overloadRetry))
	}
	return fail(codes.Internal, pb.ErrorReason_ERROR_REASON_INTERNAL, "something failed inside; ask again, unchanged, and tell the operators", nil)
}

func retryIn(d time.Duration) *errdetails.RetryInfo {
	return &errdetails.RetryInfo{RetryDelay: durationpb.New(d)}
}

// refusalStatus turns a refusal of the core into a status with its details.
func (s *Server) refusalStatus(ctx context.Context, r *ledger.Refusal) error {
	var details []protoadapt.MessageV1
	if len(r.Pointers) > 0 {
		bad := &errdetails.BadRequest{}
		for _, p := range r.Pointers {
			bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{Field: "arguments_json" + p, Description: r.Message})
		}
		details = append(details, bad)
	}
	details = append(details, contradictionsOf(r.Contradictions)...)
	if o := r.Operation; o != nil {
		result := resultOf(o, ledger.TellState(o, o.UpdatedAt), s.mayReadSensitive(ctx))
		switch r.Reason {
		case ledger.ReasonKeyReused:
			details = append(details, &pb.KeyReuseDetail{
				OperationId: string(o.ID), IdempotencyKey: string(o.Key), RecordedFingerprint: r.Metadata["recorded_fingerprint"],
				ProposedFingerprint: r.Metadata["proposed_fingerprint"], DifferingPointers: r.Pointers,
			})
		case ledger.ReasonStaleAttempt:
			d := &pb.StaleAttemptDetail{State: stateOf(o.State), OperationVersion: o.Version, Result: result}
			if live := o.LiveAttempt(); live != nil {
				d.LiveAttemptId = string(live.ID)
			}
			d.EvidenceId = r.Metadata["evidence_id"]
			details = append(details, d)
		default:
			details = append(details, &pb.OperationDetail{
				OperationId: string(o.ID), State: stateOf(o.State), OperationVersion: o.Version, Result: result,
			})
		}
	}
	return fail(codeOf[r.Code], reasonOf(r.Reason), r.Message, r.Metadata, details...)
}
