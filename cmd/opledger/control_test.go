package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestALeaseFromItsGrantToItsEnd goes the way of two runs that want one entity, against a real server.
func TestALeaseFromItsGrantToItsEnd(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"))
	file := filepath.Join(t.TempDir(), "lease")
	acquire := []string{"leases", "acquire", "order/order_123", "--run", "run_1", "--workflow"}
	has(t, "acquire", r.ok(t, append(acquire, "wf_1", "--lease-token-file", file)...), "order/order_123=1", "wf_1 run_1", file)
	other := r.at(t, append(acquire, "wf_2", "--json")...)
	if other.status != exitFailed || text(parse(t, other.out), "grant.lease_token") != "" {
		t.Errorf("a second workflow: %+v", other)
	}
	has(t, "list", r.ok(t, "leases", "list", "--workflow", "wf_1", "--expired=false"), "order/order_123", "never")

	propose := []string{"propose", "refund.create", "--arguments", refund, "--run", "run_1", "--workflow"}
	blocked := r.json(t, append(propose, "wf_2")...)
	if text(blocked, "decision") != "DECISION_BLOCKED" || blocked["permit"] != nil {
		t.Fatalf("another workflow's proposal: %v", blocked)
	}
	has(t, "the decision", r.ok(t, "policy", "decisions", "show", text(blocked, "decision_id")), "entity_lease", "wf_1", "blocked")
	has(t, "the decisions", r.ok(t, "policy", "decisions", "list", "--decision", "blocked", "--entity", "order/order_123", "--from", "1h"), "refund.create", "entity_lease")
	permit := r.json(t, append(propose, "wf_1", "--lease-token-file", file)...)
	if text(permit, "permit.attempt_token") == "" {
		t.Fatalf("the holder's proposal: %v", permit)
	}
	id := text(permit, "permit.operation_id")
	has(t, "who keeps it", r.ok(t, "leases", "show", "order/order_123"), "lea_", id, "dispatched")
	has(t, "renew", r.ok(t, "leases", "renew", "--lease-token-file", file, "--ttl", "10m"), "1 times")
	token, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}

	if got := asPerson(t, "n\n", "leases", "break", "order/order_123", "--reason", "the run died", "--server", r.address); got.status != exitFailed {
		t.Errorf("without a yes: %+v", got)
	}
	got := asPerson(t, "y\n", "leases", "break", "order/order_123", "--reason", "the run died", "--server", r.address)
	if got.status != exitOK {
		t.Fatalf("with a yes: %+v", got)
	}
	has(t, "what a person sees", got.err, id, "wf_1", "Break it?")
	has(t, "what was lifted", got.out, "order/order_123 is free", id, "effect may still come")
	t.Setenv(leaseTokenVariable, strings.TrimSpace(string(token)))
	if lost := r.at(t, "leases", "renew"); lost.status != exitFailed || !strings.Contains(lost.err, "[LEASE_LOST]") {
		t.Errorf("a broken lease: %+v", lost)
	}
	t.Setenv(leaseTokenVariable, "")
	has(t, "afterwards", r.ok(t, append(acquire, "wf_2", "--lease-token-file", file)...), "wf_2")
	has(t, "release", r.ok(t, "leases", "release", "--lease-token-file", file), "Given back")
	if got := r.at(t, "leases", "break", "order/order_123", "--reason", "x", "--yes"); got.status != exitFailed || !strings.Contains(got.err, "nothing to break") {
		t.Errorf("a free entity: %+v", got)
	}
	r.stop(t)
}

func TestAnEntitysStateIsSetAsItWasSeen(t *testing.T) {
	r := serveProcess(t, nil)
	if got := r.at(t, "entities", "show", "order/1"); got.status != exitFailed || !strings.Contains(got.err, "[ENTITY_STATE_NOT_FOUND]") {
		t.Errorf("none: %+v", got)
	}
	set := []string{"entities", "set", "order/1", "--reason", "by hand"}
	first := r.json(t, append(set, "--state", "paid", "--attributes", `{"vip":true}`)...)
	if got := r.at(t, append(set, "--state", "lost", "--etag", "another")...); got.status != exitFailed || !strings.Contains(got.err, "[ETAG_MISMATCH]") {
		t.Errorf("another etag: %+v", got)
	}
	r.ok(t, append(set, "--state", "refunded", "--etag", text(first, "etag"))...)
	has(t, "show", r.ok(t, "entities", "show", "order/1"), "refunded", `{"vip":true}`, "by hand", "2")
	has(t, "list", r.ok(t, "entities", "list", "--entity-type", "order", "--state", "refunded"), "order/1")
	has(t, "an empty list", r.ok(t, "entities", "list", "--state", "paid"), "No entity has a state")
	r.stop(t)
}

func TestAPauseHoldsUntilItIsEnded(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"))
	r.ok(t, "policy", "pause", "--namespace", "--reason", "incident 4711")
	has(t, "pauses", r.ok(t, "policy", "pauses"), "the whole namespace", "incident 4711")
	has(t, "a proposal", r.ok(t, "propose", "refund.create", "--arguments", refund), "denied", "incident 4711")
	has(t, "resume", r.ok(t, "policy", "resume", "--namespace", "--reason", "closed"), "incident 4711")
	if got := r.at(t, "policy", "resume", "--namespace", "--reason", "again"); got.status != exitFailed || !strings.Contains(got.err, "[POLICY_OBJECT_NOT_FOUND]") {
		t.Errorf("what is not paused: %+v", got)
	}
	has(t, "no pause", r.ok(t, "policy", "pauses"), "Nothing is paused")
	has(t, "a proposal afterwards", r.ok(t, "propose", "refund.create", "--arguments", refund), "execute")
	has(t, "shadow", r.ok(t, "policy", "shadow", "on", "--class", "external_idempotent_write", "--reason", "trying"), "in shadow")
	r.stop(t)
}

func TestAHoldIsLiftedByAPersonsWord(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"))
	id := text(r.json(t, "propose", "refund.create", "--arguments", refund), "permit.operation_id")
	other := strings.Replace(refund, "10.00", "9.99", 1)
	has(t, "a rephrased refund", r.ok(t, "propose", "refund.create", "--arguments", other), "blocked", id)
	lift := []string{"policy", "lift", "order/order_123", "--group", "refund.create", "--operation", id, "--reason", "the bank says: nothing there", "--server", r.address}
	got := asPerson(t, "y\n", lift...)
	if got.status != exitOK {
		t.Fatalf("got %+v", got)
	}
	has(t, "what a person sees", got.err, id, "dispatched", "Let others")
	has(t, "lift", got.out, "no longer holds order/order_123", "effect may still come")
	has(t, "afterwards", r.ok(t, "propose", "refund.create", "--arguments", other), "execute")
	r.stop(t)
}
