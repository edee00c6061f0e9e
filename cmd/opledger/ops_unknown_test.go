package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// ago is a time before a fixed one.
func ago(d time.Duration) *timestamppb.Timestamp {
	return timestamppb.New(time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC).Add(-d))
}

// TestWhatIsNotKnownIsToldTheLongestFirst: why, since when, what is done about it, and who is asked.
func TestWhatIsNotKnownIsToldTheLongestFirst(t *testing.T) {
	unknown := pb.Operation_STATE_UNKNOWN_OUTCOME
	found := map[string]*pb.Operation{}
	for _, o := range []*pb.Operation{
		{OperationId: "op_new", Tool: "payment.capture", State: unknown, StateTime: ago(time.Minute),
			Failure:  &pb.Failure{Category: pb.FailureCategory_FAILURE_CATEGORY_TIMEOUT},
			NextWork: &pb.NextWork{Kind: pb.WorkKind_WORK_KIND_LOOKUP, Time: ago(0), Lookups: 2}},
		{OperationId: "op_old", Tool: "email.send", State: unknown, StateTime: ago(3 * time.Hour),
			NeedsHuman: &pb.NeedsHuman{Reason: "outcome_unknown", Owner: "support", Since: ago(2 * time.Hour), DueTime: ago(time.Hour)}},
		{OperationId: "op_seen", Tool: "refund.create", State: pb.Operation_STATE_COMPLETED_SUCCESS, StateTime: ago(9 * time.Hour),
			Incidents:  []*pb.Incident{{Kind: pb.IncidentKind_INCIDENT_KIND_DUPLICATE_EFFECT}},
			NeedsHuman: &pb.NeedsHuman{Reason: "duplicate", Owner: "finance", Since: ago(time.Hour), AcknowledgedBy: "ann"}},
		{OperationId: "op_resent", Tool: "payment.capture", State: unknown, StateTime: ago(30 * time.Minute),
			Failure:  &pb.Failure{Category: pb.FailureCategory_FAILURE_CATEGORY_PROVIDER_ERROR, Code: "lock_timeout"},
			NextWork: &pb.NextWork{Kind: pb.WorkKind_WORK_KIND_DISPATCH, Time: ago(0)}},
	} {
		found[o.OperationId] = o
	}
	all := longestFirst(found)
	var order []string
	for _, o := range all {
		order = append(order, o.OperationId)
	}
	if want := []string{"op_old", "op_seen", "op_resent", "op_new"}; !slices.Equal(order, want) {
		t.Errorf("the order is %v, want %v", order, want)
	}
	p := &printer{}
	p.unknown(all[:3], 1, 3)
	lines := strings.Split(p.String(), "\n")
	for i, want := range [][]string{
		{"OPERATION", "SINCE", "WHY", "NEXT", "ASKED"},
		{"op_old", "2026-12-02 09:00:00Z", "outcome_unknown", "nothing by itself", "support, due 2026-12-02 11:00:00Z"},
		{"op_seen", "2026-12-02 11:00:00Z", "incident: duplicate_effect", "ann has taken it up"},
		{"op_resent", "2026-12-02 11:30:00Z", "provider_error (lock_timeout)", "next attempt at 2026-12-02 12:00:00Z", "nobody"},
		{},
		{"There are 1 more: --limit 4"},
	} {
		for _, w := range want {
			if !strings.Contains(lines[i], w) {
				t.Errorf("line %d lacks %q: %s", i, w, lines[i])
			}
		}
	}
	if got := nextLook(found["op_new"]); got != "lookup 3 at 2026-12-02 12:00:00Z" {
		t.Errorf("the next look is %q", got)
	}
}

// TestUnknownOnesAreListedAndOffered asks a real server.
func TestUnknownOnesAreListedAndOffered(t *testing.T) {
	r := serveProcess(t, nil)
	has(t, "nothing", r.ok(t, "ops", "unknown"), "Every outcome is known")
	r.ok(t, "tools", "apply", tool("email.send"))
	var ids []string
	for _, ref := range []string{"order_1", "order_2"} {
		permit := r.json(t, "propose", "email.send", "--arguments", strings.Replace(mail, "order_123", ref, 1))
		id, attempt, token := text(permit, "permit.operation_id"), text(permit, "permit.attempt_id"), text(permit, "permit.attempt_token")
		begun := r.json(t, "begin", id, attempt, "--attempt-token", token)
		r.ok(t, "report", id, attempt, "--attempt-token", token, "--begin-nonce", text(begun, "begin_nonce"), "--outcome", "ambiguous")
		ids = append(ids, id)
	}
	listed := r.ok(t, "ops", "unknown", "--tool", "email.send")
	if a, b := strings.Index(listed, ids[0]), strings.Index(listed, ids[1]); a < 0 || b < a {
		t.Errorf("the first of %v is not told first:\n%s", ids, listed)
	}
	has(t, "who is asked", listed, "nobody")
	one := r.json(t, "ops", "unknown", "--limit", "1")
	list, _ := field(one, "operations").([]any)
	if len(list) != 1 || text(list[0].(map[string]any), "operation_id") != ids[0] {
		t.Errorf("as JSON: %v", one)
	}
	has(t, "another tool", r.ok(t, "ops", "unknown", "--tool", "refund.create"), "Every outcome is known")
	has(t, "completion", do(t, "__complete", "ops", "reconcile", "--server", r.address, ids[0][:10]).out, ids[0]+"\temail.send")
	r.stop(t)
}
