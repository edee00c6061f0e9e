package crowd_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/crowd"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/childproc"
)

// broken stands before a real server and answers some calls otherwise. It may be nil for a server that is whole.
type broken func(method string, request, reply any, ask func() error) error

// through evaluates a server that is given, through what breaks it.
func through(t *testing.T, part eval.Part, b broken) *eval.Result {
	t.Helper()
	server, err := childproc.StartServer(t.Context(), binary, filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Kill() })
	between := func(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, next grpc.UnaryInvoker, options ...grpc.CallOption) error {
		ask := func() error { return next(ctx, method, request, reply, conn, options...) }
		if b == nil {
			return ask()
		}
		return b(method[strings.LastIndex(method, "/")+1:], request, reply, ask)
	}
	env := eval.Env{Engine: "sqlite", Seed: 7, Dir: t.TempDir(), Server: server.Address, Dial: func(options ...grpc.DialOption) (*grpc.ClientConn, error) {
		return grpc.NewClient("passthrough:///"+server.Address, append(options,
			grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithChainUnaryInterceptor(between))...)
	}}
	result, err := part.Run(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// finds expects a finding of a checker, which says how it is shown again.
func finds(t *testing.T, r *eval.Result, checker string) {
	t.Helper()
	at := slices.IndexFunc(r.Findings, func(f eval.Finding) bool { return f.Checker == checker })
	if at < 0 {
		t.Fatalf("%s found nothing among %d findings: %v", checker, len(r.Findings), r.Notes)
	}
	f := r.Findings[at]
	if f.Part != r.Part || !strings.Contains(f.Replay, "--part "+r.Part+" --seed 7") || len(f.History) == 0 || !strings.Contains(f.History[0], "seed 7") {
		t.Errorf("the finding is %+v", f)
	}
}

func TestAPermitThatIsHandedToTwoIsNoticed(t *testing.T) {
	var mu sync.Mutex
	out := map[string]*pb.ProposeOperationResponse{} // by operation
	finds(t, through(t, crowd.Operations{Intents: 5}, func(_ string, _, reply any, ask func() error) error {
		err := ask()
		m, proposed := reply.(*pb.ProposeOperationResponse)
		if err != nil || !proposed {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		id := m.GetResult().GetOperationId()
		switch first := out[id]; {
		case m.Permit != nil:
			out[id] = proto.CloneOf(m)
		case m.Decision == pb.Decision_DECISION_IN_FLIGHT && first != nil:
			proto.Reset(m)
			proto.Merge(m, first)
		}
		return nil
	}), "linearizability")
}

// TestAnOldStateIsNoticed: every other answer from the record is an earlier one, as from a replica that lags behind.
func TestAnOldStateIsNoticed(t *testing.T) {
	var mu sync.Mutex
	earlier, replays := map[string]*pb.ProposeOperationResponse{}, map[string]int{} // by operation
	finds(t, through(t, crowd.Operations{Intents: 5}, func(_ string, _, reply any, ask func() error) error {
		err := ask()
		m, proposed := reply.(*pb.ProposeOperationResponse)
		if err != nil || !proposed {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		switch id := m.GetResult().GetOperationId(); m.Decision {
		case pb.Decision_DECISION_IN_FLIGHT:
			earlier[id] = proto.CloneOf(m)
		case pb.Decision_DECISION_REPLAYED:
			if replays[id]++; replays[id]%2 == 0 && earlier[id] != nil {
				proto.Reset(m)
				proto.Merge(m, earlier[id])
			}
		}
		return nil
	}), "linearizability")
}

// TestABeginThatIsAcceptedAndNotKeptIsNoticed: an attempt that never began, as far as the server knows, is known not to have
// been sent when its permit ends, and is made once more.
func TestABeginThatIsAcceptedAndNotKeptIsNoticed(t *testing.T) {
	finds(t, through(t, crowd.Operations{Intents: 10}, func(method string, request, reply any, ask func() error) error {
		switch method {
		case "BeginAttempt":
			reply.(*pb.BeginAttemptResponse).Begun = &pb.BegunPermit{Remaining: durationpb.New(900e6), GreatestRemaining: durationpb.New(900e6), OperationVersion: 2}
			return nil
		case "ReportAttempt":
			request.(*pb.ReportAttemptRequest).BeginNonce = nil
		}
		return ask()
	}), "effects")
}

func TestALeaseThatTwoHoldIsNoticed(t *testing.T) {
	var mu sync.Mutex
	granted := map[string]*pb.AcquireEntityLeaseResponse{} // by entity
	finds(t, through(t, crowd.Leases{Acts: 1}, func(method string, request, reply any, ask func() error) error {
		err := ask()
		m, acquired := reply.(*pb.AcquireEntityLeaseResponse)
		if err != nil || !acquired {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		entity := request.(*pb.AcquireEntityLeaseRequest).Entities[0].Id
		switch first := granted[entity]; {
		case m.Grant != nil:
			granted[entity] = proto.CloneOf(m)
		case first != nil:
			proto.Reset(m)
			proto.Merge(m, first)
		}
		return nil
	}), "linearizability")
}

// TestABrokenLeaseThatLastsIsNoticed: a server says that it has broken a lease, and has not.
func TestABrokenLeaseThatLastsIsNoticed(t *testing.T) {
	several := 0
	var mu sync.Mutex
	seen := map[string]*pb.EntityLease{} // by etag
	finds(t, through(t, crowd.Leases{Acts: 1}, func(_ string, request, reply any, ask func() error) error {
		q, breaks := request.(*pb.BreakEntityLeaseRequest)
		mu.Lock()
		if l := seen[q.GetEtag()]; breaks && l != nil {
			several += min(1, len(l.FencingNumbers)-1)
			reply.(*pb.BreakEntityLeaseResponse).Lease = proto.CloneOf(l)
			mu.Unlock()
			return nil
		}
		mu.Unlock()
		err := ask()
		if m, looked := reply.(*pb.GetEntityLeaseResponse); looked && m.Lease != nil {
			mu.Lock()
			defer mu.Unlock()
			seen[m.Lease.Etag] = proto.CloneOf(m.Lease)
		}
		return err
	}), "linearizability")
	if several == 0 {
		t.Error("no lease of several entities was broken")
	}
}

// TestAServerThatIsWholePasses through the same hands.
func TestAServerThatIsWholePasses(t *testing.T) {
	if r := through(t, crowd.Operations{Intents: 5}, nil); !r.Passed() || r.Figures[0].Runs != 5 {
		t.Errorf("came to %+v", r)
	}
}
