package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readExample(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(tool(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestToolsAreCheckedWithoutAServer(t *testing.T) {
	examples, err := filepath.Glob(tool("*"))
	if err != nil || len(examples) < 6 {
		t.Fatalf("%v, %v", examples, err)
	}
	if got := do(t, append([]string{"tools", "validate"}, examples...)...); got.status != exitOK {
		t.Errorf("the examples: %+v", got)
	}
	broken := strings.Replace(readExample(t, "refund.create"), "/amount: {money", "/amuont: {money", 1)
	got := doWith(t, broken, "tools", "validate", "-")
	if got.status != exitFailed || got.err != "" {
		t.Errorf("a misspelt field: %+v", got)
	}
	has(t, "the fault", got.out, "error: -:", "/amuont")
	asked := doWith(t, broken, "tools", "validate", "-", "--json")
	faults, _ := parse(t, asked.out)["errors"].([]any)
	if asked.status != exitFailed || len(faults) == 0 || faults[0].(map[string]any)["line"] == nil {
		t.Errorf("as JSON: %+v", asked)
	}
	if got := do(t, "tools", "validate", "/nonexistent.yaml"); got.status != exitFailed || !strings.Contains(got.err, "/nonexistent.yaml") {
		t.Errorf("no file: %+v", got)
	}
}

func TestShippedProfiles(t *testing.T) {
	has(t, "the list", do(t, "tools", "providers").out, "stripe.v1", "mailpit.v1")
	has(t, "one with its sources", do(t, "tools", "providers", "stripe.v1").out, "retention: 24h", "https://docs.stripe.com/api/idempotent_requests")
	shown := parse(t, do(t, "tools", "providers", "stripe.v1", "--json").out)
	if profile, _ := shown["profile"].(map[string]any); shown["name"] != "stripe.v1" || profile["name"] != "stripe" || len(shown["sources"].([]any)) == 0 {
		t.Errorf("as JSON: %v", shown)
	}
	if got := do(t, "tools", "providers", "strype"); got.status != exitUsage || !strings.Contains(got.err, "stripe.v1") {
		t.Errorf("an unknown one: %+v", got)
	}
}

func TestToolsAreAppliedSeenAndSwitched(t *testing.T) {
	r := serveProcess(t, nil)
	has(t, "a dry run", r.ok(t, "tools", "apply", "--dry-run", tool("refund.create")), "would become")
	has(t, "nothing stored", r.ok(t, "tools", "list"), "No tool")
	r.ok(t, "tools", "apply", tool("refund.create"))
	has(t, "the same again", r.ok(t, "tools", "apply", tool("refund.create")), "stays v1")

	next := filepath.Join(t.TempDir(), "next.yaml")
	described := strings.Replace(readExample(t, "refund.create"), "description: Pays", "description: Now pays", 1)
	if err := os.WriteFile(next, []byte(described), 0o600); err != nil {
		t.Fatal(err)
	}
	has(t, "another description", r.ok(t, "tools", "apply", next), "refund.create is v2 now")
	other := strings.Replace(described, `{currency}:{occurrence}`, `{currency}:again:{occurrence}`, 1)
	if err := os.WriteFile(next, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := r.at(t, "tools", "apply", next); got.status != exitFailed || !strings.Contains(got.err, "refund.create") || !strings.Contains(got.err, "[IDENTITY_CHANGE_UNSTATED]") {
		t.Errorf("another identity: %+v", got)
	}
	has(t, "every version", r.ok(t, "tools", "list", "--all-versions", "--prefix", "refund"), "refund.create  2", "refund.create  1")

	shown := r.ok(t, "tools", "show", "refund.create")
	has(t, "show", shown, "version 2", "description: Now pays")
	again := filepath.Join(t.TempDir(), "again.yaml")
	if err := os.WriteFile(again, []byte(shown), 0o600); err != nil {
		t.Fatal(err)
	}
	has(t, "what is shown can be applied", r.ok(t, "tools", "apply", again), "stays v2")
	has(t, "an earlier version", r.ok(t, "tools", "show", "refund.create", "--version", "1"), "description: Pays")
	has(t, "defaults", r.ok(t, "tools", "show", "refund.create", "--effective"), "max_attempts: 5")

	has(t, "disable", r.ok(t, "tools", "disable", "refund.create", "--reason", "provider is down"), "off: provider is down")
	has(t, "a disabled tool", r.ok(t, "propose", "refund.create", "--arguments", refund), "denied", "provider is down")
	has(t, "list", r.ok(t, "tools", "list", "--disabled"), "off: provider is down")
	has(t, "enable", r.ok(t, "tools", "enable", "refund.create", "--reason", "it is back"), "is on")
	has(t, "an enabled tool", r.ok(t, "propose", "refund.create", "--arguments", refund), "execute")

	if got := do(t, "__complete", "tools", "show", "--server", r.address, "ref"); got.status != exitOK || !strings.Contains(got.out, "refund.create") {
		t.Errorf("completion: %+v", got)
	}
	r.stop(t)
	if got := do(t, "__complete", "tools", "show", "--server", r.address, "ref"); got.status != exitOK || strings.Contains(got.out, "refund.create") {
		t.Errorf("completion without a server: %+v", got)
	}
}

func TestNothingIsAppliedFromFilesWithAnError(t *testing.T) {
	r := serveProcess(t, nil)
	broken := filepath.Join(t.TempDir(), "broken.yaml")
	if err := os.WriteFile(broken, []byte("name: x\nclas: PURE_READ\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := r.at(t, "tools", "apply", tool("refund.create"), broken)
	if got.status != exitFailed || !strings.Contains(got.err, "nothing was applied") || !strings.Contains(got.out, "broken.yaml:2") {
		t.Errorf("got %+v", got)
	}
	has(t, "the registry", r.ok(t, "tools", "list"), "No tool")
	r.stop(t)
}
