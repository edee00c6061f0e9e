package main

import (
	"strings"
	"testing"
)

const largeRefund = `{"order_id":"o_2","customer_id":"c_1","amount":"150.00","currency":"EUR"}`

// asked proposes a refund that needs two people, and answers its approval and its operation.
func (s *shop) asked(t *testing.T, arguments string) (approval, operation string) {
	t.Helper()
	waits := parse(t, s.must(t, "agent", "propose", "order.refund", "--arguments", arguments, "--json"))
	approval, operation = text(waits, "approval.approval_id"), text(waits, "result.operation_id")
	if text(waits, "decision") != "DECISION_AWAITING_APPROVAL" || approval == "" || operation == "" || waits["permit"] != nil {
		t.Fatalf("got %v", waits)
	}
	return approval, operation
}

// TestTwoPeopleApproveWhatTheySee goes the way of a refund that needs two people, against a real server.
func TestTwoPeopleApproveWhatTheySee(t *testing.T) {
	s := serveShop(t)
	s.must(t, "ci", "tools", "apply", tool("order.refund"))
	id, operation := s.asked(t, largeRefund)
	has(t, "ann's list", s.must(t, "ann", "approvals", "list", "--mine"), id, "0 of 2", "finance,risk", "order/o_2")
	has(t, "what ann sees", s.must(t, "ann", "approvals", "show", id),
		`"minor": "15000"`, "WARNING: The money leaves the account at once.", "order.refund/approval", "agent", "0 of 2 by finance or risk", operation)

	if got := s.as(t, "agent", "approvals", "approve", id, "--yes"); got.status != exitFailed || !strings.Contains(got.err, "[PERMISSION_DENIED]") {
		t.Errorf("the proposer approves: %+v", got)
	}
	approve := []string{"approvals", "approve", id, "--server", s.address, "--token"}
	if got := asPerson(t, "\n", append(approve, s.tokens["ann"])...); got.status != exitFailed || !strings.Contains(got.err, "nothing was changed") {
		t.Errorf("without a yes: %+v", got)
	}
	got := asPerson(t, "y\n", append(approve, s.tokens["ann"], "--comment", "called the customer")...)
	if got.status != exitOK {
		t.Fatalf("ann's yes: %+v", got)
	}
	has(t, "what ann is asked about", got.err, `"minor": "15000"`, "WARNING", "Approve it?")
	has(t, "after ann", got.out, "1 of 2 approved; more people must")
	if again := s.as(t, "ann", "approvals", "approve", id, "--yes"); again.status != exitFailed {
		t.Errorf("ann approves twice: %+v", again)
	}
	has(t, "what ben sees", s.must(t, "ben", "approvals", "show", id), "ann@shop.example", "called the customer", "1 of 2")
	if stale := s.as(t, "ben", "approvals", "approve", id, "--yes", "--etag", "another"); stale.status != exitFailed || !strings.Contains(stale.err, "look at it again") {
		t.Errorf("another etag: %+v", stale)
	}
	has(t, "after ben", s.must(t, "ben", "approvals", "approve", id, "--yes"), "Granted: "+operation)

	permit := parse(t, s.must(t, "agent", "propose", "order.refund", "--arguments", largeRefund, "--json"))
	if text(permit, "decision") != "DECISION_EXECUTE" || text(permit, "permit.operation_id") != operation {
		t.Errorf("the agent's next proposal: %v", permit)
	}
	if late := s.as(t, "ben", "approvals", "deny", id, "--yes"); late.status != exitFailed || !strings.Contains(late.err, "[APPROVAL_NOT_OPEN]") {
		t.Errorf("a no afterwards: %+v", late)
	}
	has(t, "those that are decided", s.must(t, "ann", "approvals", "list", "--state", "granted,reserved,spent"), id)
	s.stop(t)
}

func TestANoEndsTheOperationAndHolds(t *testing.T) {
	s := serveShop(t)
	s.must(t, "ci", "tools", "apply", tool("order.refund"))
	id, operation := s.asked(t, largeRefund)
	task := "hum_" + id
	tasks := s.must(t, "ann", "tasks", "list")
	has(t, "what waits", tasks, task, id, "waits")
	has(t, "taken up", s.must(t, "ann", "tasks", "ack", task, "--comment", "on it", "--hold", "1h"), "taken up by ann")
	has(t, "what nobody has taken up", s.must(t, "ann", "tasks", "list", "--acknowledged=false"), "Nothing waits")

	has(t, "the no", s.must(t, "ann", "approvals", "deny", id, "--yes", "--comment", "never delivered"), "Denied: "+operation)
	has(t, "the operation", s.must(t, "ann", "ops", "show", operation), "failed_permanent", "approval_denied")
	other := strings.Replace(largeRefund, "150.00", "149.00", 1)
	has(t, "a rephrased refund", s.must(t, "agent", "propose", "order.refund", "--arguments", other), "denied")
	has(t, "what waits afterwards", s.must(t, "ann", "tasks", "list"), "Nothing waits")
	s.stop(t)
}

// TestAStandingApprovalIsUsedUpToItsBounds: one person's word ahead, where one person is enough.
func TestAStandingApprovalIsUsedUpToItsBounds(t *testing.T) {
	s := serveShop(t)
	s.must(t, "ci", "tools", "apply", otherTool(t, "order.refund", "      count: 2\n", "      count: 1\n"))
	propose := func(order, amount string) string {
		arguments := strings.NewReplacer("o_2", order, "150.00", amount).Replace(largeRefund)
		return text(parse(t, s.must(t, "agent", "propose", "order.refund", "--arguments", arguments, "--json")), "decision")
	}
	made := parse(t, s.must(t, "ann", "approvals", "standing", "create", "--tool", "order.refund", "--max-count", "1", "--amount-pointer", "/amount",
		"--max-amount", "15000", "--currency", "EUR", "--expires-after", "1h", "--reason", "a parcel was lost", "--json"))
	id := text(made, "standing_approval_id")
	has(t, "list", s.must(t, "ann", "approvals", "standing", "list", "--usable"), id, "0 of 1", "at most 15000 each")
	for _, c := range []struct{ what, order, amount, want string }{
		{"more than it bears", "o_1", "150.01", "DECISION_AWAITING_APPROVAL"},
		{"within it", "o_2", "150.00", "DECISION_EXECUTE"},
		{"one too many", "o_3", "120.00", "DECISION_AWAITING_APPROVAL"},
	} {
		if got := propose(c.order, c.amount); got != c.want {
			t.Errorf("%s: %s", c.what, got)
		}
	}
	has(t, "show", s.must(t, "ann", "approvals", "standing", "show", id), "1 of 1 used", "order.refund", "ann", "op_")
	has(t, "revoke", s.must(t, "ann", "approvals", "standing", "revoke", id, "--reason", "done"), "is revoked; 1 operations had used it")
	has(t, "none is left", s.must(t, "ann", "approvals", "standing", "list", "--usable"), "No standing approval")
	s.stop(t)
}
