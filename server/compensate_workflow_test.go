package server_test

import (
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// unwinds asks that what wf_1 did be undone, and tells how far each operation has come, by tool and status.
func unwinds(t *testing.T, c *servertest.Client, workflow string) (*pb.CompensateWorkflowResponse, []string) {
	t.Helper()
	m, err := pb.NewWorkflowServiceClient(c.Conn).CompensateWorkflow(t.Context(), &pb.CompensateWorkflowRequest{
		WorkflowId: workflow, RequestId: uuid.NewString(), Reason: "the plan's last step failed",
	})
	if err != nil {
		t.Fatalf("compensate the workflow: %v", err)
	}
	var words []string
	for _, o := range m.Operations {
		words = append(words, o.Tool+" "+o.Status.String()[len("STATUS_"):])
	}
	return m, words
}

func wantWords(t *testing.T, have []string, want ...string) {
	t.Helper()
	if len(have) != len(want) {
		t.Fatalf("%q, want %q", have, want)
	}
	for i := range have {
		if have[i] != want[i] {
			t.Fatalf("%q, want %q", have, want)
		}
	}
}

// TestAWorkflowIsUndoneInReverse: what succeeded last is undone first, each after the one before it is known to be undone,
// also after the workflow ended and its servers were started anew. What has no playbook stands and is named.
func TestAWorkflowIsUndoneInReverse(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		p := newProvider(t)
		a := newAgent(serve(w))
		undoable(t, a.Client)
		s := a.starts(func(r *pb.StartWorkflowRequest) { r.WorkflowId = "wf_trip" })
		in := from("wf_trip", s.RunId)
		charge := func(order string) string {
			permit := a.Execute("payment.capture", `{"order_id":"`+order+`","amount":"49.00","currency":"USD"}`, in)
			a.Reported(permit, servertest.Succeeded(p.did(permit, 4900), `{"status":"captured","amount":"49.00"}`))
			return permit.OperationId
		}
		first := charge("order_1")
		mail := a.Execute("email.send", `{"template":"receipt","ref":"order_1","to":["kim@example.com"]}`, in)
		second := charge("order_2")
		_, words := unwinds(t, a.Client, "wf_trip")
		wantWords(t, words, "email.send OPEN", "payment.capture WAITING", "payment.capture WAITING") // it may have been sent last
		a.Reported(mail, servertest.Succeeded(p.did(mail, 1), `{}`))
		a.completes("wf_trip", s.RunId, &pb.Claim{OperationId: mail.OperationId, Kind: pb.ClaimKind_CLAIM_KIND_DONE},
			&pb.Claim{OperationId: first, Kind: pb.ClaimKind_CLAIM_KIND_DONE}, &pb.Claim{OperationId: second, Kind: pb.ClaimKind_CLAIM_KIND_DONE})
		p.counts(3)

		order := []string{second, first}
		for i, id := range order {
			w.Restart()
			c := w.Serve()
			stop := w.Dispatch()
			m, words := unwinds(t, c, "wf_trip")
			wantWords(t, words, "email.send NO_PLAYBOOK",
				"payment.capture "+[]string{"UNDER_WAY", "UNDONE"}[i], "payment.capture "+[]string{"WAITING", "UNDER_WAY"}[i])
			if m.Done || m.Stuck || m.Operations[i+1].OperationId != id {
				t.Fatalf("%v", m)
			}
			if _, again := unwinds(t, c, "wf_trip"); len(again) != 3 {
				t.Fatalf("%q", again)
			}
			step := proposed(c, stepBegun(t, c, id))
			c.Reported(step.Permit, servertest.Succeeded(p.did(step.Permit, -4900), `{}`))
			endsAs(t, c, id, pb.Operation_STATE_COMPENSATED)
			stop()
		}
		c := w.Serve()
		m, words := unwinds(t, c, "wf_trip")
		wantWords(t, words, "email.send NO_PLAYBOOK", "payment.capture UNDONE", "payment.capture UNDONE")
		if !m.Done {
			t.Error("it is not done")
		}
		p.counts(5)
		if _, words = unwinds(t, c, "wf_none"); len(words) != 0 {
			t.Errorf("%q", words)
		}
	})
}

// TestAWorkflowStopsAtWhatGetsStuck: nothing before it is undone, and the answer says that a person is needed.
func TestAWorkflowStopsAtWhatGetsStuck(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		p := newProvider(t)
		c := serve(w)
		undoable(t, c, func(b *pb.Playbook) { b.Precondition = `args.order_id != "order_123"` })
		charged(c, p)
		permit := c.Execute("payment.capture", `{"order_id":"order_9","amount":"49.00","currency":"USD"}`)
		c.Reported(permit, servertest.Succeeded(p.did(permit, 4900), `{"status":"captured","amount":"49.00"}`))
		first := permit.OperationId
		defer w.Dispatch()()
		_, words := unwinds(t, c, "wf_1")
		wantWords(t, words, "payment.capture UNDER_WAY", "payment.capture WAITING")
		step := proposed(c, stepBegun(t, c, first))
		c.Reported(step.Permit, servertest.Succeeded(p.did(step.Permit, -4900), `{}`))
		endsAs(t, c, first, pb.Operation_STATE_COMPENSATED)
		m, words := unwinds(t, c, "wf_1")
		wantWords(t, words, "payment.capture UNDONE", "payment.capture STUCK")
		if m.Done || !m.Stuck {
			t.Errorf("%v", m)
		}
		says(t, m.Operations[1].Explanation, "precondition")
		p.counts(3)
	})
}

// TestOnlyWhoResolvesMayCompensate: a credential that proposes or executes cannot undo, nor give up what is being undone.
func TestOnlyWhoResolvesMayCompensate(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		p := newProvider(t)
		people := newPeople(t, "default root administer", "default agent propose,execute,read", "default kim resolve,read kim@example.com")
		anyone := w.Serve(servertest.WithCallers(people))
		root, agent, kim := anyone.As(people.token("root")), anyone.As(people.token("agent")), anyone.As(people.token("kim"))
		root.Apply(fieldTools)
		undoable(t, root)
		id, _ := charged(agent, p)
		_, err := agent.CompensateOperation(t.Context(), compensateRequest(id))
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
		inState(t, undone(t, kim, id), pb.Operation_STATE_COMPENSATING)
		cancel := &pb.CancelOperationRequest{OperationId: id, RequestId: uuid.NewString(), Reason: "no"}
		if _, err := agent.CancelOperation(t.Context(), cancel); err != nil {
			t.Fatal(err)
		}
		inState(t, kim.Operation(id), pb.Operation_STATE_COMPENSATING)
		if _, err := kim.CancelOperation(t.Context(), cancel); err != nil {
			t.Fatal(err)
		}
		inState(t, kim.Operation(id), pb.Operation_STATE_COMPLETED_SUCCESS)
	})
}
