package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

const (
	clients = 8
	turns   = 160 // of each client; a turn is one call
	epoch   = 20  // turns after which a client goes on to the next keys, whose operations have not ended
)

// crowd is what concurrent clients share: two servers on one database, whose time they let pass, and one recorder.
type crowd struct {
	*testing.T
	world   *servertest.World
	servers []*servertest.Client
	record  *check.Recorder
	passed  atomic.Int64
	mu      sync.Mutex
	permits map[string][]*pb.Permit // by key, so that others than those who earned one try it
	leases  []string
}

func newCrowd(t *testing.T, w *servertest.World) *crowd {
	c := &crowd{T: t, world: w, permits: map[string][]*pb.Permit{}}
	c.record = check.NewRecorder(func() time.Time { return time.Now().Add(time.Duration(c.passed.Load())) })
	first := w.Serve()
	tools, err := os.ReadFile("testdata/tools.yaml")
	if err != nil {
		t.Fatal(err)
	}
	first.Apply(string(tools))
	c.servers = []*servertest.Client{first, w.Twin()}
	return c
}

// pass lets the database's time pass. The recorder's clock goes first: what it says of a call's end is never too early.
func (c *crowd) pass(d time.Duration) {
	c.passed.Add(int64(d))
	c.world.Pass(d)
}

// client is one of the crowd, with luck and a connection of its own.
type client struct {
	*crowd
	name  string
	luck  *rand.Rand
	nonce []byte
	api   pb.OperationServiceClient
	lease pb.LeaseServiceClient
}

// run lets every client take its turns at once.
func (c *crowd) run(turn func(*client, int)) {
	var all sync.WaitGroup
	for i := range clients {
		u := &client{crowd: c, name: fmt.Sprintf("client %d", i), luck: rand.New(rand.NewPCG(uint64(i), 5)), nonce: []byte(fmt.Sprintf("the nonce of client %d", i))}
		conn := servertest.Connect(c, c.servers[i%len(c.servers)].Address,
			grpc.WithChainUnaryInterceptor(c.record.Client(u.name), u.lose)).Conn
		u.api, u.lease = pb.NewOperationServiceClient(conn), pb.NewLeaseServiceClient(conn)
		all.Go(func() {
			for n := range turns {
				turn(u, n)
			}
		})
	}
	all.Wait()
}

// lose loses some answers, and some calls before they are made.
func (u *client) lose(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, next grpc.UnaryInvoker, options ...grpc.CallOption) error {
	luck := u.luck.IntN(40)
	if luck == 0 {
		return status.Error(codes.Unavailable, "the call was lost")
	}
	err := next(ctx, method, request, reply, conn, options...)
	if luck == 1 {
		return status.Error(codes.Unavailable, "the answer was lost")
	}
	return err
}

var tools = []string{"contact.upsert", "payment.capture", "email.send", "access.revoke"}

// operate proposes on a key of this time, or uses a permit of it, whoever earned it.
func (u *client) operate(n int) {
	tool := tools[u.luck.IntN(len(tools))]
	key := fmt.Sprintf("%s %d", tool, n/epoch)
	permit := u.permitOf(key)
	ctx := u.Context()
	switch choice := u.luck.IntN(12); {
	case u.luck.IntN(200) == 0:
		u.pass(30 * time.Second)
	case permit == nil || choice < 5:
		request := servertest.Proposal(tool, fmt.Sprintf(`{"ref":"%d"}`, n/epoch))
		if u.luck.IntN(2) == 0 { // a request that several of them replay
			request.RequestId = uuid.NewSHA1(uuid.NameSpaceOID, []byte(key)).String()
		}
		if m, err := u.api.ProposeOperation(ctx, request); err == nil && m.Permit != nil {
			u.mu.Lock()
			u.permits[key] = append(u.permits[key], m.Permit)
			u.mu.Unlock()
		}
	case choice < 7:
		_, _ = u.api.BeginAttempt(ctx, servertest.BeginRequest(permit, u.nonce))
	case choice == 7:
		request := servertest.ExtendRequest(permit, time.Minute)
		request.BeginNonce = u.nonce
		_, _ = u.api.ExtendAttempt(ctx, request)
	case choice == 8:
		_, _ = u.api.GetOperation(ctx, &pb.GetOperationRequest{OperationId: permit.OperationId})
	default:
		outcomes := []func(*pb.ReportAttemptRequest){
			servertest.Succeeded("", `{}`), servertest.NotSent(), servertest.Ambiguous(), servertest.Rejected("no"), servertest.RateLimited(0), servertest.NotSent(),
		}
		request := servertest.Report(permit, outcomes[u.luck.IntN(len(outcomes))])
		request.BeginNonce = nil
		if permit.BeginRequired {
			request.BeginNonce = u.nonce
		}
		_, _ = u.api.ReportAttempt(ctx, request)
	}
}

