package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval/report"
)

// TestEvalOfAGivenServer evaluates a server that runs, with a token, twice in a row: keys are new each time, and the tools
// that the first evaluation has switched off are on for the second.
func TestEvalOfAGivenServer(t *testing.T) {
	token, line := newToken(t, "--principal", "ci", "--roles", "administer,propose,execute,read")
	r := serveProcess(t, []string{"--tokens", file(t, "tokens", line)})
	for range 2 {
		got := do(t, "eval", "--suite", "crowd", "--server", r.address, "--token", token, "--runs", "5", "--seed", "3", "--json")
		var told report.Report
		if err := json.Unmarshal([]byte(got.out), &told); err != nil {
			t.Fatalf("%v in %+v", err, got)
		}
		if got.status != exitOK || told.Verdict != report.Passed || told.Server != r.address || strings.Contains(got.out+got.err, token) {
			t.Errorf("status %d, verdict %s; said %s\n%s", got.status, told.Verdict, got.err, got.out)
		}
		names := []string{}
		for _, result := range told.Results {
			names = append(names, result.Part)
		}
		if !slices.Equal(names, []string{"crowd/operations", "crowd/leases"}) {
			t.Errorf("tried were %v", names)
		}
	}
	tools := do(t, "tools", "list", "--server", r.address, "--token", token, "--json")
	if n := strings.Count(tools.out, `"disabled"`); n != 4 {
		t.Errorf("%d tools are switched off afterwards: %s", n, tools.out)
	}
}

// TestEvalSaysWhyAServerCannotBeEvaluated: none of these is a finding, and each says what to do.
func TestEvalSaysWhyAServerCannotBeEvaluated(t *testing.T) {
	proposer, weak := newToken(t, "--principal", "agent", "--roles", "propose,execute,read")
	admin, strong := newToken(t, "--principal", "ci", "--roles", "administer,propose,execute,read")
	silent, mute := newToken(t, "--principal", "mute", "--roles", "administer,propose,read")
	r := serveProcess(t, []string{"--tokens", file(t, "tokens", weak+"\n"+strong+"\n"+mute)})
	try := func(says string, args ...string) {
		t.Helper()
		got := do(t, append([]string{"eval", "--suite", "crowd", "--runs", "5", "--seed", "3"}, args...)...)
		if got.status != exitNotDone || !strings.Contains(got.out+got.err, says) {
			t.Errorf("%v: status %d, said %s\n%s", args, got.status, got.err, got.out)
		}
	}
	try("start one there", "--server", "127.0.0.1:1")
	try("is no host:port", "--server", "opledger.example")
	try("there are no --engine", "--server", r.address, "--engine", "postgresql", "--database-url", "postgres://h/d")
	try("give it a token that it knows", "--server", r.address)
	try("give it a token that it knows", "--server", r.address, "--token", proposer+"x")
	try("it needs the roles administer", "--server", r.address, "--token", proposer)
	try("it needs the roles administer", "--server", r.address, "--token", silent)
	r.ok(t, "policy", "pause", "--namespace", "--reason", "incident 4711", "--token", admin)
	try("not paused", "--server", r.address, "--token", admin)
}
