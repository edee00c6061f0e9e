package world_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"

	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/registry/toolfile"
)

const tool = `
name: mail.send
class: EXTERNAL_NON_IDEMPOTENT_WRITE
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "mail:{ref}", occurrence: NOBODY}
provider: {name: post, stores_client_reference: true, longest_flight: 60s, lookups: [{by: CLIENT_REFERENCE, how: in its log}], propagation_delay: 60s}
`

func on(t *testing.T, test func(t *testing.T, o world.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, world.Options{Engine: world.SQLite, Dir: t.TempDir(), Seed: 7}) })
	t.Run("postgresql", func(t *testing.T) {
		test(t, world.Options{Engine: world.PostgreSQL, DatabaseURL: pgtest.NewDatabase(t), Seed: 7})
	})
}

func open(t *testing.T, o world.Options) *world.World {
	t.Helper()
	o.Defect = func(err error) { t.Errorf("defect: %v", err) }
	w, err := world.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func TestTimeIsItsUsers(t *testing.T) {
	on(t, func(t *testing.T, o world.Options) {
		w := open(t, o)
		if d := w.Now().Sub(world.Start); d < 0 || d > time.Minute {
			t.Fatalf("the world begins %s after its start", d)
		}
		w.Pass(time.Hour)
		at, err := w.Engine().Time(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if d := at.Sub(world.Start); d < time.Hour || d > time.Hour+time.Minute {
			t.Fatalf("an hour was passed; the engine's time is %s after the start", d)
		}
		if o.Engine == world.SQLite && !at.Equal(world.Start.Add(time.Hour)) {
			t.Fatalf("time runs by itself: %s", at)
		}
	})
}

// play proposes, restarts every server while a permit is out, and lets time pass until its deadline is over.
func play(t *testing.T, w *world.World) (state pb.Operation_State, id, again string) {
	t.Helper()
	conn, err := w.Conn()
	if err != nil {
		t.Fatal(err)
	}
	sources, problems := toolfile.Parse("tool.yaml", []byte(tool))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if _, err := pb.NewRegistryServiceClient(conn).ApplyTool(t.Context(), &pb.ApplyToolRequest{RequestId: "0b6f1d4e-4c2b-4a27-9a36-1d6a7c6a0000", Definition: sources[0].Proto}); err != nil {
		t.Fatal(err)
	}
	operations := pb.NewOperationServiceClient(conn)
	propose := func(requestID string) *pb.ProposeOperationResponse {
		answer, err := operations.ProposeOperation(t.Context(), &pb.ProposeOperationRequest{
			RequestId: requestID, Tool: "mail.send", Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: `{"ref":"a"}`},
		})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	granted := propose("0b6f1d4e-4c2b-4a27-9a36-1d6a7c6a0001")
	if granted.Permit == nil {
		t.Fatalf("no permit: %v", granted)
	}
	if _, err := operations.BeginAttempt(t.Context(), &pb.BeginAttemptRequest{
		OperationId: granted.GetResult().GetOperationId(), AttemptId: granted.Permit.AttemptId, AttemptToken: granted.Permit.AttemptToken,
		BeginNonce: []byte("0b6f1d4e-4c2b-4a27-9a36-1d6a7c6a0002"),
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Pass(2 * time.Minute)
	if err := w.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p := propose("0b6f1d4e-4c2b-4a27-9a36-1d6a7c6a0003").Permit; p != nil {
		t.Fatalf("a second permit after a silent attempt: %v", p)
	}
	twin, err := w.Twin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := pb.NewOperationServiceClient(twin).GetOperation(t.Context(), &pb.GetOperationRequest{OperationId: granted.GetResult().GetOperationId()})
	if err != nil {
		t.Fatal(err)
	}
	return got.Operation.State, got.Operation.OperationId, granted.Permit.AttemptId
}

func TestDueWorkIsDoneWhenItIsAskedFor(t *testing.T) {
	on(t, func(t *testing.T, o world.Options) {
		if state, _, _ := play(t, open(t, o)); state != pb.Operation_STATE_UNKNOWN_OUTCOME {
			t.Fatalf("a silent attempt past its deadline left the operation %s", state)
		}
	})
}

func TestWhatIsStoredIsCounted(t *testing.T) {
	on(t, func(t *testing.T, o world.Options) {
		w := open(t, o)
		before, err := w.Stored(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		play(t, w)
		after, err := w.Stored(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// One operation is at the least its row, its keys' claims and an event for each of created, begun and expired.
		if more := after.Less(before); more.Rows < 6 || before.Bytes <= 0 || more.Bytes < 0 {
			t.Fatalf("an operation added %+v to %+v", more, before)
		}
	})
}

func TestASeedRepeats(t *testing.T) {
	on(t, func(t *testing.T, o world.Options) {
		_, id, attempt := play(t, open(t, o))
		if o.Dir != "" {
			o.Dir = t.TempDir()
		}
		if _, again, attempted := play(t, open(t, o)); again != id || attempted != attempt {
			t.Fatalf("one seed made %s %s and then %s %s", id, attempt, again, attempted)
		}
	})
}

// TestTheCallAfterARestartArrives: however soon it comes, and on however many connections. On one processor the connections
// learn late that their server is gone.
func TestTheCallAfterARestartArrives(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	w := open(t, world.Options{Engine: world.SQLite, Dir: t.TempDir(), Seed: 7})
	var conns []*grpc.ClientConn
	for range 50 {
		conn, err := w.Conn()
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	for range 5 {
		for i, conn := range conns {
			if _, err := pb.NewRegistryServiceClient(conn).ListTools(t.Context(), &pb.ListToolsRequest{}); err != nil {
				t.Fatalf("connection %d: %v", i, err)
			}
		}
		if err := w.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(conns)
	}
}