// permitOf is one of the newest permits of a key; nil where there is none.
func (u *client) permitOf(key string) *pb.Permit {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.permits[key]
	if len(all) == 0 {
		return nil
	}
	return all[max(0, len(all)-1-u.luck.IntN(2))]
}

// ordered expects an order of the calls on each object, and that there was enough to be put in order.
func (c *crowd) ordered(least int) {
	c.Helper()
	objects, calls := 0, 0
	for _, h := range check.Histories(c.record.Calls()) {
		objects, calls = objects+1, calls+h.Calls
		if h.Verdict != check.Ordered {
			c.Errorf("%s: %d calls, verdict %d", h.Of, h.Calls, h.Verdict)
			for _, line := range h.Shown {
				c.Log(line)
			}
		}
	}
	c.Logf("%d calls on %d objects", calls, objects)
	if calls < least {
		c.Errorf("only %d calls were judged", calls)
	}
}

// TestConcurrentOperations: whatever eight clients do at once to few operations by two servers, each operation behaves as if
// they had done it one after the other, and its history, its answers and its sentences are in order.
func TestConcurrentOperations(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := newCrowd(t, w)
		c.run((*client).operate)
		c.ordered(clients * turns / 2)

		server := c.servers[0]
		r := eval.Record{Arm: eval.Opledger, Key: "all", Wanted: 1, Events: map[string][]*pb.OperationEvent{}, Calls: c.record.Calls()}
		for _, o := range server.Operations() {
			r.Operations = append(r.Operations, server.Operation(o.OperationId))
			r.Events[o.OperationId] = server.Events(o.OperationId)
		}
		if len(r.Operations) < len(tools)*turns/epoch {
			t.Errorf("only %d operations", len(r.Operations))
		}
		for _, judge := range []func(eval.Record) []eval.Finding{check.History, check.Answers, check.Wording} {
			for _, f := range judge(r) {
				t.Errorf("%s: %s", f.Checker, f.Message)
			}
		}
		for _, f := range check.Together([]eval.Record{r}) {
			t.Errorf("together: %s", f.Message)
		}
	})
}

// TestConcurrentLeases: the same of leases on few entities.
func TestConcurrentLeases(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := newCrowd(t, w)
		c.run((*client).hold)
		c.ordered(clients * turns / 2)
	})
}

// hold takes, lengthens, breaks and gives back leases, now and then with a token that is not its own.
func (u *client) hold(n int) {
	ctx := u.Context()
	u.mu.Lock()
	token := ""
	if len(u.leases) > 0 {
		token = u.leases[max(0, len(u.leases)-1-u.luck.IntN(8))]
	}
	u.mu.Unlock()
	switch choice := u.luck.IntN(10); {
	case u.luck.IntN(200) == 0:
		u.pass(30 * time.Second)
	case token == "" || choice < 5:
		request := &pb.AcquireEntityLeaseRequest{
			RequestId: uuid.NewString(), WorkflowId: fmt.Sprintf("wf_%d", u.luck.IntN(4)), RunId: "run_1", Ttl: durationpb.New(time.Minute),
		}
		for i := range 3 {
			if u.luck.IntN(3) == 0 || i == 2 && len(request.Entities) == 0 {
				request.Entities = append(request.Entities, &pb.Entity{Type: "order", Id: fmt.Sprint(i)})
			}
		}
		if m, err := u.lease.AcquireEntityLease(ctx, request); err == nil && m.Grant != nil {
			u.mu.Lock()
			u.leases = append(u.leases, m.Grant.LeaseToken)
			u.mu.Unlock()
		}
	case choice < 7:
		_, _ = u.lease.RenewEntityLease(ctx, &pb.RenewEntityLeaseRequest{RequestId: uuid.NewString(), LeaseToken: token})
	case choice == 7:
		e := &pb.Entity{Type: "order", Id: fmt.Sprint(u.luck.IntN(3))}
		if m, err := u.lease.GetEntityLease(ctx, &pb.GetEntityLeaseRequest{Entity: e}); err == nil && m.Lease != nil {
			_, _ = u.lease.BreakEntityLease(ctx, &pb.BreakEntityLeaseRequest{RequestId: uuid.NewString(), Entity: e, Etag: m.Lease.Etag, Reason: "It is tried."})
		}
	default:
		_, _ = u.lease.ReleaseEntityLease(ctx, &pb.ReleaseEntityLeaseRequest{RequestId: uuid.NewString(), LeaseToken: token})
	}
}
