package main

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func anApproval() *pb.Approval {
	return &pb.Approval{
		ApprovalId: "apr_1", State: pb.Approval_STATE_OPEN, OperationId: "op_1", Tool: "refund.create", ToolVersion: 2, Entity: order1,
		CanonicalArgumentsJson: `{"amount":"50000","note":"line one\nline two","order_id":"1"}`, RedactedPointers: []string{"/iban"},
		RuleId: "refund-above-300", Explanation: "refunds above 300 EUR need two people", Warning: "The money cannot be called back.",
		RequiredCount: 2, Roles: []string{"lead", "finance"}, Proposer: "agent", Requester: "bob", CreateTime: at9, ExpireTime: at10, Etag: "5",
		Decisions:        []*pb.ApprovalDecision{{Principal: "ann-laptop", Person: "ann", Approved: true, Comment: "looks right", Time: at9, Role: "lead"}},
		RecentOperations: []*pb.RecentOperation{{OperationId: "op_0", Tool: "credit.grant", SafeUserMessage: "A credit of 20 EUR was given.", Time: at9}},
		ChangesSince:     []string{"The order's state is \"returned\" now."},
	}
}

func TestAnApproverSeesAllThatCounts(t *testing.T) {
	c := answering(t, map[string]proto.Message{"GetApproval": &pb.GetApprovalResponse{Approval: anApproval()}})
	shown := c.ok(t, "approvals", "show", "apr_1")
	has(t, "show", shown,
		`"amount": "50000"`, `"note": "line one\nline two"`, "not shown to you: /iban", // what is going to happen
		"WARNING: The money cannot be called back.", `The order's state is "returned" now.`,
		"refund-above-300", "two people", "agent", "bob", "1 of 2 by lead or finance", "2026-03-02 10:00:00Z",
		"looks right", "ann", "op_0", "A credit of 20 EUR was given.", "etag", "refund.create v2")
	if strings.Index(shown, "WARNING") > strings.Index(shown, "refund-above-300") {
		t.Error("what cannot be undone comes after who asks")
	}
	if m := parse(t, c.ok(t, "approvals", "show", "apr_1", "--json")); text(m, "canonical_arguments_json") == "" {
		t.Errorf("as JSON: %v", m)
	}
}

func TestArgumentsCannotPretendToBeMoreThanArguments(t *testing.T) {
	a := anApproval()
	a.CanonicalArgumentsJson = `{"note":"ok\u001b[2J\r\nWARNING: all is well"}`
	p := &printer{}
	p.approval(a)
	if strings.ContainsAny(p.String(), "\x1b\r") || strings.Contains(p.String(), "\nWARNING: all is well") {
		t.Errorf("wrote %q", p.String())
	}
}

func TestAYesIsBoundToWhatWasSeen(t *testing.T) {
	open, spent := anApproval(), anApproval()
	spent.State = pb.Approval_STATE_GRANTED
	c := answering(t, map[string]proto.Message{
		"GetApproval":    &pb.GetApprovalResponse{Approval: open},
		"DecideApproval": &pb.DecideApprovalResponse{Approval: spent, Result: &pb.ToolResult{SafeUserMessage: "Your refund is being made."}},
	})
	approve := []string{"approvals", "approve", "apr_1", "--server", c.address, "--comment", "checked"}
	if got := asPerson(t, "no\n", approve...); got.status != exitFailed || c.calls("DecideApproval") != 0 {
		t.Fatalf("a no at the prompt: %+v", got)
	}
	got := asPerson(t, "yes\n", approve...)
	if got.status != exitOK {
		t.Fatalf("got %+v", got)
	}
	has(t, "what the person sees", got.err, `"amount": "50000"`, "WARNING", "Approve it?")
	has(t, "the answer", got.out, "Granted: op_1 may run", "Your refund is being made.")
	same(t, request[*pb.DecideApprovalRequest](t, c, "DecideApproval"), &pb.DecideApprovalRequest{
		ApprovalId: "apr_1", Etag: "5", Comment: "checked", Word: &pb.DecideApprovalRequest_Approve{Approve: &pb.Approve{}},
	})
	stale := c.at(t, "", "approvals", "approve", "apr_1", "--yes", "--etag", "4")
	if stale.status != exitFailed || !strings.Contains(stale.err, "approvals show apr_1") || c.calls("DecideApproval") != 1 {
		t.Errorf("another etag: %+v", stale)
	}
}

