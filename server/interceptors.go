package server

import (
	"context"
	"errors"
	"log/slog"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/auth"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/logging"
	protovalidatemw "github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/protovalidate"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// call is what is known of a call beside its message: who asks, and what they may see.
type call struct {
	callers.Caller
	sensitive bool // may read what a tool marks sensitive
}

type callKey struct{}

// callOf finds who asks. Interceptors have put it there for every method of the API.
func callOf(ctx context.Context) call {
	c, _ := ctx.Value(callKey{}).(call)
	return c
}

func (s *Server) mayReadSensitive(ctx context.Context) bool { return callOf(ctx).sensitive }

// namespace is the caller's namespace. It comes from the credential alone.
func (c call) namespace() ledger.Namespace { return c.Namespace }

// actor is the caller as the core knows who asks: by principal, person and teams.
func (c call) actor() ledger.Actor {
	return ledger.Actor{Principal: c.Principal, Person: c.Person, Teams: c.Teams, Local: c.Local}
}

// open are services that need no credential: they tell nothing of any namespace.
var open = []string{"/grpc.health.v1.Health/", "/grpc.reflection.v1.ServerReflection/", "/grpc.reflection.v1alpha.ServerReflection/"}

func isOpen(method string) bool {
	return slices.ContainsFunc(open, func(prefix string) bool { return strings.HasPrefix(method, prefix) })
}

// authenticate lets a caller in and checks the method's right.
func (s *Server) authenticate(ctx context.Context, method string) (context.Context, error) {
	if isOpen(method) {
		return ctx, nil
	}
	caller, err := s.config.Callers.Authenticate(ctx)
	if err != nil {
		var no *callers.UnauthenticatedError
		if errors.As(err, &no) {
			return nil, fail(codes.Unauthenticated, pb.ErrorReason_ERROR_REASON_UNAUTHENTICATED, no.Message, nil)
		}
		s.log.ErrorContext(ctx, "callers could not be told apart", "error", err)
		return nil, fail(codes.Internal, pb.ErrorReason_ERROR_REASON_INTERNAL, "the credential could not be checked; ask again, and tell the operators", nil)
	}
	roles, listed := rights[method]
	if !listed && strings.HasPrefix(method, "/opledger.v1.") {
		return nil, unimplemented()
	}
	if !slices.ContainsFunc(roles, caller.May) {
		return nil, fail(codes.PermissionDenied, pb.ErrorReason_ERROR_REASON_PERMISSION_DENIED,
			"the credential of "+string(caller.Principal)+" may not do this; "+path.Base(method)+" needs the role "+joinRoles(roles), nil)
	}
	return context.WithValue(ctx, callKey{}, call{Caller: caller, sensitive: caller.May(callers.ReadSensitive)}), nil
}

func joinRoles(roles []callers.Role) string {
	words := make([]string, len(roles))
	for i, r := range roles {
		words[i] = string(r)
	}
	return strings.Join(words, " or ")
}

// validator holds requests to the rules in their protos; batches hold each item to them by itself. Servers of one process
// share it: what it compiles of a message's rules is the same for all of them.
var validator = protovalidate.GlobalValidator

// unaryInterceptors are the shared path of every call, from the outside to the inside: measured, logged, recovered,
// bounded in time, let in, checked.
func (s *Server) unaryInterceptors() []grpc.UnaryServerInterceptor {
	return []grpc.UnaryServerInterceptor{
		s.measureUnary,
		logging.UnaryServerInterceptor(s.logger(), logging.WithLogOnEvents(logging.FinishCall), logging.WithLevels(levelOf), logging.WithDisableLoggingFields("peer.address")),
		recovery.UnaryServerInterceptor(recovery.WithRecoveryHandlerContext(s.recovered)),
		boundUnary,
		func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			return auth.UnaryServerInterceptor(func(ctx context.Context) (context.Context, error) {
				return s.authenticate(ctx, info.FullMethod)
			})(ctx, req, info, next)
		},
		s.explainUnary,
		refuseUnreadable,
		protovalidatemw.UnaryServerInterceptor(validator),
	}
}

