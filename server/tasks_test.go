package server_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// tasks lists what waits for a person, page by page.
func (c *caller) tasks(change ...func(*pb.ListHumanTasksRequest)) (all []*pb.HumanTask) {
	c.TB.Helper()
	req := &pb.ListHumanTasksRequest{PageSize: 1}
	for _, f := range change {
		f(req)
	}
	for {
		m, err := c.ListHumanTasks(c.TB.Context(), req)
		if err != nil {
			c.TB.Fatalf("list tasks: %v", err)
		}
		all = append(all, m.HumanTasks...)
		if req.PageToken = m.NextPageToken; req.PageToken == "" {
			return all
		}
	}
}

// ids are the tasks' names.
func ids(tasks []*pb.HumanTask) (names []string) {
	for _, t := range tasks {
		names = append(names, t.HumanTaskId)
	}
	return names
}

// take takes a task up.
func take(id string, change ...func(*pb.AcknowledgeHumanTaskRequest)) *pb.AcknowledgeHumanTaskRequest {
	r := &pb.AcknowledgeHumanTaskRequest{RequestId: uuid.NewString(), HumanTaskId: id, HoldEscalationFor: duration(3 * time.Hour), Comment: "calling the bank"}
	for _, f := range change {
		f(r)
	}
	return r
}

// TestHumanTasks: approvals and operations that wait for a person are one list, what is due first first, and are taken up.
func TestHumanTasks(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w, func(n *pb.ApprovalNeed) {
			n.ExpiresAfter, n.OnExpiry, n.EscalateRoles = duration(5*time.Hour), pb.ApprovalExpiry_APPROVAL_EXPIRY_ESCALATE, []string{"finance"}
		})
		d := fieldTool(t, "email.send")
		d.Waiting = &pb.WaitingTerms{HumanAfter: duration(time.Hour), HumanOwner: "support", HumanDue: duration(time.Hour), HumanEscalate: "on-call"}
		o.as("admin").ApplyDefinition(d)
		agent, ben := o.as("agent"), o.as("ben")

		first, _ := agent.waits("u_7", "g_2") // due in 5 h
		permit := agent.Execute("email.send", mail)
		agent.Reported(permit, servertest.Ambiguous())
		w.Pass(time.Hour)
		agent.Propose("email.send", mail)      // applies the time: somebody is asked, by 2 h
		second, _ := agent.waits("u_8", "g_9") // due in 6 h
		want := []string{"hum_" + permit.OperationId, "hum_" + first, "hum_" + second}
		all := ben.tasks()
		if !slices.Equal(ids(all), want) {
			t.Fatalf("the tasks are %q, want %q", ids(all), want)
		}
		if n := all[0].NeedsHuman; all[0].GetOperationId() != permit.OperationId || n.Owner != "support" || n.EscalateTo != "on-call" || n.DueTime == nil || n.AcknowledgedBy != "" {
			t.Fatalf("the operation's task is %v", all[0])
		}
		if n := all[1].NeedsHuman; all[1].GetApprovalId() != first || n.Owner != "lead" || n.EscalateTo != "finance" || all[1].Etag != ben.shows(first).Etag || all[1].EndTime != nil {
			t.Fatalf("the approval's task is %v", all[1])
		}

		for name, c := range map[string]struct {
			filter func(*pb.ListHumanTasksRequest)
			want   []string
		}{
			"an owner's":      {func(r *pb.ListHumanTasksRequest) { r.Owner = "support" }, want[:1]},
			"overdue":         {func(r *pb.ListHumanTasksRequest) { r.Overdue = new(true) }, nil},
			"not overdue":     {func(r *pb.ListHumanTasksRequest) { r.Overdue = new(false) }, want},
			"taken up":        {func(r *pb.ListHumanTasksRequest) { r.Acknowledged = new(true) }, nil},
			"all at one time": {func(r *pb.ListHumanTasksRequest) { r.PageSize = 0 }, want},
		} {
			if got := ids(ben.tasks(c.filter)); !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
		if got := o.as("stranger").tasks(); got != nil {
			t.Fatalf("another namespace sees %q", ids(got))
		}

		for i, id := range want[:2] {
			request := take(id, func(r *pb.AcknowledgeHumanTaskRequest) { r.Etag = all[i].Etag })
			var etags []string
			for range 2 { // the second is a repeat
				m, err := ben.AcknowledgeHumanTask(t.Context(), request)
				if err != nil || m.HumanTask.HumanTaskId != id || m.HumanTask.NeedsHuman.AcknowledgedBy != "ben" || m.HumanTask.NeedsHuman.AcknowledgeTime == nil {
					t.Fatalf("taken up: %v, %v", m, err)
				}
				etags = append(etags, m.HumanTask.Etag)
			}
			if etags[0] != etags[1] || etags[0] == all[i].Etag {
				t.Fatalf("the repeat has changed something: %q", etags)
			}
			_, err := o.as("cleo").AcknowledgeHumanTask(t.Context(), take(id, func(r *pb.AcknowledgeHumanTaskRequest) { r.Etag = all[i].Etag }))
			refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		}
		if got := ids(ben.tasks(func(r *pb.ListHumanTasksRequest) { r.Acknowledged = new(true) })); !slices.Equal(got, want[:2]) && !slices.Equal(got, []string{want[1], want[0]}) {
			t.Fatalf("taken up are %q", got)
		}

		ben.approves(second)
		if got := ids(ben.tasks()); slices.Contains(got, want[2]) || len(got) != 2 {
			t.Fatalf("what is decided waits no more: %q", got)
		}
		settled := ben.tasks(func(r *pb.ListHumanTasksRequest) { r.IncludeSettled = true })
		if i := slices.IndexFunc(settled, func(h *pb.HumanTask) bool { return h.HumanTaskId == want[2] }); i < 0 || settled[i].EndTime == nil || len(settled) != 3 {
			t.Fatalf("with what is settled: %v", settled)
		}
		_, err := ben.AcknowledgeHumanTask(t.Context(), take(want[2]))
		refused(t, err, codes.FailedPrecondition, "STATE_NOT_SUITABLE")
		_, err = ben.AcknowledgeHumanTask(t.Context(), take("hum_apr_none"))
		refused(t, err, codes.NotFound, "APPROVAL_NOT_FOUND")
		_, err = ben.AcknowledgeHumanTask(t.Context(), take("hum_op_none"))
		refused(t, err, codes.NotFound, "OPERATION_NOT_FOUND")
		_, err = o.as("stranger").AcknowledgeHumanTask(t.Context(), take(want[0]))
		refused(t, err, codes.NotFound, "OPERATION_NOT_FOUND")
		_, err = agent.AcknowledgeHumanTask(t.Context(), take(want[0]))
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
		w.Pass(4*time.Hour + time.Minute)
		if got := ids(ben.tasks(func(r *pb.ListHumanTasksRequest) { r.Overdue = new(true) })); len(got) != 2 {
			t.Fatalf("overdue are %q", got)
		}
	})
}