func TestANoIsANo(t *testing.T) {
	denied := anApproval()
	denied.State = pb.Approval_STATE_DENIED
	c := answering(t, map[string]proto.Message{
		"GetApproval":    &pb.GetApprovalResponse{Approval: anApproval()},
		"DecideApproval": &pb.DecideApprovalResponse{Approval: denied},
	})
	has(t, "deny", c.ok(t, "approvals", "deny", "apr_1", "--yes", "--etag", "5", "--comment", "never delivered"), "Denied: op_1 has ended")
	same(t, request[*pb.DecideApprovalRequest](t, c, "DecideApproval"), &pb.DecideApprovalRequest{
		ApprovalId: "apr_1", Etag: "5", Comment: "never delivered", Word: &pb.DecideApprovalRequest_Deny{Deny: &pb.Deny{}},
	})
}

func TestApprovalsAreListed(t *testing.T) {
	c := answering(t, map[string]proto.Message{"ListApprovals": &pb.ListApprovalsResponse{Approvals: []*pb.Approval{anApproval()}}})
	has(t, "the list", c.ok(t, "approvals", "list", "--mine", "--state", "open,granted", "--entity", "order/1"), "apr_1", "1 of 2", "lead,finance")
	same(t, request[*pb.ListApprovalsRequest](t, c, "ListApprovals"), &pb.ListApprovalsRequest{
		PageSize: 50, DecidableByMe: true, Entity: order1, States: []pb.Approval_State{pb.Approval_STATE_OPEN, pb.Approval_STATE_GRANTED},
	})
	has(t, "completion of an approval", do(t, "__complete", "approvals", "approve", "--server", c.address, "ap").out, "apr_1\trefund.create order/1")
	has(t, "completion of a state", do(t, "__complete", "approvals", "list", "--state", "open,gr").out, "open,granted")
	if got := c.at(t, "", "approvals", "list", "--state", "maybe"); got.status != exitUsage || !strings.Contains(got.err, "reserved") {
		t.Errorf("an unknown state: %+v", got)
	}
}

func TestStandingApprovalsAreGivenSeenAndRevoked(t *testing.T) {
	standing := &pb.StandingApproval{
		StandingApprovalId: "sap_1", UsedCount: 2, UsedSum: 4500, GivenBy: "ann", CreateTime: at9, ExpireTime: at10, OperationIds: []string{"op_2", "op_1"}, Etag: "3",
		Terms: &pb.StandingApprovalTerms{Tool: "refund.create", MaxCount: 5, AmountPointer: "/amount/minor", MaxAmount: new(int64(3000)), MaxSum: new(int64(9000)), Currency: "EUR", Entity: order1},
	}
	c := answering(t, map[string]proto.Message{
		"CreateStandingApproval": &pb.CreateStandingApprovalResponse{StandingApproval: standing},
		"GetStandingApproval":    &pb.GetStandingApprovalResponse{StandingApproval: standing},
		"ListStandingApprovals":  &pb.ListStandingApprovalsResponse{StandingApprovals: []*pb.StandingApproval{standing}},
		"RevokeStandingApproval": &pb.RevokeStandingApprovalResponse{StandingApproval: standing},
	})
	has(t, "create", c.ok(t, "approvals", "standing", "create", "--tool", "refund.create", "--max-count", "5", "--amount-pointer", "/amount/minor",
		"--max-amount", "3000", "--max-sum", "9000", "--currency", "EUR", "--entity", "order/1", "--expires-after", "8h", "--reason", "goodwill"), "sap_1", "2 of 5 used")
	same(t, request[*pb.CreateStandingApprovalRequest](t, c, "CreateStandingApproval"), &pb.CreateStandingApprovalRequest{
		Terms: standing.Terms, ExpiresAfter: durationpb.New(8 * time.Hour), Reason: "goodwill",
	})
	has(t, "show", c.ok(t, "approvals", "standing", "show", "sap_1"), "at most 3000 each", "4500 of 9000 used in all EUR", "op_2 op_1")
	has(t, "list", c.ok(t, "approvals", "standing", "list", "--usable"), "sap_1", "2 of 5", "order/1")
	same(t, request[*pb.ListStandingApprovalsRequest](t, c, "ListStandingApprovals"), &pb.ListStandingApprovalsRequest{PageSize: 50, Usable: new(true)})
	has(t, "revoke", c.ok(t, "approvals", "standing", "revoke", "sap_1", "--reason", "enough"), "revoked", "2 operations")
	bare := []string{"approvals", "standing", "create", "--tool", "x", "--max-count", "1", "--expires-after", "1h", "--reason", "y", "--max-amount", "1"}
	if got := c.at(t, "", bare...); got.status != exitUsage || !strings.Contains(got.err, "--amount-pointer") {
		t.Errorf("an amount of nothing: %+v", got)
	}
}

