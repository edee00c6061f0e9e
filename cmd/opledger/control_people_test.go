package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shop is a server on which several people and agents act, each with a token of their own.
type shop struct {
	*running
	tokens map[string]string
}

// serveShop starts a server that lets in an agent that acts, a CI that administers, and people who decide.
func serveShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{tokens: map[string]string{}}
	var lines []string
	for name, args := range map[string][]string{
		"agent": {"--roles", "propose,execute,read"},
		"ci":    {"--roles", "administer,read"},
		"ann":   {"--person", "ann@shop.example", "--roles", "approve,override,read", "--teams", "finance"},
		"ben":   {"--person", "ben@shop.example", "--roles", "approve,read", "--teams", "risk"},
	} {
		got := do(t, append([]string{"tokens", "new", "--json", "--namespace", "shop", "--principal", name}, args...)...)
		if got.status != exitOK {
			t.Fatal(got.err)
		}
		m := parse(t, got.out)
		s.tokens[name] = text(m, "token")
		lines = append(lines, text(m, "line"))
	}
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.running = serveProcess(t, []string{"--tokens", path})
	return s
}

// as runs a command line with somebody's token.
func (s *shop) as(t *testing.T, who string, args ...string) result {
	t.Helper()
	return s.at(t, append(args, "--token", s.tokens[who])...)
}

// must runs a command line with somebody's token that must succeed.
func (s *shop) must(t *testing.T, who string, args ...string) string {
	t.Helper()
	return s.ok(t, append(args, "--token", s.tokens[who])...)
}

// otherTool is a copy of an example with one part replaced.
func otherTool(t *testing.T, name, part, by string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".yaml")
	original := readExample(t, name)
	if !strings.Contains(original, part) {
		t.Fatalf("%s does not say %q", name, part)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(original, part, by, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// openTool is an example that everybody may propose.
func openTool(t *testing.T, name string) string {
	t.Helper()
	return otherTool(t, name, "  proposer_roles: [support]\n", "")
}

const (
	credit  = `{"order_id":"o_1","customer_id":"c_1","amount_cents":500}`
	credit2 = `{"order_id":"o_1","customer_id":"c_1","amount_cents":600}`
)

// TestAGrantLetsOneProposalPassOnce goes the way from a suppressed proposal over a person's grant to its one use.
func TestAGrantLetsOneProposalPassOnce(t *testing.T) {
	s := serveShop(t)
	s.must(t, "ci", "tools", "apply", openTool(t, "credit.goodwill"))
	first := parse(t, s.must(t, "agent", "propose", "credit.goodwill", "--arguments", credit, "--json"))
	id := text(first, "permit.operation_id")
	s.must(t, "agent", "report", id, text(first, "permit.attempt_id"), "--attempt-token", text(first, "permit.attempt_token"), "--outcome", "succeeded", "--object-id", "cr_1")

	suppressed := parse(t, s.must(t, "agent", "propose", "credit.goodwill", "--arguments", credit2, "--json"))
	decision := text(suppressed, "decision_id")
	if text(suppressed, "decision") != "DECISION_SUPPRESSED" || decision == "" {
		t.Fatalf("a second credit: %v", suppressed)
	}
	has(t, "what a person reads", s.must(t, "agent", "propose", "credit.goodwill", "--arguments", credit2), "suppressed by credit.goodwill/once-an-order", id, "a grant")

	create := []string{"grants", "create", "--kind", "override", "--decision", decision, "--reason", "a second parcel was lost"}
	if got := s.as(t, "agent", create...); got.status != exitFailed || !strings.Contains(got.err, "[PERMISSION_DENIED]") {
		t.Errorf("an agent's own grant: %+v", got)
	}
	grant := text(parse(t, s.must(t, "ann", append(create, "--json")...)), "grant_id")
	has(t, "show", s.must(t, "ann", "grants", "show", grant), "unused", "credit.goodwill/once-an-order", "ann", "a second parcel")
	has(t, "list", s.must(t, "ann", "grants", "list", "--usable"), grant)

	propose := []string{"propose", "credit.goodwill", "--arguments", credit2, "--grant", grant, "--json"}
	if passed := parse(t, s.must(t, "agent", propose...)); text(passed, "decision") != "DECISION_EXECUTE" {
		t.Fatalf("with the grant: %v", passed)
	}
	has(t, "afterwards", s.must(t, "ann", "grants", "show", grant), "used")
	if got := s.as(t, "ann", "grants", "revoke", grant, "--reason", "too late"); got.status != exitFailed || !strings.Contains(got.err, "[GRANT_NOT_USABLE]") {
		t.Errorf("a used grant was revoked: %+v", got)
	}
	has(t, "figures", s.must(t, "ann", "policy", "stats", "--rule", "credit.goodwill/once-an-order"), "OVERRIDDEN")
	s.stop(t)
}

func TestAQuestionIsAnsweredInAMadeUpWorld(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", openTool(t, "credit.goodwill"))
	ask := []string{"policy", "eval", "credit.goodwill", "--arguments", credit}
	has(t, "now", r.ok(t, ask...), "would be", "execute", "credit:o_1:500:v1", "once-an-order")
	has(t, "with a counter", r.ok(t, append(ask, "--counter", "credit.goodwill/cents-per-customer=3000")...), "retry_later", "3000 count")
	has(t, "nothing is recorded", r.ok(t, "policy", "decisions", "list"), "No decision")
	has(t, "nothing is made", r.ok(t, "ops", "list"), "No operation")
	r.stop(t)
}
