package server_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// The bounds of the tests: how many may pass, and how much may be refunded in minor units.
const (
	tenAtMost  = 10
	hundred    = 10_000 // 100.00
	proposals  = 1_000
	equivalent = 200
)

// customerRefund is a refund that any number of may be open at once, so that nothing but rules bounds them.
func customerRefund(t *testing.T, change func(*pb.ToolPolicy)) *pb.ToolDefinition {
	t.Helper()
	d := fieldTool(t, "refund.create")
	d.Name = "refund.customer"
	d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","additionalProperties":false,
		"required":["customer_id","order_id","amount","currency"],"properties":{"customer_id":{"type":"string"},"order_id":{"type":"string"},
		"amount":{"type":["string","number"]},"currency":{"type":"string"}}}`}
	d.Identity.Fields["/customer_id"] = &pb.FieldRule{Kind: &pb.FieldRule_Identifier{Identifier: &pb.IdentifierRule{Trim: true}}}
	d.Identity.Entity = &pb.EntityTemplate{Type: "customer", Id: "{customer_id}"}
	d.Exclusive = fieldTool(t, "payment.capture").Exclusive
	d.Policy = &pb.ToolPolicy{}
	change(d.Policy)
	return d
}

// refunding are the arguments of a refund of cents to a customer, for an order of its own.
func refunding(customer string, n int, cents int64) string {
	return fmt.Sprintf(`{"customer_id":%q,"order_id":"order_%d","amount":"%d.%02d","currency":"USD"}`, customer, n, cents/100, cents%100)
}

// limit is a limit of the tool's policy, per customer.
func limit(maximum int64, period time.Duration, kind pb.PeriodKind, sumOf string) *pb.Limit {
	return &pb.Limit{Name: "per-customer", Per: "{args.customer_id}", SumOf: sumOf, Max: &maximum, Period: duration(period), PeriodKind: kind}
}

// crowd makes n proposals at once, by turns at each server, and answers what each was told.
func crowd(t *testing.T, n int, propose func(i int) (*pb.ProposeOperationResponse, error)) []*pb.ProposeOperationResponse {
	t.Helper()
	answers := make([]*pb.ProposeOperationResponse, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			m, err := propose(i)
			if err != nil {
				t.Errorf("proposal %d: %v", i, err)
				m = &pb.ProposeOperationResponse{}
			}
			answers[i] = m
		})
	}
	close(start)
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return answers
}

// tally counts decisions.
func tally(answers []*pb.ProposeOperationResponse) map[pb.Decision]int {
	counts := map[pb.Decision]int{}
	for _, m := range answers {
		counts[m.Decision]++
	}
	return counts
}

// TestLimitAdmitsExactly: a thousand proposals at once, at two servers, of which exactly as many pass as the limit
// says, by count and by sum, in fixed and in sliding periods. Everyone else is told when to ask again.
func TestLimitAdmitsExactly(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	for name, kind := range map[string]pb.PeriodKind{"fixed": pb.PeriodKind_PERIOD_KIND_FIXED, "sliding": pb.PeriodKind_PERIOD_KIND_SLIDING} {
		t.Run(name+" count", func(t *testing.T) {
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				admitted(t, w, limit(tenAtMost, time.Hour, kind, ""), func(int) int64 { return 100 }, func(count int, _ int64) bool { return count == tenAtMost })
			})
		})
		t.Run(name+" sum", func(t *testing.T) {
			servertest.On(t, func(t *testing.T, w *servertest.World) {
				cents := func(i int) int64 { return 301 + int64(i%7)*100 } // no number of them is exactly the bound
				// What was refused would not have fitted any more: room for the smallest one would be room wasted.
				admitted(t, w, limit(hundred, 24*time.Hour, kind, "/amount/minor"), cents, func(_ int, sum int64) bool { return sum <= hundred && sum+301 > hundred })
			})
		})
	}
}

// admitted proposes a thousand refunds to one customer at once, acts on each permit, and holds what the provider counts
// against what may be. Then a period passes, and the next ones are let in.
func admitted(t *testing.T, w *servertest.World, l *pb.Limit, cents func(int) int64, exact func(count int, sum int64) bool) {
	a, b := twoServers(t, w)
	now, err := w.Engine.Time(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	period := l.Period.AsDuration()
	w.Pass(now.Truncate(period).Add(period + time.Minute).Sub(now)) // so that no fixed period ends in the middle of it
	a.ApplyDefinition(customerRefund(t, func(p *pb.ToolPolicy) { p.Limits = []*pb.Limit{l} }))
	p := newProvider(t)
	answers := crowd(t, proposals, func(i int) (*pb.ProposeOperationResponse, error) {
		c := []*servertest.Client{a, b}[i%2]
		m, err := c.ProposeOperation(t.Context(), servertest.Proposal("refund.customer", refunding("kim", i, cents(i))))
		if m.GetPermit() != nil {
			if _, err := p.acts(m.Permit, cents(i)); err != nil {
				t.Error(err)
			}
		}
		return m, err
	})
	count, sum := p.totals()
	if !exact(count, sum) {
		t.Fatalf("%d refunds of together %d cents were let pass", count, sum)
	}
	counts := tally(answers)
	if counts[pb.Decision_DECISION_EXECUTE] != count || counts[pb.Decision_DECISION_RETRY_LATER] != proposals-count {
		t.Fatalf("%d effects, and the answers were %v", count, counts)
	}
	for _, m := range answers {
		if m.Permit != nil {
			continue
		}
		// As long as all that counts is open, nobody knows when there will be room: the time is one to ask again at.
		if m.DecidedBy.GetRuleId() != "refund.customer/per-customer" || m.RetryAfter.AsDuration() != 30*time.Second || m.Result.OperationId != "" {
			t.Fatalf("who is refused is told by which rule: %v", m)
		}
		says(t, m.Result.ModelMessage, "not known when")
	}
	if all := a.Operations(); len(all) != count {
		t.Fatalf("%d operations were made for %d effects; a no about now makes none", len(all), count)
	}
	// Another customer has a counter of its own, and so has this one in time.
	decided(t, b.Propose("refund.customer", refunding("lee", proposals+1, cents(0))), pb.Decision_DECISION_EXECUTE)
	for i, m := range answers {
		if m.Permit != nil {
			a.Reported(m.Permit, servertest.Succeeded(fmt.Sprint("re_", i), `{}`))
		}
	}
	full := b.Propose("refund.customer", refunding("kim", proposals, cents(0)))
	decided(t, full, pb.Decision_DECISION_RETRY_LATER)
	says(t, full.Result.ModelMessage, "the stated time")
	if after := full.RetryAfter.AsDuration(); after <= 0 || after > period*61/60+time.Second {
		t.Fatalf("it says after %v; what has ended leaves a period of %v by itself", after, period)
	}
	w.Pass(full.RetryAfter.AsDuration())
	decided(t, b.Propose("refund.customer", refunding("kim", proposals, cents(0))), pb.Decision_DECISION_EXECUTE)
}

// TestWindowAdmitsOne: two hundred equivalents under keys of their own, at once at two servers: one passes, and every other
// one is told which.
func TestWindowAdmitsOne(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		a.ApplyDefinition(customerRefund(t, func(p *pb.ToolPolicy) {
			p.DedupeWindows = []*pb.DedupeWindow{{Name: "one-a-day", KeyTemplate: "{args.customer_id}", Period: duration(24 * time.Hour)}}
		}))
		answers := crowd(t, equivalent, func(i int) (*pb.ProposeOperationResponse, error) {
			return []*servertest.Client{a, b}[i%2].ProposeOperation(t.Context(), servertest.Proposal("refund.customer", refunding("kim", i, int64(100+i))))
		})
		var permit *pb.Permit
		for _, m := range answers {
			if m.Permit != nil {
				permit = m.Permit
			}
		}
		if counts := tally(answers); counts[pb.Decision_DECISION_EXECUTE] != 1 || counts[pb.Decision_DECISION_SUPPRESSED] != equivalent-1 {
			t.Fatalf("the answers were %v", counts)
		}
		for _, m := range answers {
			if m.Permit == nil && (m.Earlier.GetOperationId() != permit.OperationId || m.DecidedBy.GetOverrideHint() == "") {
				t.Fatalf("who is suppressed is told by which operation, and how to ask for an override: %v", m)
			}
		}
		// What is known not to have happened suppresses nothing.
		a.Reported(permit, servertest.Rejected("no_such_account"))
		decided(t, b.Propose("refund.customer", refunding("kim", equivalent, 100)), pb.Decision_DECISION_EXECUTE)
	})
}

// TestLeashAdmitsExactly: a hundred proposals at once that need a person, at two servers, under a standing approval of five.
func TestLeashAdmitsExactly(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	const leash, asked = 5, 100
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		o.as("admin").ApplyDefinition(customerRefund(t, func(p *pb.ToolPolicy) {
			p.Approval = &pb.ApprovalTerms{Choice: &pb.ApprovalTerms_Required{Required: &pb.ApprovalNeed{Roles: []string{"lead"}}}}
		}))
		ben := o.as("ben")
		given, err := ben.CreateStandingApproval(t.Context(), &pb.CreateStandingApprovalRequest{
			RequestId: uuid.NewString(), ExpiresAfter: duration(24 * time.Hour), Reason: "goodwill for this customer today",
			Terms: &pb.StandingApprovalTerms{
				Tool: "refund.customer", MaxCount: leash, AmountPointer: "/amount/minor", MaxAmount: new(int64(3_000)), MaxSum: new(int64(leash * 3_000)), Currency: "USD",
				Entity: &pb.Entity{Type: "customer", Id: "kim"},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		servers := []*caller{o.as("agent"), callerOf(o.Twin().As(o.tokens["agent"]))}
		decided(t, servers[0].Propose("refund.customer", refunding("kim", asked, 3_001)), pb.Decision_DECISION_AWAITING_APPROVAL) // too much
		decided(t, servers[1].Propose("refund.customer", refunding("lee", asked, 3_000)), pb.Decision_DECISION_AWAITING_APPROVAL) // somebody else
		p := newProvider(t)
		answers := crowd(t, asked, func(i int) (*pb.ProposeOperationResponse, error) {
			m, err := servers[i%2].ProposeOperation(t.Context(), servertest.Proposal("refund.customer", refunding("kim", asked+1+i, 3_000)))
			if m.GetPermit() != nil {
				p.did(m.Permit, 3_000)
			}
			return m, err
		})
		if counts := tally(answers); counts[pb.Decision_DECISION_EXECUTE] != leash || counts[pb.Decision_DECISION_AWAITING_APPROVAL] != asked-leash {
			t.Fatalf("the answers were %v", counts)
		}
		p.counts(leash)
		used, err := ben.GetStandingApproval(t.Context(), &pb.GetStandingApprovalRequest{StandingApprovalId: given.StandingApproval.StandingApprovalId})
		if s := used.GetStandingApproval(); err != nil || s.UsedCount != leash || s.UsedSum != leash*3_000 || len(s.OperationIds) != leash {
			t.Fatalf("the standing approval is %v, %v", used, err)
		}
	})
}
