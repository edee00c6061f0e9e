package docs

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// wanted is what each step of the README's tour shows its reader.
var wanted = map[string][]string{
	"setup":       {"email.send"},
	"propose":     {`"decision": "DECISION_EXECUTE"`, `"attemptToken"`, `"beginRequired": true`},
	"again":       {`"decision": "DECISION_IN_FLIGHT"`, `"holder"`},
	"begin":       {`"begun"`, `"remaining"`},
	"report":      {`"state": "STATE_UNKNOWN_OUTCOME"`, `"safeUserMessage": "We are checking whether your e-mail was sent."`},
	"reconciling": {`"decision": "DECISION_RECONCILING"`, `"lookupTicket"`},
	"reconcile":   {`"state": "STATE_COMPLETED_SUCCESS"`},
	"events":      {"replayed", "no new one was made", "unknown_outcome", "completed_success"},
	"end":         {},
}

var step = regexp.MustCompile("(?s)<!-- tour: ([a-z]+) -->\n```sh\n(.*?)```")

// TestTour runs the README's tour, word for word, in one shell, as a reader would: with the server on its own port and in
// a data folder of its own.
func TestTour(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := step.FindAllStringSubmatch(string(readme), -1)
	if len(steps) != len(wanted) {
		t.Fatalf("the tour has %d steps, the test knows %d", len(steps), len(wanted))
	}
	for _, port := range []string{"7117", "7118"} {
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err != nil {
			t.Fatalf("the tour needs port %s, as its reader does: %v", port, err)
		}
		_ = l.Close()
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, leftover := range []string{"permit.json", "unknown.json"} {
		t.Cleanup(func() { _ = os.Remove(filepath.Join(root, leftover)) })
	}
	var script strings.Builder
	script.WriteString("set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n")
	for _, s := range steps {
		script.WriteString("echo '==== " + s[1] + "'\n" + s[2])
	}
	out := run(t, root, script.String())
	parts := regexp.MustCompile(`(?m)^==== ([a-z]+)$`).Split(out, -1)[1:]
	for i, s := range steps {
		if i >= len(parts) {
			t.Fatalf("the tour stopped before %s:\n%s", s[1], out)
		}
		for _, w := range wanted[s[1]] {
			if !strings.Contains(parts[i], w) {
				t.Errorf("step %s does not show %q:\n%s", s[1], w, parts[i])
			}
		}
	}
}

// run runs a script in a process group of its own, so that nothing of it is left behind.
func run(t *testing.T, dir, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir = dir
	home := t.TempDir()
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "OPLEDGER_") && !strings.HasPrefix(v, "XDG_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "XDG_DATA_HOME="+home, "NO_COLOR=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("the tour failed: %v\n%s", err, out.String())
	}
	return out.String()
}
