package server_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// mailing are the arguments of a mail of its own.
func mailing(ref string) string {
	return `{"template":"t","ref":"` + ref + `","to":["kim@example.com"]}`
}

// TestKillSwitch: a pause of a namespace, a class or a tool holds at both servers from the moment at which it returns.
// Nothing new starts: no proposal, no begin, no extension, no retry, no resend, nothing that a person has approved. What is
// in flight ends as it does; what is out of the pause's scope goes on; and when it ends, everything goes on.
func TestKillSwitch(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	for name, scope := range map[string]*pb.SwitchScope{
		"namespace": wholeNamespace,
		"class":     classScope(pb.ToolClass_TOOL_CLASS_EXTERNAL_NON_IDEMPOTENT_WRITE),
		"tool":      toolScope("email.send"),
	} {
		t.Run(name, func(t *testing.T) {
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				a, b := twoServers(t, w)
				k := &killSwitch{t: t, w: w, servers: []*servertest.Client{a, b}, scope: scope, provider: newProvider(t)}
				a.ApplyDefinition(askedMail(t))
				k.prepare()
				k.pull()
				k.holds()
				k.ends()
			})
		})
	}
}

// askedMail is the mail tool, of which the rude ones ask a person.
func askedMail(t *testing.T) *pb.ToolDefinition {
	d := fieldTool(t, "email.send")
	d.Policy = &pb.ToolPolicy{Approval: &pb.ApprovalTerms{Choice: &pb.ApprovalTerms_Required{
		Required: &pb.ApprovalNeed{Roles: []string{"lead"}, When: `args.template == "rude"`},
	}}}
	return d
}

// killSwitch is the story of one pause.
type killSwitch struct {
	t        *testing.T
	w        *servertest.World
	servers  []*servertest.Client
	scope    *pb.SwitchScope
	provider *provider
	paused   *pb.Pause

	held, begun, retryable *pb.Permit
	many                   []*pb.Permit
}

const rudeMail = `{"template":"rude","ref":"r","to":["kim@example.com"]}`

// prepare brings operations into every state in which something could start.
func (k *killSwitch) prepare() {
	c := k.servers[1]
	k.held, k.begun = c.Propose("email.send", mailing("held")).Permit, c.Execute("email.send", mailing("begun"))
	k.retryable = c.Execute("email.send", mailing("retry"))
	c.Reported(k.retryable, servertest.NotSent())
	asked := c.Propose("email.send", rudeMail)
	decided(k.t, asked, pb.Decision_DECISION_AWAITING_APPROVAL)
	callerOf(c).approves(asked.Approval.ApprovalId)
	k.w.Pass(2 * time.Second) // the retry is due
	for n := range 24 {
		k.many = append(k.many, c.Propose("email.send", mailing(fmt.Sprint("many ", n))).Permit)
	}
}

// pull pauses while both servers are asked for permits and begins without a break. Of what is asked after the pause has
// returned nothing may start.
func (k *killSwitch) pull() {
	var paused atomic.Bool
	var all sync.WaitGroup
	began := make(chan struct{})
	first := sync.OnceFunc(func() { close(began) })
	for i, c := range k.servers {
		all.Go(func() {
			for after := 0; after < 5; {
				late := paused.Load()
				m, err := c.ProposeOperation(k.t.Context(), servertest.Proposal("email.send", mailing(uuid.NewString())))
				if err != nil {
					k.t.Error(err)
					return
				}
				first()
				if late {
					if after++; m.Permit != nil {
						k.t.Errorf("after the pause a permit was given: %v", m)
					}
				}
			}
		})
		all.Go(func() {
			for n := i; n < len(k.many); n += 2 {
				late := paused.Load()
				_, err := c.BeginAttempt(k.t.Context(), servertest.BeginRequest(k.many[n], servertest.Nonce))
				if late && err == nil {
					k.t.Errorf("after the pause attempt %s was begun", k.many[n].AttemptId)
				}
			}
		})
	}
	<-began
	m, err := policyOf(k.servers[0]).PauseScope(k.t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: k.scope, Reason: "an incident"})
	paused.Store(true)
	all.Wait()
	if err != nil {
		k.t.Fatal(err)
	}
	if k.paused = m.Pause; k.t.Failed() {
		k.t.FailNow()
	}
}

