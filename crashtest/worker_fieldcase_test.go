//go:build unix

package crashtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/childproc"
	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/registry/toolfile"
)

// workerTools are the field cases' tools. Permits are as short as the contract admits, and live by their heartbeats.
const workerTools = `
name: email.send
class: EXTERNAL_NON_IDEMPOTENT_WRITE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "email:{ref}", occurrence: NOBODY}
permit: {duration: 1s, greatest_age: 600s, stall_allowance: 600s}
retry: {initial_backoff: 0.05s, max_backoff: 0.1s, max_attempts: 3}
policy: {loosen_reason: A test.}
provider: {name: post, stores_client_reference: true, longest_flight: 0.1s}
---
name: report.send
class: EXTERNAL_NON_IDEMPOTENT_WRITE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "report:{ref}", occurrence: NOBODY}
# Longer than a server takes to start again.
permit: {duration: 15s, greatest_age: 600s, stall_allowance: 600s}
policy: {loosen_reason: A test.}
provider: {name: post, stores_client_reference: true, longest_flight: 0.1s}
---
name: payment.capture
class: EXTERNAL_IDEMPOTENT_WRITE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "capture:{ref}", occurrence: NOBODY}
permit: {duration: 1s, greatest_age: 600s, stall_allowance: 1s}
retry: {initial_backoff: 0.05s, max_backoff: 0.1s, max_attempts: 3}
policy: {loosen_reason: A test.}
provider:
  name: bank
  idempotency_key: {supported: true, header: Idempotency-Key, retention: 86400s}
  longest_flight: 0.1s
---
name: contact.upsert
class: INTERNAL_DETERMINISTIC_WRITE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "contact:{ref}", occurrence: NOBODY, entity: {type: contact, id: "{ref}"}}
exclusive: {group: contacts}
permit: {duration: 1s, greatest_age: 600s}
retry: {initial_backoff: 0.05s, max_backoff: 0.1s, max_attempts: 5}
`

// office is a ledger with its server process, and clients of it.
type office struct {
	t        *testing.T
	database string
	server   *childproc.Server
	conn     *grpc.ClientConn
	api      pb.OperationServiceClient
	work     pb.WorkServiceClient
}