// TestHeldUpEntityIsATask: an operation that has kept another from its entity for long is put before a person, with what it
// holds.
func TestHeldUpEntityIsATask(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		d := fieldTool(t, "refund.create")
		d.Waiting = &pb.WaitingTerms{HumanAfter: duration(24 * time.Hour), BlockedHumanAfter: duration(time.Hour), HumanOwner: "support"}
		o.as("admin").ApplyDefinition(d)
		agent, ben := o.as("agent"), o.as("ben")
		permit := agent.Execute("refund.create", refunds("o1", "10.00"))
		agent.Reported(permit, servertest.Ambiguous())
		decided(t, agent.Propose("refund.create", refunds("o1", "9.99")), pb.Decision_DECISION_BLOCKED)
		if all := ben.tasks(); all != nil {
			t.Fatalf("it waits for a person at once: %v", all)
		}
		w.Pass(time.Hour)
		agent.Settle(permit.OperationId, nil) // asks what may be looked up, and applies the time
		all := ben.tasks()
		if len(all) != 1 || all[0].HumanTaskId != "hum_"+permit.OperationId {
			t.Fatalf("the tasks are %v", all)
		}
		if b := all[0].GetBlock(); b.GetOperationId() != permit.OperationId || b.Entity.GetId() != "o1" || b.Scope != "group/refund.create" || b.Since == nil || b.State != pb.Operation_STATE_UNKNOWN_OUTCOME {
			t.Fatalf("what is held up is told as %v", b)
		}
	})
}
