package server_test

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// badProposal is a malformed proposal with its stated error. Nothing is recorded of any of them.
type badProposal struct {
	name      string
	tool      string // empty: payment.capture
	arguments string
	change    func(*pb.ProposeOperationRequest)
	code      codes.Code // zero: INVALID_ARGUMENT
	reason    string
	fields    []string // of the violations, every one
	says      string   // in the message
}

// nested is an array in an array, so many times.
func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// nestedStruct is the same as a value.
func nestedStruct(depth int) *structpb.Struct {
	v := structpb.NewBoolValue(true)
	for range depth {
		v = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{v}})
	}
	return &structpb.Struct{Fields: map[string]*structpb.Value{"a": v}}
}

func asStruct(s *structpb.Struct) func(*pb.ProposeOperationRequest) {
	return func(r *pb.ProposeOperationRequest) {
		r.Arguments = &pb.ProposeOperationRequest_ArgumentsStruct{ArgumentsStruct: s}
	}
}

var badProposals = []badProposal{
	// Who and what.
	{name: "no tool of that name", tool: "payment.captured", arguments: capture, reason: "UNKNOWN_TOOL", fields: []string{"tool"}},
	{name: "no tool", tool: " ", arguments: capture, reason: "INVALID_REQUEST", fields: []string{"tool"}},
	{name: "no such version", arguments: capture, change: func(r *pb.ProposeOperationRequest) { v := int32(9); r.ToolVersion = &v }, reason: "UNKNOWN_TOOL_VERSION", fields: []string{"tool_version"}},
	{name: "request id is no UUID", arguments: capture, change: withRequest("r-1"), reason: "INVALID_REQUEST", fields: []string{"request_id"}},
	{name: "no request id", arguments: capture, change: withRequest(""), reason: "INVALID_REQUEST", fields: []string{"request_id"}},
	{name: "two faults are two violations", arguments: capture, change: func(r *pb.ProposeOperationRequest) { r.RequestId, r.RunId = "r-1", "a b" }, reason: "INVALID_REQUEST", fields: []string{"request_id", "run_id"}},
	{name: "a mode from the future", arguments: capture, change: func(r *pb.ProposeOperationRequest) { r.Mode = 99 }, reason: "INVALID_REQUEST", fields: []string{"mode"}},
	{name: "waiting for more than a minute", arguments: capture, change: func(r *pb.ProposeOperationRequest) { r.Wait = durationpb.New(61e9) }, reason: "INVALID_REQUEST", fields: []string{"wait"}},
	{name: "a revision without a reason", arguments: capture, change: revising(1, ""), reason: "INVALID_REQUEST", fields: []string{"revise.reason"}},
	{name: "another entity than the tool's", arguments: capture, change: func(r *pb.ProposeOperationRequest) { r.Entity = &pb.Entity{Type: "order", Id: "order_9"} }, reason: "ENTITY_MISMATCH", fields: []string{"entity"}},
	{name: "an occurrence where nobody may name one", arguments: capture, change: occurrence("2"), reason: "OCCURRENCE_NOT_ALLOWED", fields: []string{"occurrence"}},
	{name: "a caller's key where none is taken", tool: "email.send", arguments: mail, change: withKey("K1"), reason: "CALLER_KEY_NOT_ALLOWED", fields: []string{"idempotency_key"}},
	{name: "a lease token of nobody's", arguments: capture, change: func(r *pb.ProposeOperationRequest) { r.LeaseToken = "t" }, code: codes.PermissionDenied, reason: "LEASE_TOKEN_MISMATCH", says: "AcquireEntityLease"},

	// Off schema: one violation per fault, naming the pointer.
	{name: "a field is missing", arguments: `{"order_id":"o","amount":"1.00"}`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json/currency"}},
	{name: "three faults", arguments: `{"order_id":7,"amount":true,"money":"USD","currency":"USD"}`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json/amount", "arguments_json/money", "arguments_json/order_id"}},
	{name: "an item of the wrong type", tool: "email.send", arguments: `{"template":"t","ref":"r","to":["kim@example.com",7]}`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json/to/1"}},
	{name: "against a field's rule", arguments: `{"order_id":"o","amount":"1.00","currency":"XTS"}`, reason: "INVALID_ARGUMENTS"},
	{name: "as a value", change: asStruct(&structpb.Struct{Fields: map[string]*structpb.Value{"order_id": structpb.NewNumberValue(7)}}), reason: "INVALID_ARGUMENTS", fields: []string{"arguments_struct/amount", "arguments_struct/currency", "arguments_struct/order_id"}},

	// No JSON.
	{name: "no JSON at all", arguments: `order_123`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json"}},
	{name: "cut off", arguments: `{"order_id":"o"`, reason: "INVALID_ARGUMENTS"},
	{name: "two documents", arguments: capture + capture, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json"}},
	{name: "not an object", arguments: `[1]`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json"}},
	{name: "NaN", tool: "record.write", arguments: `{"n":NaN}`, reason: "INVALID_ARGUMENTS"},
	{name: "NaN as a value", tool: "record.write", change: asStruct(&structpb.Struct{Fields: map[string]*structpb.Value{"n": structpb.NewNumberValue(nan)}}), reason: "INVALID_ARGUMENTS", fields: []string{"arguments_struct/n"}},
	{name: "a lone surrogate", tool: "record.write", arguments: `{"s":"\ud800"}`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json/s"}},
	{name: "U+0000", tool: "record.write", arguments: `{"s":"a\u0000b"}`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json/s"}},
	{name: "U+0000 as a value", tool: "record.write", change: asStruct(&structpb.Struct{Fields: map[string]*structpb.Value{"s": structpb.NewStringValue("a\x00b")}}), reason: "INVALID_ARGUMENTS", fields: []string{"arguments_struct/s"}},

	// Duplicate members.
	{name: "a member twice", tool: "record.write", arguments: `{"a":1,"a":1}`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json/a"}},
	{name: "a member twice, once escaped", tool: "record.write", arguments: `{"amount":1,"\u0061mount":100}`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json/amount"}},
	{name: "a member twice, deep inside", tool: "record.write", arguments: `{"l":[0,{"m":{"b":1,"b":2}}]}`, reason: "INVALID_ARGUMENTS", fields: []string{"arguments_json/l/1/m/b"}},

	// Numbers.
	{name: "2^53+1 in text", tool: "record.write", arguments: `{"n":9007199254740993}`, reason: "NUMBER_NOT_EXACT", fields: []string{"arguments_json/n"}},
	{name: "2^53 as a value", tool: "record.write", change: asStruct(&structpb.Struct{Fields: map[string]*structpb.Value{"n": structpb.NewNumberValue(1 << 53)}}), reason: "NUMBER_NOT_EXACT", fields: []string{"arguments_struct/n"}},
	{name: "-2^53 inside a list", tool: "record.write", change: asStruct(&structpb.Struct{Fields: map[string]*structpb.Value{"l": structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewNumberValue(-(1 << 53))}})}}), reason: "NUMBER_NOT_EXACT", fields: []string{"arguments_struct/l/0"}},
	{name: "an overflow", tool: "record.write", arguments: `{"n":1e999}`, reason: "NUMBER_NOT_EXACT", fields: []string{"arguments_json/n"}},
	{name: "an underflow", tool: "record.write", arguments: `{"n":1e-999}`, reason: "NUMBER_NOT_EXACT", fields: []string{"arguments_json/n"}},

	// Sizes.
	{name: "nested too deeply", tool: "record.write", arguments: `{"a":` + nested(64) + `}`, reason: "INVALID_ARGUMENTS", says: "64"},
	{name: "nested beyond all measure", tool: "record.write", arguments: `{"a":` + nested(100_000) + `}`, reason: "INVALID_ARGUMENTS", says: "64"},
	{name: "nested too deeply as a value", tool: "record.write", change: asStruct(nestedStruct(70)), reason: "INVALID_ARGUMENTS", says: "64"},
	{name: "arguments too long", tool: "record.write", arguments: `{"a":"` + strings.Repeat("x", 300<<10) + `"}`, reason: "INVALID_ARGUMENTS"},
	{name: "arguments beyond their field's limit", tool: "record.write", arguments: `{"a":"` + strings.Repeat("x", 1<<20) + `"}`, reason: "INVALID_REQUEST", fields: []string{"arguments_json"}},
	{name: "a request beyond 4 MiB", tool: "record.write", arguments: `{"a":"` + strings.Repeat("x", server.MaxMessageBytes) + `"}`, code: codes.ResourceExhausted, reason: "TOO_LARGE", says: "4 MiB"},
}

// TestBadProposals sends each malformed proposal, alone and in a batch, and expects its error and nothing recorded.
func TestBadProposals(t *testing.T) {
	w := servertest.SQLite(t) // refused before any engine is asked
	c := serve(w)
	for _, bad := range badProposals {
		t.Run(bad.name, func(t *testing.T) {
			r := servertest.Proposal("payment.capture", bad.arguments)
			if bad.tool != "" {
				r.Tool = bad.tool
			}
			if bad.change != nil {
				bad.change(r)
			}
			if bad.code == codes.OK {
				bad.code = codes.InvalidArgument
			}
			_, err := c.ProposeOperation(t.Context(), r)
			refused(t, err, bad.code, bad.reason, bad.fields...)
			says(t, status.Convert(err).Message(), bad.says)
			if bad.reason == "TOO_LARGE" || r.Wait != nil {
				return // it fits into no batch
			}
			good := servertest.Proposal("order.get", `{"order_id":"`+uuid.NewString()+`"}`)
			m, err := c.BatchPropose(t.Context(), &pb.BatchProposeRequest{Requests: []*pb.ProposeOperationRequest{r, good}})
			if err != nil {
				t.Fatalf("one bad item spoils the batch: %v", err)
			}
			refused(t, status.FromProto(m.Items[0].GetError()).Err(), bad.code, bad.reason, bad.fields...)
			if m.Items[1].GetResponse().GetPermit() == nil {
				t.Fatalf("its neighbour was not carried out: %v", m.Items[1])
			}
		})
	}
	for _, o := range c.Operations() {
		if o.Tool != "order.get" {
			t.Errorf("something was recorded: %v", o)
		}
	}
}

// TestLimitsAdmitWhatTheySay goes up to each limit and not beyond.
func TestLimitsAdmitWhatTheySay(t *testing.T) {
	c := serve(servertest.SQLite(t))
	for name, arguments := range map[string]string{
		"63 arrays in an object": `{"a":` + nested(63) + `}`,
		"2^53-1":                 `{"n":9007199254740991}`,
		"256 KiB":                `{"a":"` + strings.Repeat("x", 256<<10-len(`{"a":""}`)) + `"}`,
	} {
		m, err := c.ProposeOperation(t.Context(), servertest.Proposal("record.write", arguments))
		if err != nil || m.Permit == nil {
			t.Errorf("%s: %v, %v", name, m.GetDecision(), err)
		}
	}
}
