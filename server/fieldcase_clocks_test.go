package server_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// clock is a server's own clock, which can be set wrong and can jump.
type clock struct{ off atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.off.Load())) }

// jumps sets the clock to another error, at once.
func (c *clock) jumps(to time.Duration) { c.off.Store(int64(to)) }

func (c *clock) option(config *server.Config) { config.Clock = c.now }

// TestFC503TheServersClocksDiffer: two servers on one database decide everything that has to do with time as two with
// equal clocks do: one an hour ahead and one an hour behind, or one whose clock jumps by an hour between any two calls,
// forward and back. There is one clock, the database's.
func TestFC503TheServersClocksDiffer(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		told := map[string][]string{}
		for name, errors := range map[string][]time.Duration{ // of the one server's clock, call after call; the other's is the reverse
			"equal":  {0},
			"apart":  {time.Hour},
			"jumps":  {0, time.Hour},
			"swings": {time.Hour, -time.Hour, 0},
		} {
			fresh := servertest.SQLite
			if w.URL != "" {
				fresh = servertest.PostgreSQL
			}
			told[name] = newClockStory(t, fresh(t), errors).play()
		}
		for name, story := range told {
			if !slices.Equal(story, told["equal"]) {
				t.Errorf("with clocks that are %s:\n%q\nwith equal ones:\n%q", name, story, told["equal"])
			}
		}
		t.Log(told["equal"])
	})
}

// clockStory is everything that time decides, told by what callers of two servers hear.
type clockStory struct {
	t            *testing.T
	w            *servertest.World
	one, other   *servertest.Client
	clock, wrong clock
	errors       []time.Duration
	told         []string
}

func newClockStory(t *testing.T, w *servertest.World, errors []time.Duration) *clockStory {
	s := &clockStory{t: t, w: w, errors: errors}
	s.clock.jumps(errors[0])
	s.wrong.jumps(-errors[0])
	s.one, s.other = w.Serve(s.clock.option), w.Serve(s.wrong.option)
	s.one.Apply(fieldTools)
	s.one.ApplyDefinition(customerRefund(t, func(p *pb.ToolPolicy) {
		p.Limits = []*pb.Limit{limit(2, time.Hour, pb.PeriodKind_PERIOD_KIND_SLIDING, "")}
	}))
	mailing := fieldTool(t, "email.send")
	mailing.Policy = &pb.ToolPolicy{DedupeWindows: []*pb.DedupeWindow{{Name: "one-an-hour", KeyTemplate: "{args.template}", Period: duration(time.Hour)}}}
	s.one.ApplyDefinition(mailing)
	s.one.ApplyDefinition(revokeTool(t, func(n *pb.ApprovalNeed) { n.ExpiresAfter = duration(time.Hour) }))
	return s
}

// hears adds a sentence to the story, and lets the clocks jump before the next.
func (s *clockStory) hears(what string) {
	s.told = append(s.told, what)
	to := s.errors[len(s.told)%len(s.errors)]
	s.clock.jumps(to)
	s.wrong.jumps(-to)
}

func (s *clockStory) propose(c *servertest.Client, tool, arguments string) *pb.ProposeOperationResponse {
	s.t.Helper()
	m := c.Propose(tool, arguments)
	s.hears(tool + ": " + m.Decision.String() + " " + m.Result.State.String())
	return m
}

func (s *clockStory) asks(u *tenant) *pb.LeaseGrant {
	s.t.Helper()
	m := u.ask(u.wish("a"))
	s.hears(u.workflow + " asks for the lease: " + map[bool]string{true: "granted", false: "held"}[m.Grant != nil])
	return m.Grant
}

func (s *clockStory) renews(u *tenant, g *pb.LeaseGrant) {
	_, err := u.renew(g.LeaseToken)
	s.hears(u.workflow + " renews: " + servertest.InfoOf(err).GetReason())
}

// play plays it all. What must be is said in the middle of it, so that four stories that are wrong alike do not pass.
func (s *clockStory) play() []string {
	s.leases()
	s.permits()
	s.limits()
	s.windows()
	s.approvals()
	s.dueWork()
	return s.told
}

