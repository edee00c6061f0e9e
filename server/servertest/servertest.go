// Package servertest runs real servers on loopback for tests: the whole path from gRPC to a database, with the database's
// time in the test's hands.
package servertest

import (
	"context"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/google/uuid"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/sqlstore"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/registry/toolfile"
	"github.com/opledger/opledger/server"
)

// World is one database and the servers on it.
type World struct {
	TB     testing.TB
	Engine ledger.Engine
	offset *atomic.Int64
	key    []byte
}

// On runs a test on every engine that this machine can have: SQLite and PostgreSQL, and CockroachDB where
// OPLEDGER_TEST_CRDB_URL names a cluster (the stores' own suites say when it does not).
func On(t *testing.T, test func(t *testing.T, w *World)) {
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgresql", func(t *testing.T) { test(t, PostgreSQL(t)) })
}

// SQLite opens a fresh file.
func SQLite(tb testing.TB) *World {
	tb.Helper()
	offset := &atomic.Int64{}
	engine, err := litestore.Open(tb.Context(), filepath.Join(tb.TempDir(), "ledger.db"), litestore.WithTimeOffset(offset))
	if err != nil {
		tb.Fatal(err)
	}
	return world(tb, engine, offset)
}

// PostgreSQL opens a fresh database of a real server.
func PostgreSQL(tb testing.TB) *World {
	tb.Helper()
	return PostgreSQLAt(tb, pgtest.NewDatabase(tb))
}

// PostgreSQLAt opens a database that is there, so that several worlds can share it.
func PostgreSQLAt(tb testing.TB, url string) *World {
	tb.Helper()
	offset := &atomic.Int64{}
	engine, err := sqlstore.Open(tb.Context(), url, sqlstore.WithTimeOffset(offset))
	if err != nil {
		tb.Fatal(err)
	}
	return world(tb, engine, offset)
}

func world(tb testing.TB, engine ledger.Engine, offset *atomic.Int64) *World {
	tb.Helper()
	w := &World{TB: tb, Engine: engine, offset: offset}
	tb.Cleanup(func() {
		if err := engine.Close(); err != nil {
			tb.Errorf("closing the engine: %v", err)
		}
	})
	key, err := engine.TokenKey(tb.Context(), make([]byte, 32))
	if err != nil {
		tb.Fatal(err)
	}
	w.key = key
	return w
}

// Pass lets the database's time pass.
func (w *World) Pass(d time.Duration) { w.offset.Add(int64(d)) }

// Client is one caller's connection to one server.
type Client struct {
	TB testing.TB
	pb.OperationServiceClient
	pb.RegistryServiceClient
	Conn    *grpc.ClientConn
	Address string
}

// Option changes a server's configuration before it starts.
type Option func(*server.Config)

// WithCallers lets callers in by their tokens.
func WithCallers(a callers.Authenticator) Option {
	return func(c *server.Config) { c.Callers = a }
}

// Serve starts one more server on the world's database and connects to it.
func (w *World) Serve(options ...Option) *Client {
	w.TB.Helper()
	l := transact.New(w.Engine, transact.Options{OnDefect: func(err error) { w.TB.Errorf("defect: %v", err) }})
	config := server.Config{Ledger: l, Callers: callers.Local{}, TokenKey: w.key, Poll: 5 * time.Millisecond}
	for _, o := range options {
		o(&config)
	}
	s, err := server.New(config)
	if err != nil {
		w.TB.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.TB.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	w.TB.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		s.Drain(ctx)
		<-served
		l.Close()
	})
	return Connect(w.TB, listener.Addr().String())
}

// Connect connects a caller to a server.
func Connect(tb testing.TB, address string, options ...grpc.DialOption) *Client {
	tb.Helper()
	conn, err := grpc.NewClient(address, append([]grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}, options...)...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return &Client{
		TB: tb, OperationServiceClient: pb.NewOperationServiceClient(conn), RegistryServiceClient: pb.NewRegistryServiceClient(conn),
		Conn: conn, Address: address,
	}
}

// Apply applies the tools of a YAML text.
func (c *Client) Apply(yaml string) {
	c.TB.Helper()
	sources, problems := toolfile.Parse("test.yaml", []byte(yaml))
	for _, p := range problems {
		c.TB.Fatalf("tool file: %v", p)
	}
	for _, s := range sources {
		if _, err := c.ApplyTool(c.TB.Context(), &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: s.Proto}); err != nil {
			c.TB.Fatalf("apply %s: %v", s.Proto.GetName(), err)
		}
	}
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

// Nonce is the nonce of the test's process.
var Nonce = []byte("a nonce born in this process")

// Begin begins a permit where it must be begun.
func (c *Client) Begin(p *pb.Permit) {
	c.TB.Helper()
	if !p.GetBeginRequired() {
		return
	}
	_, err := c.BeginAttempt(c.TB.Context(), &pb.BeginAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, BeginNonce: Nonce,
	})
	if err != nil {
		c.TB.Fatalf("begin: %v", err)
	}
}

// Report makes a report of a sender that has returned. The outcome is set by the caller's function.
func Report(p *pb.Permit, outcome func(*pb.ReportAttemptRequest)) *pb.ReportAttemptRequest {
	r := &pb.ReportAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, ReportId: uuid.NewString(), SenderReturned: true,
	}
	if p.BeginRequired {
		r.BeginNonce = Nonce
	}
	outcome(r)
	return r
}

// Reported reports, and fails the test where the report is refused.
func (c *Client) Reported(p *pb.Permit, outcome func(*pb.ReportAttemptRequest)) *pb.ReportAttemptResponse {
	c.TB.Helper()
	m, err := c.ReportAttempt(c.TB.Context(), Report(p, outcome))
	if err != nil {
		c.TB.Fatalf("report: %v", err)
	}
	return m
}

// Succeeded reports success with the provider's id and a result.
func Succeeded(effectID, result string) func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
		r.Answer = &pb.ProviderAnswer{EffectId: effectID, ProviderObjectId: effectID, ResultJson: result, RawStatusCode: "201"}
	}
}

// Ambiguous reports a time-out after sending.
func Ambiguous() func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT}}
	}
}

// Rejected reports the provider's refusal.
func Rejected(code string) func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: code}}
	}
}

// NotSent reports that nothing left.
func NotSent() func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_NotSent{NotSent: &pb.OutcomeNotSent{Code: "connection_refused"}}
	}
}

// RateLimited reports the provider's rate limit.
func RateLimited(after time.Duration) func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_RateLimited{RateLimited: &pb.OutcomeRateLimited{RetryAfter: durationpb.New(after)}}
	}
}
