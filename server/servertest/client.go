package servertest

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry/toolfile"
)

// Client is one caller's connection to one server.
type Client struct {
	TB testing.TB
	pb.OperationServiceClient
	pb.RegistryServiceClient
	Conn    *grpc.ClientConn
	Address string
}

// Connect connects a caller to a server. Its answers are checked, see check.go.
func Connect(tb testing.TB, address string, options ...grpc.DialOption) *Client {
	tb.Helper()
	c := newChecker(tb)
	conn, err := grpc.NewClient(address, append([]grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithChainUnaryInterceptor(c.unary), grpc.WithChainStreamInterceptor(c.stream),
	}, options...)...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return &Client{
		TB: tb, OperationServiceClient: pb.NewOperationServiceClient(conn), RegistryServiceClient: pb.NewRegistryServiceClient(conn),
		Conn: conn, Address: address,
	}
}

// As connects to the same server with a token.
func (c *Client) As(token string) *Client {
	c.TB.Helper()
	return Connect(c.TB, c.Address,
		grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, next grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			return next(bearing(ctx, token), method, req, reply, cc, opts...)
		}),
		grpc.WithStreamInterceptor(func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, next grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
			return next(bearing(ctx, token), desc, cc, method, opts...)
		}))
}

func bearing(ctx context.Context, token string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

// Definitions reads the tools of a YAML text, by their names.
func Definitions(tb testing.TB, yaml string) map[string]*pb.ToolDefinition {
	tb.Helper()
	sources, problems := toolfile.Parse("test.yaml", []byte(yaml))
	for _, p := range problems {
		tb.Fatalf("tool file: %v", p)
	}
	byName := map[string]*pb.ToolDefinition{}
	for _, s := range sources {
		byName[s.Proto.GetName()] = s.Proto
	}
	return byName
}

// Apply applies the tools of a YAML text.
func (c *Client) Apply(yaml string) {
	c.TB.Helper()
	for _, d := range Definitions(c.TB, yaml) {
		c.ApplyDefinition(d)
	}
}

// ApplyDefinition applies one tool, and fails the test where it is refused.
func (c *Client) ApplyDefinition(d *pb.ToolDefinition) *pb.Tool {
	c.TB.Helper()
	m, err := c.TryApply(d)
	if err != nil {
		c.TB.Fatalf("apply %s: %v", d.GetName(), err)
	}
	return m.Tool
}

// TryApply applies one tool.
func (c *Client) TryApply(d *pb.ToolDefinition) (*pb.ApplyToolResponse, error) {
	return c.ApplyTool(c.TB.Context(), &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: d})
}

// Proposal makes a proposal with a fresh request id.
func Proposal(tool, arguments string, more ...func(*pb.ProposeOperationRequest)) *pb.ProposeOperationRequest {
	p := &pb.ProposeOperationRequest{
		RequestId: uuid.NewString(), WorkflowId: "wf_1", RunId: "run_1", Tool: tool,
		Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: arguments},
	}
	for _, m := range more {
		m(p)
	}
	return p
}

// Propose proposes, and fails the test where the call is refused.
func (c *Client) Propose(tool, arguments string, more ...func(*pb.ProposeOperationRequest)) *pb.ProposeOperationResponse {
	c.TB.Helper()
	m, err := c.ProposeOperation(c.TB.Context(), Proposal(tool, arguments, more...))
	if err != nil {
		c.TB.Fatalf("propose %s %s: %v", tool, arguments, err)
	}
	return m
}

// Execute proposes and expects the permit, begun where a begin is required.
func (c *Client) Execute(tool, arguments string, more ...func(*pb.ProposeOperationRequest)) *pb.Permit {
	c.TB.Helper()
	m := c.Propose(tool, arguments, more...)
	if m.Permit == nil {
		c.TB.Fatalf("propose %s %s: %v and no permit: %s", tool, arguments, m.Decision, m.Result.GetModelMessage())
	}
	c.Begin(m.Permit)
	return m.Permit
}

// Operation reads an operation.
func (c *Client) Operation(id string) *pb.Operation {
	c.TB.Helper()
	m, err := c.GetOperation(c.TB.Context(), &pb.GetOperationRequest{OperationId: id})
	if err != nil {
		c.TB.Fatalf("get %s: %v", id, err)
	}
	return m.Operation
}

// Operations lists every operation of the namespace.
func (c *Client) Operations() []*pb.Operation {
	c.TB.Helper()
	var all []*pb.Operation
	for token := ""; ; {
		m, err := c.ListOperations(c.TB.Context(), &pb.ListOperationsRequest{PageSize: 1000, PageToken: token})
		if err != nil {
			c.TB.Fatalf("list operations: %v", err)
		}
		all = append(all, m.Operations...)
		if token = m.NextPageToken; token == "" {
			return all
		}
	}
}

// Events lists an operation's whole history.
func (c *Client) Events(id string) []*pb.OperationEvent {
	c.TB.Helper()
	var all []*pb.OperationEvent
	for token := ""; ; {
		m, err := c.ListOperationEvents(c.TB.Context(), &pb.ListOperationEventsRequest{OperationId: id, PageSize: 1000, PageToken: token})
		if err != nil {
			c.TB.Fatalf("list events: %v", err)
		}
		all = append(all, m.Events...)
		if token = m.NextPageToken; token == "" {
			return all
		}
	}
}

// Settle hands in evidence, and fails the test where it is refused.
func (c *Client) Settle(id string, e *pb.Evidence) *pb.ReconcileResponse {
	c.TB.Helper()
	if e != nil && e.EvidenceId == "" {
		e.EvidenceId = uuid.NewString()
	}
	m, err := c.Reconcile(c.TB.Context(), &pb.ReconcileRequest{OperationId: id, RequestId: uuid.NewString(), Evidence: e})
	if err != nil {
		c.TB.Fatalf("reconcile %s: %v", id, err)
	}
	return m
}

// Looked is a lookup's answer, made as the ledger's invitation asks for it.
func Looked(l *pb.LookupInstruction, verdict pb.Verdict, effectID string) *pb.Evidence {
	e := &pb.Evidence{Verdict: verdict}
	source := &pb.LookupSource{LookupTicket: l.GetLookupTicket()}
	for _, q := range l.GetQuestions()[:1] {
		source.By, source.Value = q.By, q.Value
	}
	e.Source = &pb.Evidence_Lookup{Lookup: source}
	if verdict == pb.Verdict_VERDICT_HAPPENED {
		e.Answer = &pb.ProviderAnswer{EffectId: effectID}
		switch source.By {
		case pb.LookupBy_LOOKUP_BY_VENDOR_KEY:
			e.Attribution = &pb.Attribution{VendorIdempotencyKey: source.Value}
		case pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE:
			e.Attribution = &pb.Attribution{ClientReference: source.Value}
		}
	}
	return e
}
