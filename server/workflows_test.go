package server_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/server/servertest"
)

// agent works in workflows at one server.
type agent struct {
	*servertest.Client
	workflows pb.WorkflowServiceClient
}

func newAgent(c *servertest.Client) *agent {
	return &agent{Client: c, workflows: pb.NewWorkflowServiceClient(c.Conn)}
}

// starting changes a request to start a workflow.
type starting = func(*pb.StartWorkflowRequest)

func byEvent(source, id string) starting {
	return func(r *pb.StartWorkflowRequest) { r.SourceEvent = &pb.SourceEvent{Source: source, EventId: id} }
}

func underKey(key, intent string) starting {
	return func(r *pb.StartWorkflowRequest) {
		r.CorrelationKey, r.NormalizedIntent, r.CorrelationWindow = key, intent, duration(10*time.Minute)
	}
}

func startRequest(change ...starting) *pb.StartWorkflowRequest {
	r := &pb.StartWorkflowRequest{RequestId: uuid.NewString()}
	for _, f := range change {
		f(r)
	}
	return r
}

func (a *agent) starts(change ...starting) *pb.StartWorkflowResponse {
	a.TB.Helper()
	m, err := a.workflows.StartWorkflow(a.TB.Context(), startRequest(change...))
	if err != nil {
		a.TB.Fatalf("start: %v", err)
	}
	return m
}

func (a *agent) resumes(workflow string, change ...func(*pb.ResumeWorkflowRequest)) *pb.ResumeWorkflowResponse {
	a.TB.Helper()
	r := &pb.ResumeWorkflowRequest{RequestId: uuid.NewString(), WorkflowId: workflow}
	for _, f := range change {
		f(r)
	}
	m, err := a.workflows.ResumeWorkflow(a.TB.Context(), r)
	if err != nil {
		a.TB.Fatalf("resume %s: %v", workflow, err)
	}
	return m
}

func completeRequest(workflow, run string, claims ...*pb.Claim) *pb.CompleteWorkflowRequest {
	r := &pb.CompleteWorkflowRequest{RequestId: uuid.NewString(), WorkflowId: workflow, RunId: run}
	if len(claims) > 0 {
		message := "told"
		r.Conclusion = &pb.Conclusion{UserMessage: message, Claims: claims}
	}
	return r
}

func (a *agent) completes(workflow, run string, claims ...*pb.Claim) *pb.CompleteWorkflowResponse {
	a.TB.Helper()
	m, err := a.workflows.CompleteWorkflow(a.TB.Context(), completeRequest(workflow, run, claims...))
	if err != nil {
		a.TB.Fatalf("complete %s: %v", workflow, err)
	}
	return m
}

func (a *agent) gets(workflow string) *pb.GetWorkflowResponse {
	a.TB.Helper()
	m, err := a.workflows.GetWorkflow(a.TB.Context(), &pb.GetWorkflowRequest{WorkflowId: workflow})
	if err != nil {
		a.TB.Fatalf("get %s: %v", workflow, err)
	}
	return m
}

func (a *agent) lists(r *pb.ListWorkflowsRequest) (ids []string) {
	a.TB.Helper()
	for {
		m, err := a.workflows.ListWorkflows(a.TB.Context(), r)
		if err != nil {
			a.TB.Fatalf("list: %v", err)
		}
		for _, w := range m.Workflows {
			ids = append(ids, w.WorkflowId)
		}
		if r.PageToken = m.NextPageToken; r.PageToken == "" {
			return ids
		}
	}
}

// TestStartsAtOnceMakeOneWorkflow: one event and one key that come to two servers at the same moment are one workflow.
func TestStartsAtOnceMakeOneWorkflow(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		servers := []*agent{newAgent(a), newAgent(b)}
		for name, change := range map[string]func(i int) starting{
			"one event": func(int) starting { return byEvent("slack", "ev_1") },
			"one key": func(i int) starting {
				return func(r *pb.StartWorkflowRequest) {
					byEvent("mail", string(rune('a'+i)))(r)
					underKey("k", "refund")(r)
				}
			},
			"one id": func(int) starting { return func(r *pb.StartWorkflowRequest) { r.WorkflowId = "task/1" } },
		} {
			const starts = 12
			answers := make([]*pb.StartWorkflowResponse, starts)
			var all sync.WaitGroup
			for i := range starts {
				all.Go(func() {
					m, err := servers[i%2].workflows.StartWorkflow(t.Context(), startRequest(change(i)))
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					answers[i] = m
				})
			}
			all.Wait()
			if t.Failed() {
				return
			}
			runs := 0
			for _, m := range answers {
				if m.Workflow.WorkflowId != answers[0].Workflow.WorkflowId {
					t.Fatalf("%s made two workflows: %s and %s", name, m.Workflow.WorkflowId, answers[0].Workflow.WorkflowId)
				}
				if (m.RunId != "") == (m.UnitedWith != nil) {
					t.Fatalf("%s: a run is its starter's alone: %v", name, m)
				}
				if m.RunId != "" {
					runs++
				}
			}
			if runs != 1 {
				t.Fatalf("%s: %d callers may act", name, runs)
			}
		}
	})
}