func openOffice(t *testing.T, database string) *office {
	t.Helper()
	o := &office{t: t, database: database}
	o.serve()
	o.conn = connect(t, o.server.Address)
	o.api, o.work = pb.NewOperationServiceClient(o.conn), pb.NewWorkServiceClient(o.conn)
	sources, problems := toolfile.Parse("tools.yaml", []byte(workerTools))
	for _, p := range problems {
		t.Fatal(p)
	}
	for _, s := range sources {
		if _, err := pb.NewRegistryServiceClient(o.conn).ApplyTool(t.Context(), &pb.ApplyToolRequest{RequestId: uuid.NewString(), Definition: s.Proto}); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// serve starts the server, again at the same address where it had one.
func (o *office) serve() {
	o.t.Helper()
	var arguments []string
	if o.server != nil {
		arguments = []string{"--listen", o.server.Address}
	}
	server, err := childproc.StartServer(o.t.Context(), binary, o.database, arguments...)
	if err != nil {
		o.t.Fatal(err)
	}
	o.server = server
}

func (o *office) kill() {
	o.t.Helper()
	if !o.server.Kill() {
		o.t.Fatalf("the server had ended by itself: %v", o.server.Wait())
	}
}

// enqueue proposes an operation that a worker is to run.
func (o *office) enqueue(tool, ref string) string {
	o.t.Helper()
	m, err := o.api.ProposeOperation(o.t.Context(), &pb.ProposeOperationRequest{
		RequestId: uuid.NewString(), WorkflowId: "wf_1", RunId: "run_1", Tool: tool,
		Arguments: &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: `{"ref":"` + ref + `"}`},
	})
	if err != nil || m.Decision != pb.Decision_DECISION_ENQUEUED {
		o.t.Fatalf("got %v, %v", m, err)
	}
	return m.Result.OperationId
}

// until reads an operation until it is as wanted.
func (o *office) until(id, what string, wanted func(*pb.Operation) bool) *pb.Operation {
	o.t.Helper()
	deadline := time.Now().Add(settling)
	for since := int64(0); ; {
		stream, err := o.api.WatchOperation(o.t.Context(), &pb.WatchOperationRequest{OperationId: id})
		for err == nil {
			var m *pb.WatchOperationResponse
			if m, err = stream.Recv(); err == nil && wanted(m.Operation) {
				return m.Operation
			}
			since = max(since, m.GetOperation().GetVersion())
		}
		if time.Now().After(deadline) {
			o.t.Fatalf("%s did not come to be %s by version %d: %v", id, what, since, err)
		}
	}
}

func inState(s pb.Operation_State) func(*pb.Operation) bool {
	return func(o *pb.Operation) bool { return o.State == s }
}

// nothing expects that another worker is handed nothing.
func (o *office) nothing(tool string) {
	o.t.Helper()
	m, err := o.work.PollWork(o.t.Context(), &pb.PollWorkRequest{
		RequestId: uuid.NewString(), WorkerId: "another", Credits: []*pb.ToolCredit{{Tool: tool, Dispatches: 10, Lookups: 10}},
	})
	if err != nil || len(m.Items) > 0 {
		o.t.Fatalf("another worker is handed %v, %v", m, err)
	}
}

// ledgerFile is an SQLite file of the test's own.
func ledgerFile(t *testing.T) string { return filepath.Join(t.TempDir(), "ledger.db") }

// oneMade expects one effect, and answers it.
func oneMade(t *testing.T, v *vendor.Process) vendor.Effect {
	t.Helper()
	made := v.Effects()
	if len(made) != 1 {
		t.Fatalf("%d effects were made: %v", len(made), made)
	}
	return made[0]
}

// FC-401: the engine calls it timed out, the code runs on. The worker is frozen between its last look at the clock and its
// first byte, past its deadline, and wakes.
func TestFC401ATimedOutWorkerRunsOn(t *testing.T) {
	t.Run("email.send", func(t *testing.T) {
		t.Parallel()
		o, v := openOffice(t, ledgerFile(t)), vendor.Start(t)
		w1 := employ(t, post{Server: o.server.Address, URL: v.URL + "/plain/mails", ID: "w1", Tools: []string{"email.send"}, Freeze: true})
		id := o.enqueue("email.send", "order_123")
		w1.says("frozen")
		o.until(id, "unknown", inState(pb.Operation_STATE_UNKNOWN_OUTCOME))
		o.nothing("email.send")
		w1.wake()
		op := o.until(id, "known", inState(pb.Operation_STATE_COMPLETED_SUCCESS))
		made := oneMade(t, v)
		if len(op.Attempts) != 1 || len(op.Effects) != 1 || op.Effects[0].EffectId != made.ID || len(op.Incidents) > 0 {
			t.Fatalf("one attempt and its one effect: %v", op)
		}
		if !lateEvidence(op) {
			t.Errorf("the late report is kept as evidence: %v", op.Evidence)
		}
	})
	t.Run("payment.capture", func(t *testing.T) {
		t.Parallel()
		o, v := openOffice(t, ledgerFile(t)), vendor.Start(t)
		w1 := employ(t, post{Server: o.server.Address, URL: v.URL + "/keyed/charges", ID: "w1", Tools: []string{"payment.capture"}, Freeze: true})
		id := o.enqueue("payment.capture", "order_123")
		w1.says("frozen")
		w2 := employ(t, post{Server: o.server.Address, URL: v.URL + "/keyed/charges", ID: "w2", Tools: []string{"payment.capture"}})
		w2.says("sent")
		o.until(id, "known", inState(pb.Operation_STATE_COMPLETED_SUCCESS))
		w1.wake()
		w1.says("sent")
		op := o.until(id, "told by both", lateEvidence)
		made := oneMade(t, v)
		if len(op.Attempts) != 2 || !op.Attempts[1].Resend || op.State != pb.Operation_STATE_COMPLETED_SUCCESS {
			t.Fatalf("the second attempt is the same request once more, and it is known: %v, %v", op.State, op.Attempts)
		}
		if len(op.Effects) != 1 || op.Effects[0].EffectId != made.ID || len(op.Incidents) > 0 {
			t.Fatalf("one effect that was told twice is no duplicate: %v, %v", op.Effects, op.Incidents)
		}
	})
	t.Run("contact.upsert", func(t *testing.T) {
		t.Parallel()
		o, store := openOffice(t, ledgerFile(t)), newStore(t)
		w1 := employ(t, post{Server: o.server.Address, URL: store.URL, ID: "w1", Tools: []string{"contact.upsert"}, Freeze: true})
		id := o.enqueue("contact.upsert", "contact_7")
		w1.says("frozen")
		w2 := employ(t, post{Server: o.server.Address, URL: store.URL, ID: "w2", Tools: []string{"contact.upsert"}})
		w2.says("sent")
		o.until(id, "known", inState(pb.Operation_STATE_COMPLETED_SUCCESS))
		w1.wake()
		w1.says("sent")
		store.mu.Lock()
		defer store.mu.Unlock()
		if len(store.written) != 1 || len(store.refused) != 1 || store.refused[0] >= store.written[0] {
			t.Fatalf("the fencing number decides: written under %v, refused under %v", store.written, store.refused)
		}
	})
}

// lateEvidence reports whether a late report was kept.
func lateEvidence(op *pb.Operation) bool {
	for _, e := range op.Evidence {
		if e.AttemptNumber > 0 {
			return true
		}
	}
	return false
}

// store keeps fencing numbers: it refuses a write that bears a smaller one than it has seen.
type store struct {
	*httptest.Server
	mu               sync.Mutex
	written, refused []int64
}

func newStore(t *testing.T) *store {
	s := &store{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number, err := strconv.ParseInt(r.Header.Get("Fencing-Number"), 10, 64)
		if err != nil {
			t.Errorf("a write without a fencing number: %v", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.written) > 0 && number < s.written[len(s.written)-1] {
			s.refused = append(s.refused, number)
			w.WriteHeader(http.StatusConflict)
			return
		}
		s.written = append(s.written, number)
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(vendor.Effect{ID: fmt.Sprint("row_", number)})
	}))
	t.Cleanup(s.Close)
	return s
}

