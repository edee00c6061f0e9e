package server_test

import (
	"fmt"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestFC509ManyServersReadTheCount: of a thousand proposals at once over three servers, half are repeats of what exists.
// Those answer from the record and cost nothing; of the others exactly so many pass as two limits together leave room for.
func TestFC509ManyServersReadTheCount(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a, b := twoServers(t, w)
		servers := []*servertest.Client{a, b, w.Serve()}
		a.ApplyDefinition(customerRefund(t, func(p *pb.ToolPolicy) {
			byCount, bySum := limit(tenAtMost, time.Hour, pb.PeriodKind_PERIOD_KIND_SLIDING, ""), limit(hundred, 24*time.Hour, pb.PeriodKind_PERIOD_KIND_SLIDING, "/amount/minor")
			bySum.Name = "sum-per-customer"
			p.Limits = []*pb.Limit{byCount, bySum}
		}))
		p := newProvider(t)
		const known = 4
		for i := range known {
			permit := a.Execute("refund.customer", refunding("kim", i, 1_000))
			p.did(permit, 1_000)
			if i%2 == 0 {
				a.Reported(permit, servertest.Succeeded(fmt.Sprint("re_", i), `{}`))
			}
		}
		answers := crowd(t, proposals, func(i int) (*pb.ProposeOperationResponse, error) {
			n := i / 2 % known
			if i%2 == 1 {
				n = known + i
			}
			m, err := servers[i%len(servers)].ProposeOperation(t.Context(), servertest.Proposal("refund.customer", refunding("kim", n, 1_000)))
			if m.GetPermit() != nil {
				p.did(m.Permit, 1_000)
			}
			return m, err
		})
		for i, m := range answers {
			repeat := m.Decision == pb.Decision_DECISION_REPLAYED || m.Decision == pb.Decision_DECISION_IN_FLIGHT
			if repeat != (i%2 == 0) {
				t.Fatalf("proposal %d is answered %v", i, m)
			}
		}
		if counts := tally(answers); counts[pb.Decision_DECISION_EXECUTE] != tenAtMost-known || counts[pb.Decision_DECISION_RETRY_LATER] != proposals/2-(tenAtMost-known) {
			t.Fatalf("the answers were %v", counts)
		}
		if count, sum := p.totals(); count != tenAtMost || sum != hundred {
			t.Fatalf("the provider counts %d refunds of together %d", count, sum)
		}
	})
}

// TestFC511TheGuardReadsAFlag: a refund that differs by a cent has a key of its own, and only the entity stands in its way:
// blocked while the first may still happen, denied by the guard when it has.
func TestFC511TheGuardReadsAFlag(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	guarded := func(t *testing.T, w *servertest.World) (a, b *servertest.Client, p *provider) {
		a, b = twoServers(t, w)
		d := fieldTool(t, "refund.create")
		d.Policy = &pb.ToolPolicy{SetsEntityState: "refunded", Guards: []*pb.Guard{{Name: "not-refunded", Condition: `entity.state != "refunded"`}}}
		a.ApplyDefinition(d)
		return a, b, newProvider(t)
	}
	other := from("wf_2", "run_1")
	deniedByGuard := func(t *testing.T, m *pb.ProposeOperationResponse) {
		t.Helper()
		decided(t, m, pb.Decision_DECISION_DENIED)
		if v := m.DecidedBy; v.GetRuleId() != "refund.create/not-refunded" || v.Inputs["entity.state"] != "refunded" {
			t.Fatalf("denied by %v", v)
		}
	}
	t.Run("exclusive", func(t *testing.T) {
		servertest.On(t, func(t *testing.T, w *servertest.World) {
			a, b, p := guarded(t, w)
			first := a.Execute("refund.create", of("order_123", "84.00"))
			decided(t, b.Propose("refund.create", of("order_123", "83.99"), other), pb.Decision_DECISION_BLOCKED)
			a.Reported(first, servertest.Succeeded(p.did(first, 8_400), `{}`))
			deniedByGuard(t, b.Propose("refund.create", of("order_123", "83.99"), other))

			unknown := a.Execute("refund.create", of("order_124", "84.00"))
			p.did(unknown, 8_400)
			a.Reported(unknown, servertest.Ambiguous())
			decided(t, b.Propose("refund.create", of("order_124", "83.99"), other), pb.Decision_DECISION_BLOCKED)
			w.Pass(24 * time.Hour) // however long it takes
			decided(t, b.Propose("refund.create", of("order_124", "83.99"), other), pb.Decision_DECISION_BLOCKED)
			p.counts(2)
		})
	})
	t.Run("under a lease", func(t *testing.T) {
		servertest.On(t, func(t *testing.T, w *servertest.World) {
			a, b, p := guarded(t, w)
			one, two := newTenant(a, "wf_1", "run_1"), newTenant(b, "wf_2", "run_1")
			grant := one.acquires("order_123")
			first := a.Execute("refund.create", of("order_123", "84.00"), proving(grant.LeaseToken))
			decided(t, b.Propose("refund.create", of("order_123", "83.99"), other), pb.Decision_DECISION_BLOCKED)
			a.Reported(first, servertest.Succeeded(p.did(first, 8_400), `{}`))
			if _, err := one.release(grant.LeaseToken); err != nil {
				t.Fatal(err)
			}
			taken := two.acquires("order_123")
			deniedByGuard(t, b.Propose("refund.create", of("order_123", "83.99"), other, proving(taken.LeaseToken)))
			p.counts(1)
		})
	})
	t.Run("a hundred at once", func(t *testing.T) {
		servertest.On(t, func(t *testing.T, w *servertest.World) {
			a, b, p := guarded(t, w)
			answers := crowd(t, 100, func(i int) (*pb.ProposeOperationResponse, error) {
				c := []*servertest.Client{a, b}[i%2]
				m, err := c.ProposeOperation(t.Context(), servertest.Proposal("refund.create", of("order_123", fmt.Sprintf("83.%02d", i)), from(fmt.Sprint("wf_", i), "run_1")))
				if m.GetPermit() != nil { // reported at once, so that the others meet the guard or the group, as it falls
					_, err = c.ReportAttempt(t.Context(), servertest.Report(m.Permit, servertest.Succeeded(p.did(m.Permit, 8_400), `{}`)))
				}
				return m, err
			})
			counts := tally(answers)
			if counts[pb.Decision_DECISION_EXECUTE] != 1 || counts[pb.Decision_DECISION_BLOCKED]+counts[pb.Decision_DECISION_DENIED] != 99 {
				t.Fatalf("the answers were %v", counts)
			}
			p.counts(1)
		})
	})
}