// TestResumeTellsWhatHappened: a run takes over, what is open is reconciled, and the account of it is the same at every
// server and in both forms.
func TestResumeTellsWhatHappened(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		one, two := twoServers(t, w)
		a, b := newAgent(one), newAgent(two)
		s := a.starts(func(r *pb.StartWorkflowRequest) { r.UserRequest = "Charge my order and send a receipt." })
		id, run := s.Workflow.WorkflowId, s.RunId
		paid := a.Execute("payment.capture", capture, from(id, run))
		a.Reported(paid, servertest.Succeeded("ch_1", `{"id":"ch_1"}`))
		mailed := a.Execute("email.send", mail, from(id, run))
		w.Pass(10 * time.Minute) // the process is gone

		r := b.resumes(id)
		if r.RunId == "" || r.RunId == run || r.Workflow.CurrentRunId != r.RunId || len(r.Workflow.Runs) != 2 {
			t.Fatalf("it is resumed by %q: %v", r.RunId, r.Workflow)
		}
		inState(t, b.Operation(mailed.OperationId), pb.Operation_STATE_UNKNOWN_OUTCOME) // time was applied
		var account struct {
			Schema      string
			Open, Ended []struct {
				ID      string `json:"operation_id"`
				Outcome string
				May     bool `json:"may_have_happened"`
			}
		}
		if err := json.Unmarshal([]byte(r.Projection.Json), &account); err != nil {
			t.Fatal(err)
		}
		if account.Schema != "opledger.projection/1" || len(account.Open) != 1 || account.Open[0].ID != mailed.OperationId || !account.Open[0].May ||
			len(account.Ended) != 1 || account.Ended[0].ID != paid.OperationId || account.Ended[0].Outcome != "done" {
			t.Fatalf("the account is %s", r.Projection.Json)
		}
		says(t, r.Projection.Prose, "Charge my order and send a receipt.", mailed.OperationId, "it may have happened", "done on", `{"id":"ch_1"}`)
		if len(r.Projection.Operations) != 2 || r.Projection.Summarized || r.Projection.Operations[0].Result.GetSafeUserMessage() == "" {
			t.Fatalf("it lists %v", r.Projection.Operations)
		}
		again := a.resumes(id, func(m *pb.ResumeWorkflowRequest) { m.RunId = r.RunId })
		if again.Projection.Json != r.Projection.Json || again.Projection.Prose != r.Projection.Prose || again.RunId != r.RunId {
			t.Fatalf("the same state is told otherwise:\n%s\n%s", again.Projection.Json, r.Projection.Json)
		}

		_, err := a.ProposeOperation(t.Context(), servertest.Proposal("refund.create", refund, from(id, run)))
		refused(t, err, codes.FailedPrecondition, "RUN_SUPERSEDED")
		if m := servertest.InfoOf(err).Metadata; m["current_run_id"] != r.RunId {
			t.Fatalf("the refusal tells %v", m)
		}
		decided(t, a.Propose("payment.capture", capture, from(id, run)), pb.Decision_DECISION_REPLAYED) // it is told of what exists
		_, err = a.workflows.ResumeWorkflow(t.Context(), &pb.ResumeWorkflowRequest{RequestId: uuid.NewString(), WorkflowId: id, RunId: run})
		refused(t, err, codes.FailedPrecondition, "RUN_SUPERSEDED")
		decided(t, b.Propose("refund.create", refund, from(id, r.RunId)), pb.Decision_DECISION_EXECUTE)
	})
}