// FC-402: no heartbeat does not say that it never began. What nobody fetched has certainly not begun.
func TestFC402DeadBeforeTheFirstHeartbeat(t *testing.T) {
	o, v := openOffice(t, ledgerFile(t)), vendor.Start(t)
	w1 := employ(t, post{Server: o.server.Address, URL: v.URL + "/plain/mails", ID: "w1", Tools: []string{"email.send"}, Hold: true})
	id := o.enqueue("email.send", "order_123")
	w1.says("sent")
	w1.Kill()
	never := o.enqueue("email.send", "order_124")
	op := o.until(id, "unknown", inState(pb.Operation_STATE_UNKNOWN_OUTCOME))
	if len(op.Attempts) != 1 || op.Attempts[0].Verdict != pb.AttemptVerdict_ATTEMPT_VERDICT_OPEN {
		t.Fatalf("whether it happened is open: %v", op.Attempts)
	}
	oneMade(t, v)
	if op := o.until(never, "there", func(*pb.Operation) bool { return true }); op.State != pb.Operation_STATE_PENDING_DISPATCH || len(op.Attempts) > 0 {
		t.Fatalf("what was never handed out waits: %v", op)
	}
}

// FC-403: a step that is killed each time after its mail has gone out sends one mail.
func TestFC403ASilenceIsNoFailure(t *testing.T) {
	o, v := openOffice(t, ledgerFile(t)), vendor.Start(t)
	start := func(name string) *hand {
		return employ(t, post{Server: o.server.Address, URL: v.URL + "/plain/mails", ID: name, Tools: []string{"email.send"}, Hold: true})
	}
	w1 := start("w1")
	id := o.enqueue("email.send", "order_123")
	w1.says("sent")
	o.until(id, "extended beyond its first deadline", func(op *pb.Operation) bool {
		a := op.Attempts[0]
		return a.DeadlineTime.AsTime().Sub(a.GrantTime.AsTime()) > 1500*time.Millisecond
	})
	w1.Kill()
	o.until(id, "unknown", inState(pb.Operation_STATE_UNKNOWN_OUTCOME))
	for _, name := range []string{"w2", "w3"} {
		w := start(name)
		other := o.enqueue("email.send", "to "+name) // it works, and is handed this alone
		w.says("sent")
		o.nothing("email.send")
		w.Kill()
		o.until(other, "unknown", inState(pb.Operation_STATE_UNKNOWN_OUTCOME))
	}
	if op := o.until(id, "there", func(*pb.Operation) bool { return true }); len(op.Attempts) != 1 || op.State != pb.Operation_STATE_UNKNOWN_OUTCOME {
		t.Fatalf("no further permit until it is reconciled: %v", op)
	}
	if made := v.Effects(); len(made) != 3 {
		t.Fatalf("three operations are three mails: %v", made)
	}
}

