package crashtest

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/childproc"
	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/registry/toolfile"
)

const (
	agents      = 8
	freshIntent = 20 // how many new intents a round brings
	// The load of a round lasts somewhere between these.
	shortest, longest = 50 * time.Millisecond, 600 * time.Millisecond
	// settling bounds the end, when nobody dies any more.
	settling = 90 * time.Second
)

func TestKilledSQLite(t *testing.T) {
	killed(t, filepath.Join(t.TempDir(), "ledger.db"))
}

func TestKilledPostgreSQL(t *testing.T) {
	killed(t, pgtest.NewDatabase(t))
}

// rounds is how often the server is killed.
func rounds(t *testing.T) int {
	text := os.Getenv("OPLEDGER_CRASH_ROUNDS")
	if text == "" {
		return 10
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("OPLEDGER_CRASH_ROUNDS is %q", text)
	}
	return n
}

// seed is the run's, from the environment or drawn.
func seed(t *testing.T) uint64 {
	if text := os.Getenv("OPLEDGER_CRASH_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("OPLEDGER_CRASH_SEED is %q", text)
		}
		return n
	}
	return rand.Uint64()
}

// killed puts load on a server of the database, kills it in the middle, starts it again on the same data, and checks.
func killed(t *testing.T, database string) {
	s := seed(t)
	t.Logf("OPLEDGER_CRASH_SEED=%d", s)
	random := rand.New(rand.NewPCG(s, 0))
	server, err := childproc.StartServer(t.Context(), binary, database)
	if err != nil {
		t.Fatal(err)
	}
	address := server.Address
	conn := connect(t, address)
	apply(t, conn, tools)

	w := &load{tb: t, conn: conn, seed: s, provider: newProvider(), journal: newJournal()}
	w.intents.Store(freshIntent)
	working := w.start(t.Context(), false)
	n := rounds(t)
	for round := range n {
		hold(t, shortest+time.Duration(random.Int64N(int64(longest-shortest))))
		if !server.Kill() {
			t.Fatalf("round %d: the server had ended by itself: %v", round, server.Wait())
		}
		if server, err = childproc.StartServer(t.Context(), binary, database, "--listen", address); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		check(t, t.Context(), pb.NewOperationServiceClient(conn), w.journal.since(false))
		oneEffect(t, w.provider)
		w.intents.Add(freshIntent)
		if t.Failed() {
			break
		}
	}
	working()
	w.settle(t)
	attempts := check(t, t.Context(), pb.NewOperationServiceClient(conn), w.journal.since(true))
	effects := oneEffect(t, w.provider)
	operations, answers := w.journal.size()
	t.Logf("killed %d times: %d operations in %d attempts, %d answers, %d effects", n, operations, attempts, answers, effects)
	if effects == 0 || attempts <= operations {
		t.Fatal("no effect was made, or no permit was lost, so that this proves nothing")
	}
	server.Kill()
}

// hold lets the load run for a while: the one thing here that is waited for by the clock, since the moment of a kill is
// the test's randomness.
func hold(t *testing.T, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}

func connect(t *testing.T, address string) *grpc.ClientConn {
	t.Helper()
	quick := backoff.Config{BaseDelay: 5 * time.Millisecond, Multiplier: 1.5, Jitter: 0.2, MaxDelay: 50 * time.Millisecond}
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: quick, MinConnectTimeout: time.Second}),
		grpc.WithDefaultCallOptions(grpc.WaitForReady(true)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// apply registers tools.
func apply(t *testing.T, conn *grpc.ClientConn, text string) {
	t.Helper()
	sources, problems := toolfile.Parse("tools.yaml", []byte(text))
	for _, p := range problems {
		t.Fatal(p)
	}
	for _, s := range sources {
		_, err := pb.NewRegistryServiceClient(conn).ApplyTool(t.Context(), &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: s.Proto})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// load is all agents together.
type load struct {
	tb       testing.TB
	conn     *grpc.ClientConn
	seed     uint64
	provider *provider
	journal  *journal
	intents  atomic.Int64
	agents   uint64 // how many there have been
}

// start lets agents work until the returned function is called.
func (w *load) start(ctx context.Context, careful bool) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	for range agents {
		w.agents++ // each has randomness of its own, those of the end too
		a := &agent{
			tb: w.tb, api: pb.NewOperationServiceClient(w.conn), random: rand.New(rand.NewPCG(w.seed, w.agents)),
			provider: w.provider, journal: w.journal, intents: &w.intents, careful: careful,
		}
		working.Go(func() { a.work(ctx) })
	}
	return func() {
		cancel()
		working.Wait()
	}
}

// settle lets the agents go on without dying until nothing is open any more: what was lost in a crash costs a while, and
// nothing stays behind.
func (w *load) settle(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), settling)
	defer cancel()
	stop := w.start(ctx, true)
	defer stop()
	api := pb.NewOperationServiceClient(w.conn)
	for _, r := range w.journal.since(true) {
		for {
			m, err := api.GetOperation(ctx, &pb.GetOperationRequest{OperationId: r.operation, Wait: waitASecond})
			if err != nil {
				t.Fatalf("%s does not end: %v", r.operation, err)
			}
			if s := m.Operation.State; s == pb.Operation_STATE_COMPLETED_SUCCESS {
				break
			} else if s == pb.Operation_STATE_FAILED_PERMANENT {
				t.Fatalf("%s ended as %v", r.operation, m.Operation.Failure)
			}
		}
	}
}

var waitASecond = durationpb.New(time.Second)