// TestEndsAndClaims: the end is refused where the user would be told otherwise than the ledger knows, and gives up the rest.
func TestEndsAndClaims(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a := newAgent(serve(w))
		s := a.starts()
		id, run := s.Workflow.WorkflowId, s.RunId
		paid := a.Execute("payment.capture", capture, from(id, run))
		a.Reported(paid, servertest.Succeeded("ch_1", `{"id":"ch_1"}`))
		mailed := a.Execute("email.send", mail, from(id, run))
		a.Reported(mailed, servertest.Ambiguous())
		waiting := a.Execute("refund.create", refund, from(id, run))
		a.Reported(waiting, servertest.NotSent())

		claim := func(p *pb.Permit, k pb.ClaimKind) *pb.Claim { return &pb.Claim{OperationId: p.OperationId, Kind: k} }
		_, err := a.workflows.CompleteWorkflow(t.Context(), completeRequest(id, run,
			claim(paid, pb.ClaimKind_CLAIM_KIND_NOT_DONE), claim(mailed, pb.ClaimKind_CLAIM_KIND_DONE), claim(waiting, pb.ClaimKind_CLAIM_KIND_NOT_DONE)))
		refused(t, err, codes.FailedPrecondition, "CLAIM_CONTRADICTED")
		var wrong []string
		for _, d := range status.Convert(err).Details() {
			if c, ok := d.(*pb.ClaimConflictDetail); ok {
				wrong = append(wrong, c.OperationId)
				if c.SafeUserMessage == "" || c.State == pb.Operation_STATE_UNSPECIFIED {
					t.Errorf("the conflict tells %v", c)
				}
			}
		}
		if !slices.Equal(wrong, []string{paid.OperationId, mailed.OperationId}) {
			t.Fatalf("contradicted are %q", wrong)
		}
		if got := a.gets(id); got.Workflow.State != pb.Workflow_STATE_OPEN || len(got.Operations) != 3 || !slices.Contains(got.OpenOperationIds, mailed.OperationId) {
			t.Fatalf("a refused end ended it: %v", got.Workflow)
		}

		request := completeRequest(id, run, claim(paid, pb.ClaimKind_CLAIM_KIND_DONE), claim(mailed, pb.ClaimKind_CLAIM_KIND_OPEN))
		request.Etag = a.gets(id).Workflow.Etag
		for range 2 { // the second is its repeat
			m, err := a.workflows.CompleteWorkflow(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			if m.Workflow.State != pb.Workflow_STATE_COMPLETED || !slices.Equal(m.CancelledOperationIds, []string{waiting.OperationId}) || !slices.Equal(m.OpenOperationIds, []string{mailed.OperationId}) {
				t.Fatalf("%v", m)
			}
			if len(m.Workflow.Conclusion.GetClaims()) != 2 || m.Workflow.Conclusion.UserMessage != "told" {
				t.Fatalf("recorded is %v", m.Workflow.Conclusion)
			}
		}
		_, err = a.ProposeOperation(t.Context(), servertest.Proposal("contact.upsert", `{"contact_id":"c_1"}`, from(id, run)))
		refused(t, err, codes.FailedPrecondition, "WORKFLOW_ENDED")
		_, err = a.workflows.ResumeWorkflow(t.Context(), &pb.ResumeWorkflowRequest{RequestId: uuid.NewString(), WorkflowId: id})
		refused(t, err, codes.FailedPrecondition, "WORKFLOW_ENDED")
		if !slices.ContainsFunc(a.Events(waiting.OperationId), func(e *pb.OperationEvent) bool {
			return e.Type == pb.OperationEventType_OPERATION_EVENT_TYPE_WORKFLOW_ENDED
		}) {
			t.Fatal("the history does not tell why it was cancelled")
		}
	})
}

// TestALongEndIsGivenUpByDueWork: a workflow with more than one transaction can close is closed to the last operation, by
// the call and, where its server is gone right after the end, by due work.
func TestALongEndIsGivenUpByDueWork(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a := newAgent(serve(w))
		s := a.starts()
		const many = 40
		var ids []string
		for i := range many {
			p := a.Execute("email.send", strings.ReplaceAll(mail, "order_123", "order_"+string(rune('a'+i%26))+string(rune('a'+i/26))), from(s.Workflow.WorkflowId, s.RunId))
			a.Reported(p, servertest.NotSent())
			ids = append(ids, p.OperationId)
		}
		m := a.completes(s.Workflow.WorkflowId, s.RunId)
		if len(m.CancelledOperationIds) != many || len(m.OpenOperationIds) != 0 {
			t.Fatalf("%d are cancelled, %d open", len(m.CancelledOperationIds), len(m.OpenOperationIds))
		}
		w.Dispatch()
		w.Pass(time.Minute)
		eventually(t, "the sweep comes to its end", func() bool {
			due, err := w.Engine.ClaimDueRecords(t.Context(), "workflow", "nobody", 1, time.Millisecond)
			return err == nil && len(due) == 0
		})
		for _, id := range ids {
			inState(t, a.Operation(id), pb.Operation_STATE_FAILED_PERMANENT)
		}
	})
}