// FC-404: recovery adopts nothing that is alive. Two servers sweep one database at once while a permit is live and much is
// due; one of them sleeps over what the other does.
func TestFC404RecoveryLeavesWhatIsAlive(t *testing.T) {
	o, v := openOffice(t, pgtest.NewDatabase(t)), vendor.Start(t)
	url := v.URL + "/plain/mails"
	w1 := employ(t, post{Server: o.server.Address, URL: url, ID: "w1", Tools: []string{"email.send"}, Hold: true})
	alive := o.enqueue("email.send", "alive")
	w1.says("sent")
	const due = 40
	var ids []string
	for i := range due {
		ids = append(ids, o.enqueue("payment.capture", fmt.Sprint("order_", i)))
	}
	servers := []*childproc.Server{o.server}
	for range 2 {
		s, err := childproc.StartServer(t.Context(), binary, o.database)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Kill() })
		servers = append(servers, s)
	}
	charges := v.URL + "/keyed/charges"
	for i, s := range servers[1:] {
		employ(t, post{Server: s.Address, URL: charges, ID: fmt.Sprint("w", i+2), Tools: []string{"payment.capture"}})
	}
	v.Await(t.Context(), "some charges", func(c vendor.Counts) bool { return c.Effects["charges"] > due/4 })
	if err := servers[2].Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	v.Await(t.Context(), "more charges", func(c vendor.Counts) bool { return c.Effects["charges"] > due*3/4 })
	if err := servers[2].Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if op := o.until(id, "known", inState(pb.Operation_STATE_COMPLETED_SUCCESS)); len(op.Effects) != 1 || len(op.Incidents) > 0 {
			t.Errorf("one effect each: %v", op)
		}
	}
	op := o.until(alive, "there", func(*pb.Operation) bool { return true })
	if op.State != pb.Operation_STATE_DISPATCHED || len(op.Attempts) != 1 || !op.Attempts[0].Live {
		t.Errorf("what was alive is alive, once: %v", op)
	}
	if n := len(v.Effects()); n != due+1 {
		t.Errorf("%d effects of %d operations", n, due+1)
	}
}

// FC-405: all servers die and come back. The permit lives on, since it lives in the database; a second worker gets nothing.
func TestFC405APermitOutlivesEveryServer(t *testing.T) {
	o, v := openOffice(t, ledgerFile(t)), vendor.Start(t)
	url := v.URL + "/plain/mails"
	w1 := employ(t, post{Server: o.server.Address, URL: url, ID: "w1", Tools: []string{"email.send", "report.send"}, Hold: true})
	id := o.enqueue("report.send", "order_123")
	attempt := w1.says("sent")
	before := o.until(id, "dispatched", inState(pb.Operation_STATE_DISPATCHED)).Attempts[0].DeadlineTime.AsTime()
	o.kill()
	o.serve()
	op := o.until(id, "extended by a server of after", func(op *pb.Operation) bool {
		return op.State != pb.Operation_STATE_DISPATCHED || op.Attempts[0].DeadlineTime.AsTime().After(before)
	})
	if len(op.Attempts) != 1 || !op.Attempts[0].Live || op.Attempts[0].AttemptId != attempt {
		t.Fatalf("the permit lives on: %v", op)
	}
	o.nothing("report.send")
	oneMade(t, v)

	// A deadline that passes while no server runs is applied once, at the start, by class.
	id = o.enqueue("email.send", "order_124")
	o.until(id, "begun", func(op *pb.Operation) bool { return len(op.Attempts) > 0 && op.Attempts[0].BeginTime != nil })
	o.kill()
	w1.Kill()
	hold(t, 2*time.Second) // longer than the permit lasts
	o.serve()
	o.until(id, "unknown", inState(pb.Operation_STATE_UNKNOWN_OUTCOME))
	events, err := o.api.ListOperationEvents(t.Context(), &pb.ListOperationEventsRequest{OperationId: id, PageSize: 1000})
	if err != nil {
		t.Fatal(err)
	}
	applied := 0
	for _, e := range events.Events {
		if e.ToState == pb.Operation_STATE_UNKNOWN_OUTCOME {
			applied++
		}
	}
	if applied != 1 {
		t.Fatalf("the deadline was applied %d times", applied)
	}
	o.nothing("email.send")
}
