package servertest

import (
	"context"
	"testing"

	"buf.build/go/protovalidate"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// checker holds every answer against what the API promises of all of them: replies keep the rules in their protos, only
// EXECUTE carries a permit, and errors bear a known reason of our domain and are never INTERNAL or UNKNOWN.
type checker struct {
	tb        testing.TB
	validator protovalidate.Validator
}

func newChecker(tb testing.TB) *checker {
	tb.Helper()
	v, err := protovalidate.New()
	if err != nil {
		tb.Fatal(err)
	}
	return &checker{tb: tb, validator: v}
}

func (c *checker) unary(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, next grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	err := next(ctx, method, req, reply, cc, opts...)
	if err != nil {
		c.refused(method, err)
		return err
	}
	c.answered(method, reply)
	return nil
}

func (c *checker) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, next grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := next(ctx, desc, cc, method, opts...)
	return &checkedStream{ClientStream: s, checker: c, method: method}, err
}

type checkedStream struct {
	grpc.ClientStream
	checker *checker
	method  string
}

func (s *checkedStream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if err == nil {
		s.checker.answered(s.method, m)
	} else if _, isStatus := status.FromError(err); isStatus {
		s.checker.refused(s.method, err)
	}
	return err
}

func (c *checker) answered(method string, reply any) {
	m, ok := reply.(proto.Message)
	if !ok {
		return
	}
	if err := c.validator.Validate(m); err != nil {
		c.tb.Errorf("%s: the answer breaks a rule of its proto: %v", method, err)
	}
	if p, ok := m.(*pb.ProposeOperationResponse); ok {
		c.proposed(p)
	}
}

// proposed holds what is true of each answer to a proposal.
func (c *checker) proposed(m *pb.ProposeOperationResponse) {
	if (m.Permit != nil) != (m.Decision == pb.Decision_DECISION_EXECUTE) {
		c.tb.Errorf("a permit is there exactly with EXECUTE: %v", m)
	}
	if m.Decision == pb.Decision_DECISION_UNSPECIFIED || m.Result.GetSafeUserMessage() == "" || m.Result.GetModelMessage() == "" ||
		m.Result.GetNextAction().GetKind() == pb.NextActionKind_NEXT_ACTION_KIND_UNSPECIFIED {
		c.tb.Errorf("an answer says what was decided, what is next, and what to say: %v", m)
	}
}

func (c *checker) refused(method string, err error) {
	st := status.Convert(err)
	switch st.Code() {
	case codes.OK, codes.Canceled, codes.DeadlineExceeded, codes.Unavailable: // these may be the client's own
		return
	case codes.Internal, codes.Unknown, codes.DataLoss:
		c.tb.Errorf("%s: %v; no request of a test may cause that", method, err)
		return
	}
	info := InfoOf(err)
	if info.GetDomain() != "opledger" || pb.ErrorReason_value["ERROR_REASON_"+info.GetReason()] == 0 {
		c.tb.Errorf("%s: %v bears no reason of the API's: %v", method, err, info)
	}
}

// InfoOf is the error's google.rpc.ErrorInfo, or nil.
func InfoOf(err error) *errdetails.ErrorInfo { return detailOf[*errdetails.ErrorInfo](err) }

// DetailOf is the error's first detail of a type, or its zero value.
func DetailOf[T proto.Message](err error) T { return detailOf[T](err) }

func detailOf[T proto.Message](err error) (none T) {
	for _, d := range status.Convert(err).Details() {
		if found, ok := d.(T); ok {
			return found
		}
	}
	return none
}

// Violations are the fields that an error names.
func Violations(err error) []string {
	var fields []string
	for _, v := range detailOf[*errdetails.BadRequest](err).GetFieldViolations() {
		fields = append(fields, v.Field)
	}
	return fields
}