// TestAnEndWhoseServerDied: what the end had no time to give up is given up by due work, leases included, and no permit is
// given in between.
func TestAnEndWhoseServerDied(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a := newAgent(serve(w))
		s := a.starts()
		id, run := s.Workflow.WorkflowId, s.RunId
		p := a.Execute("refund.create", refund, from(id, run))
		a.Reported(p, servertest.NotSent())
		newTenant(a.Client, id, run).acquires("order_999")

		l := transact.New(w.Engine, transact.Options{})
		defer l.Close()
		if _, err := l.Do(t.Context(), &ledger.CompleteWorkflow{
			Request: ledger.Request{Namespace: "default", Principal: "local", ID: "end", Hash: "end"}, WorkflowID: id, RunID: run,
		}); err != nil {
			t.Fatal(err)
		}
		inState(t, a.Operation(p.OperationId), pb.Operation_STATE_FAILED_RETRYABLE)
		w.Pass(20 * time.Second)                                                                             // the lease is still held, and the try is due
		decided(t, a.Propose("refund.create", refund, from("wf_2", "run_1")), pb.Decision_DECISION_REPLAYED) // cancelled, by whom it was met
		inState(t, a.Operation(p.OperationId), pb.Operation_STATE_FAILED_PERMANENT)

		w.Dispatch()
		other := newTenant(a.Client, "wf_2", "run_1")
		eventually(t, "the lease is given back", func() bool { return other.ask(other.wish("order_999")).Grant != nil })
	})
}

// TestListingWorkflows: every filter by itself, over pages.
func TestListingWorkflows(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a := newAgent(serve(w))
		var all []string
		for i := range 7 {
			s := a.starts(byEvent("slack", string(rune('a'+i))), func(r *pb.StartWorkflowRequest) {
				if i%2 == 0 {
					r.Requester = "kim@example.com"
				}
				if i == 3 {
					underKey("k", "refund")(r)
				}
			})
			all = append([]string{s.Workflow.WorkflowId}, all...)
			if i == 5 {
				a.completes(s.Workflow.WorkflowId, s.RunId)
			}
			w.Pass(time.Second)
		}
		if got := a.lists(&pb.ListWorkflowsRequest{PageSize: 3}); !slices.Equal(got, all) {
			t.Fatalf("listed %q, want %q", got, all)
		}
		for name, c := range map[string]struct {
			request *pb.ListWorkflowsRequest
			want    []string
		}{
			"state":     {&pb.ListWorkflowsRequest{States: []pb.Workflow_State{pb.Workflow_STATE_COMPLETED}}, all[1:2]},
			"requester": {&pb.ListWorkflowsRequest{Requester: "kim@example.com", PageSize: 1}, []string{all[0], all[2], all[4], all[6]}},
			"key":       {&pb.ListWorkflowsRequest{CorrelationKey: "k"}, all[3:4]},
			"event":     {&pb.ListWorkflowsRequest{SourceEvent: &pb.SourceEvent{Source: "slack", EventId: "c"}}, all[4:5]},
			"no event":  {&pb.ListWorkflowsRequest{SourceEvent: &pb.SourceEvent{Source: "slack", EventId: "z"}}, nil},
			"from":      {&pb.ListWorkflowsRequest{CreateTimeFrom: a.gets(all[1]).Workflow.CreateTime}, all[:2]},
			"until":     {&pb.ListWorkflowsRequest{CreateTimeUntil: a.gets(all[5]).Workflow.CreateTime}, all[6:]},
			"all of it": {&pb.ListWorkflowsRequest{States: []pb.Workflow_State{pb.Workflow_STATE_OPEN}, Requester: "kim@example.com", CorrelationKey: "none"}, nil},
		} {
			if got := a.lists(c.request); !slices.Equal(got, c.want) {
				t.Errorf("by %s: %q, want %q", name, got, c.want)
			}
		}
		first, err := a.workflows.ListWorkflows(t.Context(), &pb.ListWorkflowsRequest{PageSize: 2})
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.workflows.ListWorkflows(t.Context(), &pb.ListWorkflowsRequest{PageSize: 2, PageToken: first.NextPageToken, Requester: "kim@example.com"})
		refused(t, err, codes.InvalidArgument, "INVALID_PAGE_TOKEN")
	})
}