func (s *clockStory) leases() {
	wf1, wf2 := newTenant(s.one, "wf_1", "run_1"), newTenant(s.other, "wf_2", "run_1")
	grant := s.asks(wf1)
	s.asks(wf2)
	s.w.Pass(55 * time.Second)
	s.asks(wf2)
	s.renews(wf1, grant)
	s.w.Pass(55 * time.Second)
	if s.asks(wf2) != nil {
		s.t.Fatal("the lease was given away before its end")
	}
	s.w.Pass(6 * time.Second)
	s.renews(wf1, grant)
	if s.asks(wf2) == nil {
		s.t.Fatal("the lease was held beyond its end")
	}
}

func (s *clockStory) permits() {
	permit := s.propose(s.one, "payment.capture", capture).Permit
	s.propose(s.other, "payment.capture", capture)
	s.w.Pass(50 * time.Second)
	s.other.Extend(permit, time.Minute)
	s.w.Pass(55 * time.Second)
	inState(s.t, s.other.Operation(permit.OperationId), pb.Operation_STATE_DISPATCHED)
	s.w.Pass(6 * time.Second)
	_, err := s.one.ExtendAttempt(s.t.Context(), servertest.ExtendRequest(permit, time.Minute))
	refused(s.t, err, codes.FailedPrecondition, "PERMIT_EXPIRED")
	s.propose(s.other, "payment.capture", capture)
	s.propose(s.one, "payment.capture", capture)
}

func (s *clockStory) limits() {
	for n := range 2 {
		permit := s.propose(s.one, "refund.customer", refunding("kim", n, 100)).Permit
		s.other.Reported(permit, servertest.Succeeded("re_"+uuid.NewString(), `{}`))
	}
	s.propose(s.other, "refund.customer", refunding("kim", 2, 100))
	s.w.Pass(58 * time.Minute)
	full := s.propose(s.one, "refund.customer", refunding("kim", 2, 100))
	if after := full.RetryAfter.AsDuration(); after < time.Minute || after > 4*time.Minute {
		s.t.Fatalf("the limit has room after %v", after)
	}
	s.w.Pass(full.RetryAfter.AsDuration())
	decided(s.t, s.propose(s.other, "refund.customer", refunding("kim", 2, 100)), pb.Decision_DECISION_EXECUTE)
}

func (s *clockStory) windows() {
	permit := s.propose(s.one, "email.send", `{"template":"t","ref":"1","to":["kim@example.com"]}`).Permit
	s.one.Begin(permit)
	s.other.Reported(permit, servertest.Succeeded("msg_"+uuid.NewString(), `{}`))
	second := `{"template":"t","ref":"2","to":["kim@example.com"]}`
	s.propose(s.other, "email.send", second)
	s.w.Pass(59 * time.Minute)
	decided(s.t, s.propose(s.one, "email.send", second), pb.Decision_DECISION_SUPPRESSED)
	s.w.Pass(2 * time.Minute)
	decided(s.t, s.propose(s.other, "email.send", second), pb.Decision_DECISION_EXECUTE)
}

func (s *clockStory) approvals() {
	inTime := s.propose(s.one, "access.revoke", revoke("u_1", "g_1"))
	tooLate := s.propose(s.other, "access.revoke", revoke("u_2", "g_2"))
	s.w.Pass(59 * time.Minute)
	s.propose(s.one, "access.revoke", revoke("u_2", "g_2"))
	ben := callerOf(s.other)
	ben.approves(inTime.Approval.ApprovalId)
	decided(s.t, s.propose(s.one, "access.revoke", revoke("u_1", "g_1")), pb.Decision_DECISION_EXECUTE)
	s.w.Pass(2 * time.Minute)
	_, err := callerOf(s.one).DecideApproval(s.t.Context(), yes(tooLate.Approval.ApprovalId, ben.shows(tooLate.Approval.ApprovalId).Etag))
	refused(s.t, err, codes.FailedPrecondition, "APPROVAL_NOT_OPEN")
	s.propose(s.other, "access.revoke", revoke("u_2", "g_2"))
}

// dueWork lets deadlines be applied by nobody's call.
func (s *clockStory) dueWork() {
	permit := s.propose(s.one, "ticket.create", `{"project":"OPS","ref":"r1"}`).Permit
	s.one.Begin(permit)
	stop := s.w.Dispatch()
	defer stop()
	s.w.Pass(59 * time.Second)
	s.hears(s.other.Operation(permit.OperationId).State.String())
	s.w.Pass(2 * time.Second)
	eventually(s.t, "the deadline is applied", func() bool { return s.one.Operation(permit.OperationId).State == pb.Operation_STATE_UNKNOWN_OUTCOME })
	s.propose(s.other, "ticket.create", `{"project":"OPS","ref":"r1"}`)
}
