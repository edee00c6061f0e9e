package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRulesAreAppliedObeyedAndRemoved goes the way of a rule from its file to its end, against a real server.
func TestRulesAreAppliedObeyedAndRemoved(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"), tool("email.send"), example("tools/credit.grant.yaml"))
	has(t, "check", r.ok(t, "policy", "apply", "--check", example("")), "refund-or-credit would become a new version", "test.yaml holds cases")
	has(t, "nothing is stored", r.ok(t, "policy", "list"), "No rule")

	guard := example("refund-needs-paid.yaml")
	has(t, "apply", r.ok(t, "policy", "apply", guard, example("one-mail-a-day.yaml")), "refund-needs-paid is v1 now")
	has(t, "the same again", r.ok(t, "policy", "apply", guard), "stays v1, unchanged")
	has(t, "list", r.ok(t, "policy", "list", "--tool", "refund.create"), "refund-needs-paid", "guard", "tools=refund.create", "in force")

	has(t, "a refund of no paid order", r.ok(t, "propose", "refund.create", "--arguments", refund), "denied by refund-needs-paid", "the order is not paid")
	r.ok(t, "entities", "set", "order/order_123", "--state", "paid", "--reason", "the bank has confirmed")
	has(t, "a refund of a paid order", r.ok(t, "propose", "refund.create", "--arguments", refund), "execute")

	shown := r.ok(t, "policy", "show", "refund-needs-paid")
	has(t, "show", shown, "version 1", "rule_id: refund-needs-paid", "order-is-paid")
	again := filepath.Join(t.TempDir(), "again.yaml")
	if err := os.WriteFile(again, []byte(shown), 0o600); err != nil {
		t.Fatal(err)
	}
	has(t, "what is shown can be applied", r.ok(t, "policy", "apply", again), "stays v1")
	if err := os.WriteFile(again, []byte(shown+"shadow: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := r.at(t, "policy", "apply", again, "--etag", "another"); got.status != exitFailed || !strings.Contains(got.err, "[ETAG_MISMATCH]") {
		t.Errorf("another etag: %+v", got)
	}
	has(t, "in shadow", r.ok(t, "policy", "apply", again), "is v2 now", "in shadow")
	r.ok(t, "entities", "set", "order/o_2", "--state", "lost", "--reason", "x")
	passed := r.ok(t, "propose", "refund.create", "--arguments", strings.Replace(refund, "order_123", "o_2", 1))
	has(t, "what shadow lets pass", passed, "execute", "in shadow: let pass", "the order is not paid")
	has(t, "figures", r.ok(t, "policy", "stats", "--rule", "refund-needs-paid"), "refund-needs-paid")
	has(t, "an earlier version", r.ok(t, "policy", "show", "refund-needs-paid", "--version", "1"), "version 1")

	r.ok(t, "policy", "remove", "refund-needs-paid", "--reason", "no longer sold")
	if listed := r.ok(t, "policy", "list"); strings.Contains(listed, "refund-needs-paid") {
		t.Errorf("a removed rule is listed:\n%s", listed)
	}
	has(t, "with those removed", r.ok(t, "policy", "list", "--removed"), "refund-needs-paid", "removed")
	r.stop(t)
}

// TestAFaultThatOnlyTheServerFindsHasItsPlaceInTheFile: it knows what the tool's arguments are.
func TestAFaultThatOnlyTheServerFindsHasItsPlaceInTheFile(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"))
	path := filepath.Join(t.TempDir(), "rules.yaml")
	good := "rule_id: good\nscope: {tools: [refund.create]}\ndeny: {when: 'false', explanation: x}\n---\n"
	text := good + "rule_id: bad\nscope: {tools: [refund.create]}\ndeny:\n  when: args.ammount.minor > 1\n  explanation: too much\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := r.at(t, "policy", "apply", path)
	if got.status != exitFailed || !strings.Contains(got.err, "nothing was applied") {
		t.Errorf("got %+v", got)
	}
	has(t, "the fault", got.out, "error: "+path+":8:13: deny.when", "ammount")
	has(t, "the good one", r.ok(t, "policy", "list"), "No rule")
	r.stop(t)
}

// TestACandidateIsAskedAboutBeforeItIsApplied asks what a rule would have done that is stored nowhere.
func TestACandidateIsAskedAboutBeforeItIsApplied(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"))
	ask := []string{"policy", "eval", "refund.create", "--arguments", refund}
	has(t, "without", r.ok(t, ask...), "execute")
	has(t, "with", r.ok(t, append(ask, "--rules", example("refund-needs-paid.yaml"))...), "denied", "refund-needs-paid")
	has(t, "in another world", r.ok(t, append(ask, "--rules", example("refund-needs-paid.yaml"), "--entity-state", "paid")...), "execute")
	r.stop(t)
}
