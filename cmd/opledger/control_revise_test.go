package main

import (
	"strings"
	"testing"
)

// TestAGrantLetsAFreshTryBeMade: what somebody cancelled is tried afresh by another person's grant, and by no word of the
// proposer's.
func TestAGrantLetsAFreshTryBeMade(t *testing.T) {
	s := serveShop(t)
	s.must(t, "ci", "tools", "apply", openTool(t, "credit.goodwill"))
	propose := []string{"propose", "credit.goodwill", "--arguments", credit, "--json"}
	first := parse(t, s.must(t, "agent", propose...))
	id := text(first, "permit.operation_id")
	s.must(t, "agent", "report", id, text(first, "permit.attempt_id"), "--attempt-token", text(first, "permit.attempt_token"), "--outcome", "not_sent")
	s.must(t, "agent", "ops", "cancel", id, "--reason", "the customer changed their mind")

	afresh := append(propose, "--revise", id, "--reason", "and changed it back")
	if got := s.as(t, "agent", afresh...); got.status != exitFailed || !strings.Contains(got.err, "REVISION_NOT_ALLOWED") {
		t.Fatalf("by the proposer alone: %+v", got)
	}
	fingerprint := text(parse(t, s.must(t, "ann", "ops", "show", id, "--json")), "fingerprint")
	grant := text(parse(t, s.must(t, "ann", "grants", "create", "--kind", "revise", "--tool", "credit.goodwill", "--operation", id,
		"--fingerprint", fingerprint, "--reason", "they may", "--json")), "grant_id")
	if got := s.as(t, "agent", append(propose, "--revise-grant", grant)...); got.status == 0 || !strings.Contains(got.err, "--revise") {
		t.Errorf("a grant without what it is for: %+v", got)
	}
	if passed := parse(t, s.must(t, "agent", append(afresh, "--revise-grant", grant)...)); text(passed, "decision") != "DECISION_EXECUTE" {
		t.Fatalf("with the grant: %v", passed)
	}
	s.stop(t)
}