func (s *Server) streamInterceptors() []grpc.StreamServerInterceptor {
	return []grpc.StreamServerInterceptor{
		s.measureStream,
		logging.StreamServerInterceptor(s.logger(), logging.WithLogOnEvents(logging.FinishCall), logging.WithLevels(levelOf), logging.WithDisableLoggingFields("peer.address")),
		recovery.StreamServerInterceptor(recovery.WithRecoveryHandlerContext(s.recovered)),
		func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
			return auth.StreamServerInterceptor(func(ctx context.Context) (context.Context, error) {
				return s.authenticate(ctx, info.FullMethod)
			})(srv, stream, info, next)
		},
		func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
			return s.explain(stream.Context(), next(srv, stream))
		},
		protovalidatemw.StreamServerInterceptor(validator),
	}
}

// logger writes calls without their messages: arguments may be sensitive.
func (s *Server) logger() logging.Logger {
	return logging.LoggerFunc(func(ctx context.Context, level logging.Level, message string, fields ...any) {
		s.log.Log(ctx, slog.Level(level), message, fields...)
	})
}

// levelOf: what a caller did wrong is no trouble of the server's.
func levelOf(code codes.Code) logging.Level {
	switch code {
	case codes.Internal, codes.Unknown, codes.DataLoss:
		return logging.LevelError
	case codes.Unavailable, codes.ResourceExhausted, codes.DeadlineExceeded:
		return logging.LevelWarn
	}
	return logging.LevelDebug
}

// recovered answers a panic of a handler as INTERNAL, and logs where it came from.
func (s *Server) recovered(ctx context.Context, p any) error {
	s.log.ErrorContext(ctx, "a handler panicked", "panic", p, "stack", string(debug.Stack()))
	return fail(codes.Internal, pb.ErrorReason_ERROR_REASON_INTERNAL, "something failed inside; ask again, unchanged, and tell the operators", nil)
}

// boundUnary gives every call a deadline.
func boundUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	bound := MaxDeadline
	if _, stated := ctx.Deadline(); !stated {
		bound = DefaultDeadline + waitOf(req)
	}
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	return next(ctx, req)
}

// refuseUnreadable refuses a request that the codec has marked.
func refuseUnreadable(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if why, marked := whyUnreadable(req); marked {
		if why == tooLarge {
			return nil, fail(codes.ResourceExhausted, pb.ErrorReason_ERROR_REASON_TOO_LARGE, why, nil)
		}
		return nil, fail(codes.InvalidArgument, pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, why, nil)
	}
	return next(ctx, req)
}

// validate holds one message to the rules in its proto.
func (s *Server) validate(ctx context.Context, m proto.Message) error {
	err := validator.Validate(m)
	var violations *protovalidate.ValidationError
	if errors.As(err, &violations) {
		return requestFaults(violations.ToProto())
	}
	if err != nil {
		return s.statusOf(ctx, err)
	}
	return nil
}

// explainUnary turns whatever a handler or a check answers into a status with its reason.
func (s *Server) explainUnary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	reply, err := next(ctx, req)
	return reply, s.explain(ctx, err)
}

func (s *Server) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	st, ok := status.FromError(err)
	if !ok {
		return s.statusOf(ctx, err)
	}
	for _, detail := range st.Details() {
		if v, broken := detail.(*validate.Violations); broken {
			return requestFaults(v)
		}
	}
	if st.Code() == codes.Unimplemented && len(st.Details()) == 0 {
		return unimplemented()
	}
	return err
}

// unimplemented is the answer of what a later release builds.
func unimplemented() error {
	return fail(codes.Unimplemented, pb.ErrorReason_ERROR_REASON_UNIMPLEMENTED_IN_THIS_RELEASE, "this release does not do that yet; ask a server of a later one", nil)
}

// requestFaults refuses a request by the rules in its proto, one violation per field.
func requestFaults(v *validate.Violations) error {
	bad := &errdetails.BadRequest{}
	message := "the request is not valid"
	for i, violation := range v.GetViolations() {
		field := protovalidate.FieldPathString(violation.GetField())
		if i == 0 {
			message += ": " + field + ": " + violation.GetMessage()
		}
		bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
			Field: field, Description: violation.GetMessage(), Reason: strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(violation.GetRuleId())),
		})
	}
	return fail(codes.InvalidArgument, pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, message, nil, bad)
}

func (s *Server) measureUnary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	began := s.config.Clock()
	reply, err := next(ctx, req)
	s.config.Observer.RPC(info.FullMethod, status.Code(err).String(), s.config.Clock().Sub(began))
	return reply, err
}

func (s *Server) measureStream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	began := s.config.Clock()
	err := next(srv, stream)
	s.config.Observer.RPC(info.FullMethod, status.Code(err).String(), s.config.Clock().Sub(began))
	return err
}