// holds looks at both servers at everything that could start, and lets end what is in flight.
func (k *killSwitch) holds() {
	for _, c := range k.servers {
		_, err := c.BeginAttempt(k.t.Context(), servertest.BeginRequest(k.held, servertest.Nonce))
		refused(k.t, err, codes.FailedPrecondition, "TOOL_DISABLED")
		_, err = c.ExtendAttempt(k.t.Context(), servertest.ExtendRequest(k.begun, time.Minute))
		refused(k.t, err, codes.FailedPrecondition, "TOOL_DISABLED")
		for what, arguments := range map[string]string{"a retry": mailing("retry"), "what was approved": rudeMail} {
			m := c.Propose("email.send", arguments)
			if m.Permit != nil || m.DecidedBy.GetRuleId() != "paused" {
				k.t.Fatalf("%s is answered %v", what, m)
			}
			says(k.t, m.DecidedBy.GetExplanation(), "an incident")
		}
	}
	effect := k.provider.did(k.begun, 1)
	inState(k.t, k.servers[1].Reported(k.begun, servertest.Succeeded(effect, `{}`)).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)
	decided(k.t, k.servers[0].Propose("email.send", mailing("begun")), pb.Decision_DECISION_REPLAYED)

	outside := map[string]pb.Decision{"payment.capture": pb.Decision_DECISION_EXECUTE, "ticket.create": pb.Decision_DECISION_EXECUTE}
	switch k.scope.Part.(type) {
	case *pb.SwitchScope_WholeNamespace:
		outside["payment.capture"], outside["ticket.create"] = pb.Decision_DECISION_DENIED, pb.Decision_DECISION_DENIED
	case *pb.SwitchScope_ToolClass:
		outside["ticket.create"] = pb.Decision_DECISION_DENIED
	}
	decided(k.t, k.servers[1].Propose("payment.capture", capture), outside["payment.capture"])
	decided(k.t, k.servers[1].Propose("ticket.create", `{"project":"OPS","ref":"r1"}`), outside["ticket.create"])
}

// ends ends the pause at the other server, and everything goes on.
func (k *killSwitch) ends() {
	if _, err := policyOf(k.servers[1]).ResumeScope(k.t.Context(), &pb.ResumeScopeRequest{RequestId: uuid.NewString(), Scope: k.scope, Reason: "it is over", Etag: k.paused.Etag}); err != nil {
		k.t.Fatal(err)
	}
	c := k.servers[0]
	c.Begin(k.held)
	for _, p := range []*pb.Permit{k.held, c.Execute("email.send", mailing("retry")), c.Execute("email.send", rudeMail)} {
		c.Reported(p, servertest.Succeeded(k.provider.did(p, 1), `{}`))
	}
	k.provider.counts(4)
}

// TestKillSwitchHoldsAResend: an unknown operation that may be sent again under its key is not while its tool is paused; it
// may be found out all the same.
func TestKillSwitchHoldsAResend(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		p := newProvider(t)
		permit := b.Execute("payment.capture", capture)
		effect := p.did(permit, 4_900)
		b.Reported(permit, servertest.Ambiguous())
		if _, err := policyOf(a).PauseScope(t.Context(), &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: toolScope("payment.capture"), Reason: "an incident"}); err != nil {
			t.Fatal(err)
		}
		w.Pass(10 * time.Minute) // past the wait for a lookup: a resend would be allowed
		m := b.Propose("payment.capture", capture)
		decided(t, m, pb.Decision_DECISION_RECONCILING)
		inState(t, b.Settle(permit.OperationId, servertest.Looked(m.Lookup, pb.Verdict_VERDICT_HAPPENED, effect)).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)
		decided(t, b.Propose("payment.capture", capture), pb.Decision_DECISION_REPLAYED)
		p.counts(1)
	})
}
