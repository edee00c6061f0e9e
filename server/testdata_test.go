package server_test

import (
	_ "embed"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// fieldTools are the tools that most tests use.
//
//go:embed testdata/tools.yaml
var fieldTools string

// fieldTool is one of them, as a definition of its own to be changed.
func fieldTool(t *testing.T, name string) *pb.ToolDefinition {
	t.Helper()
	d := servertest.Definitions(t, fieldTools)[name]
	if d == nil {
		t.Fatalf("there is no tool %s among the tests' tools", name)
	}
	return d
}

// serve starts a server with the tests' tools.
func serve(w *servertest.World, options ...servertest.Option) *servertest.Client {
	w.TB.Helper()
	c := w.Serve(options...)
	c.Apply(fieldTools)
	return c
}

// The calls that tests make most.
const (
	capture = `{"order_id":"order_123","amount":"49.00","currency":"USD"}`
	refund  = `{"order_id":"order_123","amount":"10.00","currency":"USD"}`
	mail    = `{"template":"receipt","ref":"order_123","to":["kim@example.com"]}`
)

// from makes a proposal another run's.
func from(workflow, run string) func(*pb.ProposeOperationRequest) {
	return func(r *pb.ProposeOperationRequest) { r.WorkflowId, r.RunId = workflow, run }
}

// called gives a proposal the model's call id.
func called(id string) func(*pb.ProposeOperationRequest) {
	return func(r *pb.ProposeOperationRequest) { r.Correlation = &pb.Correlation{ToolCallId: id} }
}

// occurrence names a wanted repetition.
func occurrence(o string) func(*pb.ProposeOperationRequest) {
	return func(r *pb.ProposeOperationRequest) { r.Occurrence = o }
}

// withKey brings the caller's own key.
func withKey(k string) func(*pb.ProposeOperationRequest) {
	return func(r *pb.ProposeOperationRequest) { r.IdempotencyKey = k }
}

// withRequest fixes the request id.
func withRequest(id string) func(*pb.ProposeOperationRequest) {
	return func(r *pb.ProposeOperationRequest) { r.RequestId = id }
}

// revising asks for the successor of a revision.
func revising(number int32, reason string) func(*pb.ProposeOperationRequest) {
	return func(r *pb.ProposeOperationRequest) {
		r.Revise = &pb.Revise{Predecessor: &pb.Revise_Revision{Revision: number}, Reason: reason}
	}
}

// duration is a duration as a message.
func duration(d time.Duration) *durationpb.Duration { return durationpb.New(d) }