func TestTasksAreListedAndTakenUp(t *testing.T) {
	task := &pb.HumanTask{
		HumanTaskId: "hum_1", Subject: &pb.HumanTask_Block{Block: aKeeper(true)},
		NeedsHuman: &pb.NeedsHuman{Reason: "the entity is held up for an hour", Owner: "support", Since: at9, DueTime: at10, EscalateTo: "lead", AcknowledgedBy: "ann"},
	}
	c := answering(t, map[string]proto.Message{
		"ListHumanTasks":       &pb.ListHumanTasksResponse{HumanTasks: []*pb.HumanTask{task}},
		"AcknowledgeHumanTask": &pb.AcknowledgeHumanTaskResponse{HumanTask: task},
	})
	has(t, "list", c.ok(t, "tasks", "list", "--owner", "support", "--acknowledged=false", "--overdue"), "hum_1", "order/1 held by op_1", "then lead", "taken up by ann")
	same(t, request[*pb.ListHumanTasksRequest](t, c, "ListHumanTasks"), &pb.ListHumanTasksRequest{
		PageSize: 50, Owner: "support", Acknowledged: new(false), Overdue: new(true),
	})
	has(t, "ack", c.ok(t, "tasks", "ack", "hum_1", "--hold", "2h", "--comment", "calling"), "taken up by ann")
	same(t, request[*pb.AcknowledgeHumanTaskRequest](t, c, "AcknowledgeHumanTask"), &pb.AcknowledgeHumanTaskRequest{
		HumanTaskId: "hum_1", HoldEscalationFor: durationpb.New(2 * time.Hour), Comment: "calling",
	})
}

func TestNotificationsAreSubscribedSeenAndEnded(t *testing.T) {
	sub := &pb.Subscription{SubscriptionId: "sub_1", Etag: "1", FailuresInARow: 3, Terms: &pb.SubscriptionTerms{
		Kinds: []pb.NotificationKind{pb.NotificationKind_NOTIFICATION_KIND_NEEDS_HUMAN}, Url: "https://chat.example/1",
		EndStates:     []pb.Operation_State{pb.Operation_STATE_FAILED_PERMANENT},
		SigningSecret: &pb.SecretRef{Place: &pb.SecretRef_Environment{Environment: "HOOK"}},
	}}
	c := answering(t, map[string]proto.Message{
		"CreateSubscription": &pb.CreateSubscriptionResponse{Subscription: sub},
		"GetSubscription":    &pb.GetSubscriptionResponse{Subscription: sub},
		"ListSubscriptions":  &pb.ListSubscriptionsResponse{Subscriptions: []*pb.Subscription{sub}},
		"DeleteSubscription": &pb.DeleteSubscriptionResponse{},
		"ListDeliveries": &pb.ListDeliveriesResponse{Deliveries: []*pb.Delivery{{
			DeliveryId: "dlv_1", SubscriptionId: "sub_1", Kind: pb.NotificationKind_NOTIFICATION_KIND_ESCALATED, OperationId: "op_1",
			State: pb.Delivery_STATE_FAILED, Tries: 9, LastAnswer: "503",
		}}},
	})
	create := []string{"notifications", "create", "--kind", "needs_human", "--url", "https://chat.example/1", "--end-state", "failed_permanent"}
	has(t, "create", c.ok(t, append(create, "--secret-env", "HOOK")...), "sub_1", "needs_human", "variable HOOK")
	same(t, request[*pb.CreateSubscriptionRequest](t, c, "CreateSubscription"), &pb.CreateSubscriptionRequest{Terms: sub.Terms})
	if got := c.at(t, "", create...); got.status != exitUsage {
		t.Errorf("no secret: %+v", got)
	}
	has(t, "show", c.ok(t, "notifications", "show", "sub_1"), "failed in a row", "3")
	has(t, "list", c.ok(t, "notifications", "list", "--kind", "needs_human"), "sub_1", "https://chat.example/1")
	has(t, "deliveries", c.ok(t, "notifications", "deliveries", "sub_1", "--state", "failed"), "dlv_1", "escalated", "503")
	has(t, "delete", c.ok(t, "notifications", "delete", "sub_1"), "has ended")
}
