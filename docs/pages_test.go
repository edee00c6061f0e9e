package docs

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shown is what the steps of the pages show their reader. A step that is not listed only has to succeed.
var shown = map[string][]string{
	"policy/test":             {"17 passed, 0 failed"},
	"policy/apply":            {"would become a new version", "one-mail-a-day is v1 now", "dedupe_window", "in force"},
	"policy/eval":             {"execute", "denied", "business-hours", "workdays"},
	"policy/decide":           {"decision     execute", "suppressed by one-mail-a-day", "earlier"},
	"policy/decision":         {"says       suppressed", "period=1d"},
	"policy/override":         {"decision     execute", "stands       used"},
	"policy/shadow":           {"in shadow: let pass", "WOULD HAVE SAID NO", "are in force"},
	"policy/pause":            {"denied by paused: the tool email.send is paused: incident 4711", "Resumed"},
	"policy/end":              {"has ended with version 1"},
	"leases/acquire":          {"fencing numbers  order/order_7=1", "in lease.token"},
	"leases/prove":            {"blocked by entity_lease: workflow wf_1 holds", "decision     execute"},
	"leases/renew":            {"renewed          1 times"},
	"leases/takeover":         {"order/order_7=2", "wf_1 run_2"},
	"leases/release":          {"Given back.", "STILL KEPT BY"},
	"leases/break":            {"order/order_7 is free.", "its effect may still come"},
	"compensation/compensate": {"is compensating", "refund.create", "undo:", "open"},
	"compensation/step":       {"state             compensated", "re_1", "undone, known since"},
	"compensation/again":      {"is compensated", "decision   replayed", "then undone"},
	"compensation/workflow":   {"is not undone yet", "ticket.create    compensating       under_way", "waiting"},

	"workers/serve":      {"push.send"},
	"workers/propose":    {"enqueued", "waits to be carried out for you"},
	"workers/work":       {`sending {"device":"d1","ref":"hello"} under opr-`},
	"workers/again":      {"replayed"},
	"workers/drain":      {"pending_dispatch", "completed_success"},
	"approvals/propose":  {"awaiting_approval by refund-by-lead", "0 of 1", "decision     blocked by exclusive_group"},
	"approvals/show":     {`"minor": "8000"`, "WARNING: The money cannot be called back."},
	"approvals/approve":  {"Granted"},
	"approvals/use":      {"decision     execute", "spent", "local"},
	"approvals/deny":     {"Denied", "denied by approver_said_no"},
	"approvals/standing": {"0 of 5 used", "is revoked"},
	"approvals/tasks":    {"Nothing waits"},
	"approvals/notify":   {"sub_", "https://chat.example/hooks/approvals"},

	"webhooks/serve":   {"account.topup"},
	"webhooks/lost":    {"unknown_outcome", "reconciling"},
	"webhooks/deliver": {`"deduplicated":false`, `"deduplicated":true`, "replayed"},
	"webhooks/show":    {"completed_success", "webhook"},
	"webhooks/late":    {"evidence_against_success"},

	"workflows/start":      {"wf_1", "run_1", "open"},
	"workflows/again":      {"The event slack/ev_1 came before.", "United by the key msg:C1:1700.1.", "means something else"},
	"workflows/work":       {"unknown_outcome", "You hold the permit"},
	"workflows/resume":     {"run_2", "Open, 2", "it may have happened", "open (dispatched)"},
	"workflows/superseded": {"RUN_SUPERSEDED", "in_flight"},
	"workflows/claims":     {"CLAIM_CONTRADICTED", "Workflow wf_1 is completed.", "still open"},
	"workflows/look":       {"THE USER WAS TOLD", "cancel order_7", "WORKFLOW_ENDED"},
}

var runStep = regexp.MustCompile("(?s)<!-- run: ([a-z]+/[a-z]+) -->\n```sh\n(.*?)```")

// TestPages runs the commands of the pages word for word, each page in one shell with a server of its own, as its reader
// does. They differ from a reader's in the ports and the folder of data.
func TestPages(t *testing.T) {
	bin := t.TempDir()
	for name, pkg := range map[string]string{"opledger": "cmd/opledger", "push-worker": "examples/workers/go"} {
		if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, name), module+pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	seen := map[string]bool{}
	for _, page := range []string{"policy", "leases", "approvals", "workflows", "compensation", "webhooks", "workers"} {
		t.Run(page, func(t *testing.T) {
			steps := runStep.FindAllStringSubmatch(read(t, page+".md"), -1)
			if len(steps) < 5 {
				t.Fatalf("the page has %d steps", len(steps))
			}
			address := freeAddress(t)
			var script strings.Builder
			script.WriteString("set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n" +
				"export OPLEDGER_LISTEN=" + address + " OPLEDGER_SERVER=" + address + " OPLEDGER_ADMIN_LISTEN=off\n" +
				"export OPLEDGER_SECRET_CHAT=no-secret-at-all-but-long-enough\n")
			for _, s := range steps {
				if !strings.HasPrefix(s[1], page+"/") {
					t.Errorf("the step %s stands on another page", s[1])
				}
				script.WriteString("echo '==== " + s[1] + "'\n" + s[2])
			}
			out := run(t, checkout(t), script.String())
			parts := regexp.MustCompile(`(?m)^==== ([a-z]+/[a-z]+)$`).Split(out, -1)[1:]
			for i, s := range steps {
				seen[s[1]] = true
				if i >= len(parts) {
					t.Fatalf("the page stopped before %s:\n%s", s[1], out)
				}
				for _, w := range shown[s[1]] {
					if !strings.Contains(parts[i], w) {
						t.Errorf("step %s does not show %q:\n%s", s[1], w, parts[i])
					}
				}
			}
		})
	}
	for step := range shown {
		if !seen[step] {
			t.Errorf("no page has the step %s", step)
		}
	}
}

// checkout is a folder that shows the examples as a checkout does, and that what the commands write is gone with.
func checkout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	examples, err := filepath.Abs("../examples")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(examples, filepath.Join(dir, "examples")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// freeAddress is an address of this machine that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
