package bench

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry/toolfile"
)

//go:embed tools/*.yaml
var toolFiles embed.FS

// The tools of the benchmark.
const (
	paymentTool = "bench.payment"
	emailTool   = "bench.email"
	readTool    = "bench.read"
)

// clientConnections is how many connections the callers share. One would make its own writer the limit; callers of a real
// server come from several processes.
const clientConnections = 4

// callers are the clients of the ledger.
type callers struct {
	conns  []*grpc.ClientConn
	ledger []pb.OperationServiceClient
}

// dial connects to a server and registers the benchmark's tools.
func dial(ctx context.Context, address string) (*callers, error) {
	c := &callers{}
	for range clientConnections {
		conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			c.close()
			return nil, err
		}
		c.conns = append(c.conns, conn)
		c.ledger = append(c.ledger, pb.NewOperationServiceClient(conn))
	}
	if err := applyTools(ctx, pb.NewRegistryServiceClient(c.conns[0])); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *callers) close() {
	for _, conn := range c.conns {
		_ = conn.Close()
	}
}

func applyTools(ctx context.Context, registry pb.RegistryServiceClient) error {
	for _, name := range []string{"payment.yaml", "email.yaml", "read.yaml"} {
		text, err := toolFiles.ReadFile("tools/" + name)
		if err != nil {
			return err
		}
		sources, problems := toolfile.Parse(name, text)
		var faults []error
		for _, p := range problems {
			faults = append(faults, p)
		}
		if err := errors.Join(faults...); err != nil {
			return err
		}
		for _, s := range sources {
			if _, err := registry.ApplyTool(ctx, &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: s.Proto}); err != nil {
				return fmt.Errorf("apply %s: %w", s.Proto.Name, err)
			}
		}
	}
	return nil
}

// The arguments and the result of every unit, the same in the table and in the ledger.
func paymentArguments(order string) string {
	return `{"order_id":"` + order + `","amount":"49.00","currency":"USD","note":"first order of the month"}`
}

func emailArguments(order string) string {
	return `{"order_id":"` + order + `","to":"ada@example.com","subject":"Your receipt"}`
}

func readArguments(order string) string { return `{"order_id":"` + order + `"}` }

func resultOf(order string) string { return `{"id":"ch_` + order + `","status":"succeeded"}` }

// propose proposes one operation and answers what the ledger says.
func (c *callers) propose(ctx context.Context, worker int, tool, arguments string) (*pb.ProposeOperationResponse, error) {
	return c.ledger[worker%len(c.ledger)].ProposeOperation(ctx, &pb.ProposeOperationRequest{
		RequestId: uuid.NewString(), WorkflowId: "wf_bench", RunId: "run_bench", Tool: tool,
		Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: arguments},
	})
}

// cycle is a unit: propose, begin where the permit requires it, report.
func (c *callers) cycle(ctx context.Context, worker int, tool, arguments, result string) error {
	answer, err := c.propose(ctx, worker, tool, arguments)
	if err != nil {
		return err
	}
	p := answer.Permit
	if p == nil {
		return fmt.Errorf("a new operation was answered %s, without a permit", answer.Decision)
	}
	ledger := c.ledger[worker%len(c.ledger)]
	report := &pb.ReportAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, ReportId: uuid.NewString(), SenderReturned: true,
		Outcome: &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}},
		Answer:  &pb.ProviderAnswer{ProviderObjectId: "ch_" + p.OperationId, RawStatusCode: "201", ResultJson: result},
	}
	if p.BeginRequired {
		nonce := uuid.New()
		report.BeginNonce = nonce[:]
		begun, err := ledger.BeginAttempt(ctx, &pb.BeginAttemptRequest{
			OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, BeginNonce: report.BeginNonce,
		})
		if err != nil {
			return err
		}
		if begun.Begun == nil {
			return errors.New("the begin of a live permit was not accepted")
		}
	}
	reported, err := ledger.ReportAttempt(ctx, report)
	if err != nil {
		return err
	}
	if reported.Operation.GetState() != pb.Operation_STATE_COMPLETED_SUCCESS {
		return fmt.Errorf("a reported success left the operation %s", reported.Operation.GetState())
	}
	return nil
}

// replay is a unit: an operation that has ended is proposed again.
func (c *callers) replay(ctx context.Context, worker int, tool, arguments string) error {
	answer, err := c.propose(ctx, worker, tool, arguments)
	if err == nil && answer.Decision != pb.Decision_DECISION_REPLAYED {
		err = fmt.Errorf("an ended operation was answered %s", answer.Decision)
	}
	return err
}
