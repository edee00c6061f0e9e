package server_test

import (
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// stats are the figures of one rule as a server tells them; nil where it tells none.
func (c *policyClient) stats(rule string, change ...func(*pb.GetPolicyStatsRequest)) *pb.RuleStats {
	c.TB.Helper()
	req := &pb.GetPolicyStatsRequest{RuleId: rule}
	for _, f := range change {
		f(req)
	}
	m, err := c.GetPolicyStats(c.TB.Context(), req)
	if err != nil {
		c.TB.Fatal(err)
	}
	if len(m.Rules) > 1 {
		c.TB.Fatalf("one rule is wanted: %v", m)
	}
	if len(m.Rules) == 0 {
		return nil
	}
	return m.Rules[0]
}

// TestPolicyStats: a server tells its own figures at once, and everybody's once they are written, which they are at the
// latest when it ends.
func TestPolicyStats(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		never := func(c *server.Config) { c.FiguresTick = make(chan time.Time) }
		c := policyOf(serve(w, never))
		c.rule(denying("payment.capture", `args.amount.minor > 5000`))
		capturing := func(n int, amount string) *pb.ProposeOperationResponse {
			return c.Propose("payment.capture", fmt.Sprintf(`{"order_id":"order_%d","amount":"%s","currency":"USD"}`, n, amount))
		}
		for i := range 3 {
			decided(t, capturing(i, "49.00"), pb.Decision_DECISION_EXECUTE)
		}
		decided(t, capturing(3, "51.00"), pb.Decision_DECISION_DENIED)
		c.Propose("payment.capture", `{"order_id":"order_4","amount":"51.00","currency":"USD"}`, func(r *pb.ProposeOperationRequest) {
			r.Mode = pb.ProposalMode_PROPOSAL_MODE_PLAN_ONLY // which asks nobody's leave
		})
		want := &pb.RuleStats{RuleId: "test.deny", RuleVersion: 1, Evaluations: 4, Refusals: 1, Period: durationpb.New(24 * time.Hour)}
		sameMessage(t, c.stats("test.deny"), want)
		if other := policyOf(w.Serve(never)); other.stats("test.deny") != nil {
			t.Fatal("another server tells what was not written yet")
		}
		w.Drain()
		after := policyOf(w.Serve(never))
		sameMessage(t, after.stats("test.deny"), want)
		all, err := after.GetPolicyStats(t.Context(), &pb.GetPolicyStatsRequest{})
		if err != nil || len(all.Rules) == 0 || all.Rules[0].RuleId != "test.deny" {
			t.Fatalf("those with the most refusals come first: %v, %v", all, err)
		}
		if after.stats("none") != nil {
			t.Fatal("a rule that does not exist has figures")
		}
		w.Pass(25 * time.Hour)
		if after.stats("test.deny") != nil {
			t.Fatal("figures of before the period are told")
		}
		week := after.stats("test.deny", func(r *pb.GetPolicyStatsRequest) { r.Period = durationpb.New(7 * 24 * time.Hour) })
		if week.GetEvaluations() != 4 || week.Period.AsDuration() != 7*24*time.Hour {
			t.Fatalf("got %v", week)
		}
		_, err = after.GetPolicyStats(t.Context(), &pb.GetPolicyStatsRequest{Period: durationpb.New(401 * 24 * time.Hour)})
		refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "period")
	})
}

// TestDecisions reads what was decided, each by itself and by lists.
func TestDecisions(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := policyOf(serve(w))
		c.rule(denying("refund.create", `args.amount.minor > 500`))
		told := map[string]*pb.ProposeOperationResponse{}
		for i := range 3 {
			no := c.Propose("refund.create", fmt.Sprintf(`{"order_id":"order_%d","amount":"10.00","currency":"USD"}`, i), func(r *pb.ProposeOperationRequest) { r.WorkflowId = "wf_7" })
			decided(t, no, pb.Decision_DECISION_DENIED)
			told[no.DecisionId] = no
			w.Pass(time.Second)
		}
		for id, no := range told {
			m, err := c.GetDecision(t.Context(), &pb.GetDecisionRequest{DecisionId: id})
			if err != nil {
				t.Fatal(err)
			}
			d := m.Decision
			if d.Decision != no.Decision || d.Tool != "refund.create" || d.ToolVersion != 1 || d.Principal != string(callers.LocalPrincipal) || d.WorkflowId != "wf_7" ||
				d.Fingerprint == "" || d.IdempotencyKey == "" || d.Entity.GetType() != "order" || d.OperationId != "" {
				t.Fatalf("got %v", d)
			}
			sameMessage(t, d.Verdicts[0], no.DecidedBy)
		}
		for name, one := range map[string]struct {
			req  *pb.ListDecisionsRequest
			want int
		}{
			"all":           {&pb.ListDecisionsRequest{PageSize: 2}, 3},
			"of a tool":     {&pb.ListDecisionsRequest{Tool: "refund.create"}, 3},
			"of no tool":    {&pb.ListDecisionsRequest{Tool: "email.send"}, 0},
			"of a kind":     {&pb.ListDecisionsRequest{Decisions: []pb.Decision{pb.Decision_DECISION_DENIED, pb.Decision_DECISION_BLOCKED}}, 3},
			"of no kind":    {&pb.ListDecisionsRequest{Decisions: []pb.Decision{pb.Decision_DECISION_RETRY_LATER}}, 0},
			"of a rule":     {&pb.ListDecisionsRequest{RuleId: "test.deny"}, 3},
			"of no rule":    {&pb.ListDecisionsRequest{RuleId: "none"}, 0},
			"of a workflow": {&pb.ListDecisionsRequest{WorkflowId: "wf_7"}, 3},
			"of an entity":  {&pb.ListDecisionsRequest{Entity: &pb.Entity{Type: "order", Id: "order_1"}}, 1},
		} {
			t.Run(name, func(t *testing.T) {
				n := 0
				var last time.Time
				for {
					m, err := c.ListDecisions(t.Context(), one.req)
					if err != nil {
						t.Fatal(err)
					}
					for _, d := range m.Decisions {
						if told[d.DecisionId] == nil || !last.IsZero() && d.Time.AsTime().After(last) {
							t.Fatalf("out of place: %v", d)
						}
						last = d.Time.AsTime()
						n++
					}
					if one.req.PageToken = m.NextPageToken; one.req.PageToken == "" {
						break
					}
				}
				if n != one.want {
					t.Fatalf("%d are listed, want %d", n, one.want)
				}
			})
		}
		_, err := c.GetDecision(t.Context(), &pb.GetDecisionRequest{DecisionId: "dec_none"})
		refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
	})
}
