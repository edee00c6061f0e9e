package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/google/uuid"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestPollsThatMakeNoSenseAreToldSo at once, since work would wait for ever for a name that is mistyped.
func TestPollsThatMakeNoSenseAreToldSo(t *testing.T) {
	t.Parallel()
	w := servertest.SQLite(t)
	c := employ(t, w, "email.send")
	c.ApplyDefinition(fieldTool(t, "payment.capture")) // inline
	twice := wants("w1", 1, "email.send", "email.send")
	nothing := wants("w1", 0, "email.send")
	for name, bad := range map[string]struct {
		request *pb.PollWorkRequest
		reason  string
		field   string
	}{
		"an unknown tool":         {wants("w1", 1, "email.sent"), "UNKNOWN_TOOL", "credits[0].tool"},
		"a tool that callers run": {wants("w1", 1, "email.send", "payment.capture"), "INVALID_REQUEST", "credits[1].tool"},
		"a tool named twice":      {twice, "INVALID_REQUEST", "credits[1].tool"},
		"room for nothing":        {nothing, "INVALID_REQUEST", "credits"},
		"no tool":                 {wants("w1", 1), "INVALID_REQUEST", "credits"},
		"no worker":               {wants("", 1, "email.send"), "INVALID_REQUEST", "worker_id"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.work.PollWork(t.Context(), bad.request)
			refused(t, err, codes.InvalidArgument, bad.reason, bad.field)
		})
	}
	patient := wants("w1", 1, "email.send")
	patient.Wait = duration(time.Hour)
	_, err := c.work.PollWork(t.Context(), patient)
	refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "wait")
}

// TestAWorkerReachesWhatItsCredentialReaches: role, tools and namespace.
func TestAWorkerReachesWhatItsCredentialReaches(t *testing.T) {
	t.Parallel()
	people := newPeople(t,
		"shop admin administer", "shop agent propose,read", "shop worker execute", "shop narrow execute", "other worker2 execute", "other admin2 administer")
	w := servertest.SQLite(t)
	anyone := w.Serve(servertest.WithCallers(narrowed{people}))
	d := fieldTool(t, "email.send")
	d.Executor = pb.Executor_EXECUTOR_WORKER
	anyone.As(people.token("admin")).ApplyDefinition(d)
	anyone.As(people.token("admin2")).ApplyDefinition(d)
	decided(t, anyone.As(people.token("agent")).Propose("email.send", mail), pb.Decision_DECISION_ENQUEUED)

	as := func(name string) pb.WorkServiceClient {
		return pb.NewWorkServiceClient(anyone.As(people.token(name)).Conn)
	}
	for _, name := range []string{"agent", "narrow"} {
		_, err := as(name).PollWork(t.Context(), wants("w1", 1, "email.send"))
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
	}
	if m, err := as("worker2").PollWork(t.Context(), wants("w1", 1, "email.send")); err != nil || len(m.Items) > 0 {
		t.Fatalf("another namespace has no such work: %v, %v", m, err)
	}
	m, err := as("worker").PollWork(t.Context(), wants("w1", 1, "email.send"))
	if err != nil || len(permits(m)) != 1 {
		t.Fatalf("got %v, %v", m, err)
	}
	// The request id belongs to its principal, and what a worker holds to its credential.
	held, err := as("worker2").DrainWorker(t.Context(), &pb.DrainWorkerRequest{RequestId: uuid.NewString(), WorkerId: "w1"})
	if err != nil || len(held.AttemptIds) > 0 {
		t.Fatalf("got %v, %v", held, err)
	}
}

// narrowed lets the principals whose names begin with "narrow" reach the tools of payments alone.
type narrowed struct{ *people }

func (n narrowed) Authenticate(ctx context.Context) (callers.Caller, error) {
	c, err := n.people.Authenticate(ctx)
	if strings.HasPrefix(string(c.Principal), "narrow") {
		c.Tools = []string{"payment.*"}
	}
	return c, err
}

// TestAWorkerLooksUp: an unknown outcome is handed out as a question, and the answer settles it.
func TestAWorkerLooksUp(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := employ(t, w, "email.send")
		id := c.enqueued(t, "email.send", mail)
		p := c.onePermit(t, wants("w1", 1, "email.send"))
		c.Begin(p)
		inState(t, c.Reported(p, servertest.Ambiguous()).Operation, pb.Operation_STATE_UNKNOWN_OUTCOME)

		w.Pass(time.Hour) // the question is due, and "not found" would count
		m := c.polled(t, wants("w1", 1, "email.send"))
		if len(m.Items) != 1 || m.Items[0].GetLookup() == nil {
			t.Fatalf("a question is wanted: %v", m)
		}
		look := m.Items[0].GetLookup()
		if look.OperationId != id || look.Tool != "email.send" || look.Instruction.LookupTicket == "" || len(look.Instruction.Questions) == 0 {
			t.Fatalf("the question lacks something: %v", look)
		}
		if m := c.polled(t, wants("w2", 1, "email.send")); len(m.Items) > 0 {
			t.Fatalf("the question was handed out twice: %v", m)
		}
		found := servertest.Looked(look.Instruction, pb.Verdict_VERDICT_HAPPENED, "msg_1")
		found.EvidenceId = uuid.NewString()
		answer := &pb.AnswerLookupRequest{RequestId: uuid.NewString(), OperationId: id, Evidence: found}
		for range 2 { // a repeat is one
			a, err := c.work.AnswerLookup(t.Context(), answer)
			if err != nil || a.Evidence.Effect != pb.EvidenceEffect_EVIDENCE_EFFECT_APPLIED {
				t.Fatalf("got %v, %v", a, err)
			}
		}
		inState(t, c.Operation(id), pb.Operation_STATE_COMPLETED_SUCCESS)

		word := &pb.Evidence{
			EvidenceId: uuid.NewString(), Verdict: pb.Verdict_VERDICT_HAPPENED,
			Source: &pb.Evidence_Person{Person: &pb.PersonSource{SeenOperationVersion: 1, Reason: "so he said"}},
		}
		_, err := c.work.AnswerLookup(t.Context(), &pb.AnswerLookupRequest{RequestId: uuid.NewString(), OperationId: id, Evidence: word})
		refused(t, err, codes.InvalidArgument, "INVALID_REQUEST")
	})
}

// TestAnAnswerThatAClientCanRead: large work is handed out in several answers, each small enough for a client as it comes,
// and none of it is lost.
func TestAnAnswerThatAClientCanRead(t *testing.T) {
	t.Parallel()
	w := servertest.SQLite(t)
	c := employ(t, w, "record.write")
	const pieces = 20
	large := strings.Repeat("x", 240<<10)
	for i := range pieces {
		c.enqueued(t, "record.write", fmt.Sprintf(`{"n":%d,"text":%q}`, i, large))
	}
	got := map[string]bool{}
	for polls := 0; len(got) < pieces; polls++ {
		m := c.polled(t, wants("w1", 100, "record.write")) // fails beyond the 4 MiB that clients of gRPC take by default
		if len(m.Items) == 0 || polls == pieces {
			t.Fatalf("after %d polls %d of %d are handed out", polls, len(got), pieces)
		}
		for _, p := range permits(m) {
			if got[p.OperationId] {
				t.Fatal("handed out twice")
			}
			got[p.OperationId] = true
		}
	}
}
