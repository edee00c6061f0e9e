package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// plane is a database with several servers on it, which run the commands of the control plane by turns: what one of them
// wrote the next one reads.
type plane struct {
	*bench
	t       *testing.T
	servers []*transact.Ledger
	rules   *policy.Set
	epoch   int64
	turn    int
}

// controlled opens a plane. The rules are about refunds of orders to customers; nil: none.
func controlled(t *testing.T, fresh Make, rules ...policy.Rule) *plane {
	t.Helper()
	p := &plane{bench: open(t, fresh), t: t}
	for _, e := range p.bench.servers(t, 3) {
		l := transact.New(e, transact.Options{OnDefect: func(err error) { t.Error(err) }})
		t.Cleanup(l.Close)
		p.servers = append(p.servers, l)
	}
	p.compile(policy.Config{Rules: rules})
	return p
}

// refundTool is the tool that the rules see.
var refundTool = policy.Tool{
	Name: "refund.create", Version: 1, Class: "EXTERNAL_NON_IDEMPOTENT_WRITE", Mutates: true, Intent: "refund", EntityType: "order",
	Arguments: &policy.Shape{Kind: policy.ShapeObject, Required: map[string]bool{"customer": true, "amount": true}, Fields: map[string]*policy.Shape{
		"customer": {Kind: policy.ShapeString}, "amount": {Kind: policy.ShapeInteger},
	}},
}

func (p *plane) compile(c policy.Config) {
	p.t.Helper()
	c.Tools = append(c.Tools, refundTool)
	set, problems := policy.Compile(c)
	if len(problems) > 0 {
		p.t.Fatalf("the rules do not compile: %v", problems)
	}
	p.rules = set
}

// next is the server whose turn it is.
func (p *plane) next() *transact.Ledger {
	p.turn++
	return p.servers[p.turn%len(p.servers)]
}

// does runs a command at the next server and expects its reply.
func does[Reply any](p *plane, c ledger.Command) *Reply {
	p.t.Helper()
	reply, err := p.next().Do(p.t.Context(), c)
	if err != nil {
		p.t.Fatalf("%T: %v", c, err)
	}
	return reply.(*Reply)
}

// refusedAs runs a command at the next server and expects that it is refused, for that reason.
func (p *plane) refusedAs(c ledger.Command, reason ledger.Reason) {
	p.t.Helper()
	_, err := p.next().Do(p.t.Context(), c)
	var no *ledger.Refusal
	if !errors.As(err, &no) || no.Reason != reason {
		p.t.Fatalf("%T: got %v, want %s", c, err, reason)
	}
}

// atOnce runs n commands at the same moment, by turns at every server, and answers what each was told. What is refused is
// told as an error.
func (p *plane) atOnce(n int, command func(i int) ledger.Command) (replies []any, errs []error) {
	p.t.Helper()
	replies, errs = make([]any, n), make([]error, n)
	start := signal()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			replies[i], errs[i] = p.servers[i%len(p.servers)].Do(p.t.Context(), command(i))
		})
	}
	close(start)
	all.Wait()
	return replies, errs
}

// refunding proposes a refund to a customer, under a key and an entity of its own; the class's group is left out, so that
// rules alone decide.
func (p *plane) refunding(customer string, n int, amount int64) *ledger.Propose {
	c := Proposal(fmt.Sprintf("%s-%d", customer, n), n)
	c.Terms.Group, c.Rules, c.Epoch, c.Actor = "", p.rules, p.epoch, agent()
	c.Arguments = fmt.Appendf(nil, `{"amount":%d,"customer":%q}`, amount, customer)
	c.Forms[0].Canonical, c.Forms[0].Fingerprint = c.Arguments, ledger.Fingerprint(fmt.Sprintf("sha256:%064x", n))
	return c
}

// again is the same proposal once more, as a request of its own.
func (p *plane) again(customer string, n int, amount int64) *ledger.Propose {
	c := p.refunding(customer, n, amount)
	c.RequestID += "-again"
	c.NewAttempt += "_again"
	return c
}

// report tells what came of a permit.
func (p *plane) report(a *ledger.Answer, o ledger.Outcome) *ledger.Report {
	return &ledger.Report{
		Bearer:         ledger.Bearer{Namespace: tenant, Principal: "agent", OperationID: a.Operation.ID, AttemptID: a.Permit.Attempt.ID, TokenProven: true},
		ReportID:       ledger.EvidenceID("rep_" + string(a.Permit.Attempt.ID)),
		SenderReturned: true, Outcome: o, EffectID: "re_" + string(a.Operation.ID),
	}
}

// says reports what came of a permit in time.
func (p *plane) says(a *ledger.Answer, o ledger.Outcome) {
	p.t.Helper()
	does[ledger.Reported](p, p.report(a, o))
}

// decides expects an answer's decision.
func (p *plane) decides(a *ledger.Answer, want ledger.DecisionKind) *ledger.Answer {
	p.t.Helper()
	if a.Decision != want {
		p.t.Fatalf("the answer is %s (%s %s), want %s", a.Decision, a.Rule, a.Because, want)
	}
	return a
}

// tallied counts what proposals were answered.
func (p *plane) tallied(replies []any, errs []error) map[ledger.DecisionKind]int {
	p.t.Helper()
	counts := map[ledger.DecisionKind]int{}
	for i, reply := range replies {
		if errs[i] != nil {
			p.t.Fatalf("proposal %d: %v", i, errs[i])
		}
		counts[reply.(*ledger.Answer).Decision]++
	}
	return counts
}

func ordersOf(ids ...string) (all []locks.Entity) {
	for _, id := range ids {
		all = append(all, locks.Entity{Type: "order", ID: id})
	}
	return all
}

func agent() ledger.Actor { return ledger.Actor{Principal: "agent", Person: "ann"} }

// hour is the period of most rules here.
const hour = time.Hour
