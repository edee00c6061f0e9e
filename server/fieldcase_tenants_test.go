package server_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// house is one tenant's callers: an agent, a lead who decides, and a boss who administers. Those of two tenants have the
// same names.
type house struct {
	t                 *testing.T
	agent, lead, boss *servertest.Client
}

// twoHouses starts a server for two tenants, whose tools are the same: revoking access asks a lead.
func twoHouses(t *testing.T, w *servertest.World) (north, south *house) {
	t.Helper()
	var lines strings.Builder
	tokens := map[string]string{}
	for _, ns := range []string{"north", "south"} {
		for _, line := range []string{
			"principal=agent roles=propose,execute,read person=ann",
			"principal=lead roles=approve,resolve,override,break_leases,read person=ben teams=lead",
			"principal=boss roles=administer,set_entity_state,read person=kim",
		} {
			token, err := callers.NewToken(rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			tokens[ns+strings.Fields(line)[0]] = token
			fmt.Fprintf(&lines, "%s namespace=%s %s\n", callers.HashToken(token), ns, line)
		}
	}
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := callers.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	anyone := w.Serve(servertest.WithCallers(file))
	of := func(ns string) *house {
		as := func(who string) *servertest.Client { return anyone.As(tokens[ns+"principal="+who]) }
		h := &house{t: t, agent: as("agent"), lead: as("lead"), boss: as("boss")}
		for name, d := range servertest.Definitions(t, fieldTools) {
			if name == "access.revoke" {
				d = revokeTool(t)
			}
			h.boss.ApplyDefinition(d)
		}
		return h
	}
	return of("north"), of("south")
}

// goods are the names of everything that a house has made, and what an unknown name looks like.
type goods struct {
	operation, approval, standing, grant, rule, decision, lease, task string
	entity                                                            *pb.Entity
}

var nobodys = goods{
	operation: "op_00000000000000000000000000", approval: "apr_00000000000000000000000000", standing: "sap_00000000000000000000000000",
	grant: "gr_00000000000000000000000000", rule: "test.nobodys", decision: "dec_00000000000000000000000000",
	lease: "oll1.lea_00000000000000000000000000.AAAA", task: "hum_apr_00000000000000000000000000", entity: order("nobodys"),
}

// furnish makes one of everything.
func (h *house) furnish() goods {
	h.t.Helper()
	ctx, policy, approvals := h.t.Context(), policyOf(h.boss), callerOf(h.agent)
	g := goods{entity: order("order_123"), rule: "test.deny"}
	g.approval, g.operation = approvals.waits("u_7", "g_2")
	policy.rule(denying("refund.create", "true"))
	g.decision = h.agent.Propose("refund.create", refund).DecisionId
	g.grant = grantOf(h.t, policyOf(h.lead), grantRequest())
	g.lease = newTenant(h.agent, "wf_1", "run_1").acquires(g.entity.Id).LeaseToken
	comesTo(h.t, h.boss, g.entity.Id, "paid")
	standing, err := callerOf(h.lead).CreateStandingApproval(ctx, &pb.CreateStandingApprovalRequest{
		RequestId: uuid.NewString(), ExpiresAfter: duration(time.Hour), Reason: "a test", Terms: &pb.StandingApprovalTerms{Tool: "access.revoke", MaxCount: 1},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	g.standing = standing.StandingApproval.StandingApprovalId
	tasks, err := callerOf(h.lead).ListHumanTasks(ctx, &pb.ListHumanTasksRequest{})
	if err != nil || len(tasks.HumanTasks) != 1 {
		h.t.Fatalf("what waits for a person is %v, %v", tasks, err)
	}
	g.task = tasks.HumanTasks[0].HumanTaskId
	if _, err := policy.PauseScope(ctx, &pb.PauseScopeRequest{RequestId: uuid.NewString(), Scope: toolScope("ticket.create"), Reason: "a test"}); err != nil {
		h.t.Fatal(err)
	}
	return g
}

// reaches makes every call of the control plane about somebody's goods, and answers what each was told.
func (h *house) reaches(g goods) map[string]error {
	h.t.Helper()
	ctx, id := h.t.Context(), uuid.NewString
	lead, leases := callerOf(h.lead), newTenant(h.agent, "wf_1", "run_1")
	boss, judge := policyOf(h.boss), policyOf(h.lead)
	told := map[string]error{}
	tell := func(what string) func(any, error) { return func(_ any, err error) { told[what] = err } }
	tell("get approval")(lead.GetApproval(ctx, &pb.GetApprovalRequest{ApprovalId: g.approval}))
	tell("approve")(lead.DecideApproval(ctx, yes(g.approval, "v1")))
	tell("get standing approval")(lead.GetStandingApproval(ctx, &pb.GetStandingApprovalRequest{StandingApprovalId: g.standing}))
	tell("revoke standing approval")(lead.RevokeStandingApproval(ctx, &pb.RevokeStandingApprovalRequest{RequestId: id(), StandingApprovalId: g.standing, Reason: "a test"}))
	tell("take up a task")(lead.AcknowledgeHumanTask(ctx, &pb.AcknowledgeHumanTaskRequest{RequestId: id(), HumanTaskId: g.task}))
	tell("get grant")(judge.GetGrant(ctx, &pb.GetGrantRequest{GrantId: g.grant}))
	tell("revoke grant")(judge.RevokeGrant(ctx, &pb.RevokeGrantRequest{RequestId: id(), GrantId: g.grant, Reason: "a test"}))
	tell("use grant")(h.agent.ProposeOperation(ctx, servertest.Proposal("payment.capture", capture, func(r *pb.ProposeOperationRequest) { r.OverrideGrantIds = []string{g.grant} })))
	tell("get decision")(judge.GetDecision(ctx, &pb.GetDecisionRequest{DecisionId: g.decision}))
	tell("lift")(judge.LiftExclusion(ctx, &pb.LiftExclusionRequest{RequestId: id(), Entity: g.entity, Group: "access.revoke", OperationId: g.operation, SeenOperationVersion: 1, Reason: "a test"}))
	tell("get rule")(boss.GetRule(ctx, &pb.GetRuleRequest{RuleId: g.rule}))
	tell("remove rule")(boss.RemoveRule(ctx, &pb.RemoveRuleRequest{RequestId: id(), RuleId: g.rule, Reason: "a test"}))
	tell("resume")(boss.ResumeScope(ctx, &pb.ResumeScopeRequest{RequestId: id(), Scope: toolScope("ticket.create"), Reason: "a test"}))
	tell("entity state")(pb.NewEntityServiceClient(h.boss.Conn).GetEntityState(ctx, &pb.GetEntityStateRequest{Entity: g.entity}))
	tell("renew")(leases.renew(g.lease))
	tell("release")(leases.release(g.lease))
	tell("prove")(h.agent.ProposeOperation(ctx, servertest.Proposal("payment.capture", capture, proving(g.lease))))
	tell("break")(newTenant(h.lead, "", "").leases.BreakEntityLease(ctx, &pb.BreakEntityLeaseRequest{RequestId: id(), Entity: g.entity, Reason: "a test"}))
	return told
}

// lists counts what each list of the control plane shows.
func (h *house) lists() map[string]int {
	h.t.Helper()
	lead, boss := callerOf(h.lead), policyOf(h.boss)
	return map[string]int{
		"approvals":          len(listed(h, lead.ListApprovals, &pb.ListApprovalsRequest{}).Approvals),
		"standing approvals": len(listed(h, lead.ListStandingApprovals, &pb.ListStandingApprovalsRequest{}).StandingApprovals),
		"tasks":              len(listed(h, lead.ListHumanTasks, &pb.ListHumanTasksRequest{}).HumanTasks),
		"grants":             len(listed(h, boss.ListGrants, &pb.ListGrantsRequest{}).Grants),
		"rules":              len(listed(h, boss.ListRules, &pb.ListRulesRequest{}).Rules),
		"pauses":             len(listed(h, boss.ListPauses, &pb.ListPausesRequest{}).Pauses),
		"decisions":          len(listed(h, boss.ListDecisions, &pb.ListDecisionsRequest{}).Decisions),
		"leases":             len(listed(h, pb.NewLeaseServiceClient(h.agent.Conn).ListEntityLeases, &pb.ListEntityLeasesRequest{}).Leases),
		"entity states":      len(listed(h, pb.NewEntityServiceClient(h.agent.Conn).ListEntityStates, &pb.ListEntityStatesRequest{}).EntityStates),
	}
}

func listed[Request, Response any](h *house, call func(context.Context, *Request, ...grpc.CallOption) (*Response, error), r *Request) *Response {
	h.t.Helper()
	m, err := call(h.t.Context(), r)
	if err != nil {
		h.t.Fatalf("%T: %v", r, err)
	}
	return m
}

// TestFC307AnotherTenantsControls: what one tenant has of approvals, grants, rules, leases and the rest does not exist for
// another, with its true names and tokens, in the words of what nobody has. (Operations and attempts: FC-307 in
// TestFieldCase.)
func TestFC307AnotherTenantsControls(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		north, south := twoHouses(t, w)
		before := south.lists()
		theirs := north.furnish()
		for what, n := range south.lists() {
			if n != before[what] {
				t.Errorf("another tenant's are among the %d %s", n, what)
			}
		}
		unknown := south.reaches(nobodys)
		for what, err := range south.reaches(theirs) {
			if err == nil || servertest.InfoOf(err).GetReason() != servertest.InfoOf(unknown[what]).GetReason() || status.Code(err) != status.Code(unknown[what]) {
				t.Errorf("%s: what is another's is answered %v, and what is nobody's %v", what, err, unknown[what])
			}
			for _, word := range []string{"north", "wf_1", "u_7", "agent"} {
				if strings.Contains(status.Convert(err).Message(), word) || strings.Contains(servertest.InfoOf(err).String(), word) {
					t.Errorf("%s tells of another tenant: %v", what, err)
				}
			}
		}
		// What one of them may do does not depend on what the other has: no lease, pause, rule or counter reaches across.
		newTenant(south.agent, "wf_9", "run_1").acquires(theirs.entity.Id)
		decided(t, south.agent.Propose("ticket.create", `{"project":"OPS","ref":"r1"}`, from("wf_9", "run_1")), pb.Decision_DECISION_EXECUTE)
		decided(t, south.agent.Propose("refund.create", of("order_9", "10.00")), pb.Decision_DECISION_EXECUTE)
		ours := south.agent.Propose("access.revoke", revoke("u_7", "g_2"))
		decided(t, ours, pb.Decision_DECISION_AWAITING_APPROVAL)
		otherOperation(t, theirs.operation, ours.Result.OperationId)
		// And the owner's are as they were.
		seen := callerOf(north.lead).shows(theirs.approval)
		if seen.State != pb.Approval_STATE_OPEN || len(seen.Decisions) != 0 {
			t.Fatalf("the approval was touched: %v", seen)
		}
		for what, n := range map[string]int{"rules": 1, "grants": 1, "pauses": 1, "leases": 1, "standing approvals": 1, "tasks": 1} {
			if got := north.lists()[what]; got != n {
				t.Errorf("the owner has %d %s, want %d", got, what, n)
			}
		}
		if _, err := newTenant(north.agent, "wf_1", "run_1").renew(theirs.lease); err != nil {
			t.Fatal(err)
		}
	})
}
