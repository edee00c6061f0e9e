package server_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// callsAbout are all calls that name an operation, each as a function of a permit that answers the error.
func callsAbout(t *testing.T, c *servertest.Client) map[string]func(*pb.Permit) error {
	ctx := t.Context()
	failing := func(_ any, err error) error { return err }
	return map[string]func(*pb.Permit) error{
		"get": func(p *pb.Permit) error {
			return failing(c.GetOperation(ctx, &pb.GetOperationRequest{OperationId: p.OperationId}))
		},
		"watch": func(p *pb.Permit) error {
			stream, err := c.WatchOperation(ctx, &pb.WatchOperationRequest{OperationId: p.OperationId})
			if err != nil {
				return err
			}
			return failing(stream.Recv())
		},
		"events": func(p *pb.Permit) error {
			return failing(c.ListOperationEvents(ctx, &pb.ListOperationEventsRequest{OperationId: p.OperationId}))
		},
		"begin": func(p *pb.Permit) error {
			return failing(c.BeginAttempt(ctx, servertest.BeginRequest(p, servertest.Nonce)))
		},
		"extend": func(p *pb.Permit) error { return failing(c.ExtendAttempt(ctx, servertest.ExtendRequest(p, 1e9))) },
		"report": func(p *pb.Permit) error {
			return failing(c.ReportAttempt(ctx, servertest.Report(p, servertest.NotSent())))
		},
		"batch report": func(p *pb.Permit) error {
			m, err := c.BatchReport(ctx, &pb.BatchReportRequest{Requests: []*pb.ReportAttemptRequest{servertest.Report(p, servertest.NotSent())}})
			if err != nil {
				return err
			}
			return status.FromProto(m.Items[0].GetError()).Err()
		},
		"reconcile": func(p *pb.Permit) error {
			return failing(c.Reconcile(ctx, &pb.ReconcileRequest{OperationId: p.OperationId, RequestId: uuid.NewString()}))
		},
		"cancel": func(p *pb.Permit) error {
			return failing(c.CancelOperation(ctx, &pb.CancelOperationRequest{OperationId: p.OperationId, RequestId: uuid.NewString()}))
		},
		"revise": func(p *pb.Permit) error {
			return failing(c.ProposeOperation(ctx, servertest.Proposal("payment.capture", capture, func(r *pb.ProposeOperationRequest) {
				r.Revise = &pb.Revise{Predecessor: &pb.Revise_OperationId{OperationId: p.OperationId}, Reason: "a guess"}
			})))
		},
	}
}

// withoutID is an error's message without the id that it is about.
func withoutID(err error, id string) string {
	return strings.ReplaceAll(status.Convert(err).Message(), id, "op")
}
