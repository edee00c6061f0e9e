package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/opledger/opledger/internal/pgtest"
)

func TestServeNeedsNoFlag(t *testing.T) {
	data := t.TempDir()
	r := startServe(t, nil, "XDG_DATA_HOME="+data)
	r.await(t, "open to this machine alone")
	record := r.await(t, messageServing)
	file := filepath.Join(data, "opledger", "opledger.db")
	if record["engine"] != "sqlite" || record["database"] != file || record["version"] == "" {
		t.Errorf("it says %v", record)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	r.stop(t)
}

func TestAFileHasOneServer(t *testing.T) {
	data := t.TempDir()
	first := serveProcess(t, nil, "XDG_DATA_HOME="+data)
	second := startServe(t, nil, "XDG_DATA_HOME="+data)
	second.await(t, "opledger.db")
	if err := second.wait(); err == nil {
		t.Error("a second server opened the file")
	}
	if got := do(t, "migrate", "status", "--database-url", filepath.Join(data, "opledger", "opledger.db")); got.status != exitFailed {
		t.Errorf("migrate opened a server's file: %+v", got)
	}
	first.stop(t)
}

func TestWithoutCredentialsOnlyLoopbackIsServed(t *testing.T) {
	r := startServe(t, []string{"--listen", "0.0.0.0:0"})
	r.await(t, "opledger tokens new")
	if err := r.wait(); err == nil {
		t.Error("it served")
	}
}

func TestWrongSettingsAreRefusedWithWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		args   []string
		says   string
		status int
	}{
		"log level":         {[]string{"serve", "--log-level", "loud"}, "debug, info, warn, error", exitUsage},
		"log format":        {[]string{"serve", "--log-format", "xml"}, "text nor json", exitUsage},
		"requests at once":  {[]string{"serve", "--http-concurrency", "0"}, "--http-concurrency", exitUsage},
		"a queue's limit":   {[]string{"serve", "--queue-limit", "-1"}, "--queue-limit", exitUsage},
		"a host as URL":     {[]string{"serve", "--http-allowed-hosts", "https://api.example.com"}, "without scheme and port", exitUsage},
		"a flag":            {[]string{"serve", "--lisen", "x"}, "unknown flag", exitUsage},
		"a command":         {[]string{"serv"}, "unknown command", exitUsage},
		"an argument":       {[]string{"serve", "now"}, "serve --help", exitUsage},
		"tokens":            {[]string{"serve", "--tokens", "/nonexistent/tokens"}, "--tokens", exitFailed},
		"an address":        {[]string{"serve", "--listen", "127.0.0.1:no"}, "--listen", exitFailed},
		"a database":        {[]string{"migrate", "status", "--database-url", "mysql://root@db/x"}, "postgres://", exitUsage},
		"pgx on SQLite":     {[]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--pgx-exec-mode", "exec", "--database-url", "x.db"}, "x.db", exitUsage},
		"pgx mode":          {[]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--pgx-exec-mode", "fast", "--database-url", "postgres://h/d"}, "cache_describe", exitUsage},
		"a server's scheme": {[]string{"ops", "list", "--server", "ftp://h:1"}, "http or https", exitUsage},
		"a server":          {[]string{"ops", "list", "--server", "localhost"}, "host:port", exitUsage},
		"nobody there":      {[]string{"ops", "list", "--server", "127.0.0.1:1"}, "opledger serve", exitFailed},
	} {
		if got := do(t, c.args...); got.status != c.status || !strings.Contains(got.err, c.says) {
			t.Errorf("%s: status %d, said %s", name, got.status, got.err)
		}
	}
	t.Setenv("OPLEDGER_WRITERS", "many")
	if got := do(t, "serve"); got.status != exitUsage || !strings.Contains(got.err, "OPLEDGER_WRITERS") {
		t.Errorf("environment: status %d, said %s", got.status, got.err)
	}
}

func TestTokensDecideWhoMayDoWhat(t *testing.T) {
	newToken := func(args ...string) (token, line string) {
		t.Helper()
		got := do(t, append([]string{"tokens", "new", "--json"}, args...)...)
		if got.status != exitOK {
			t.Fatal(got.err)
		}
		m := parse(t, got.out)
		return text(m, "token"), text(m, "line")
	}
	agent, agentLine := newToken("--namespace", "shop", "--principal", "agent", "--roles", "propose,execute,read")
	admin, adminLine := newToken("--namespace", "shop", "--principal", "ci", "--roles", "administer,read")
	path := filepath.Join(t.TempDir(), "tokens")
	write := func(lines ...string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# who may do what", agentLine, adminLine)
	if got := do(t, "tokens", "check", path); got.status != exitOK || !strings.Contains(got.out, "2 tokens") {
		t.Errorf("tokens check: %+v", got)
	}
	r := serveProcess(t, []string{"--tokens", path})

	if got := r.at(t, "tools", "list"); got.status != exitFailed || !strings.Contains(got.err, "[UNAUTHENTICATED]") || !strings.Contains(got.err, "OPLEDGER_TOKEN") {
		t.Errorf("without a token: %+v", got)
	}
	r.ok(t, "tools", "apply", tool("refund.create"), "--token", admin)
	if got := r.at(t, "tools", "apply", tool("email.send"), "--token", agent); got.status != exitFailed || !strings.Contains(got.err, "[PERMISSION_DENIED]") {
		t.Errorf("an agent applied a tool: %+v", got)
	}
	t.Setenv("OPLEDGER_TOKEN", agent)
	if m := r.json(t, "propose", "refund.create", "--arguments", refund); text(m, "permit.attempt_id") == "" {
		t.Errorf("an agent got no permit: %v", m)
	}

	write(adminLine)
	if err := r.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	r.await(t, "the file of tokens was read again")
	if got := r.at(t, "tools", "list"); got.status != exitFailed || !strings.Contains(got.err, "[UNAUTHENTICATED]") {
		t.Errorf("a withdrawn token: %+v", got)
	}
	r.stop(t)

	if got := do(t, "tokens", "new", "--principal", "x", "--roles", "propose,approve"); got.status != exitUsage || !strings.Contains(got.err, "ROLES_NOT_APART") {
		t.Errorf("mixed roles: %+v", got)
	}
}

func TestAStoppingServerLetsWatchersGoAndTheyComeBack(t *testing.T) {
	database := filepath.Join(t.TempDir(), "ledger.db")
	r := serveProcess(t, []string{"--database-url", database})
	r.ok(t, "tools", "apply", tool("refund.create"))
	permit := r.json(t, "propose", "refund.create", "--arguments", refund)
	id := text(permit, "permit.operation_id")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen, ended := lines(t, ctx, "ops", "watch", id, "--json", "--server", r.address)
	if m := parse(t, <-seen); text(m, "state") != "STATE_DISPATCHED" {
		t.Errorf("it saw %v", m)
	}
	r.stop(t) // and not only after the 20 s that a drain may take

	again := serveProcess(t, []string{"--database-url", database, "--listen", r.address})
	again.ok(t, "report", id, text(permit, "permit.attempt_id"), "--attempt-token", text(permit, "permit.attempt_token"), "--outcome", "succeeded", "--object-id", "re_1")
	if m := parse(t, <-seen); text(m, "state") != "STATE_COMPLETED_SUCCESS" {
		t.Errorf("it saw %v", m)
	}
	if got := <-ended; got.status != exitOK {
		t.Errorf("watching ended with %+v", got)
	}
	again.stop(t)
}

func TestTheAdminPortTellsOfTheServer(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"))
	r.ok(t, "propose", "refund.create", "--arguments", refund)
	r.ok(t, "propose", "refund.create", "--arguments", refund)
	get := func(path string) string {
		t.Helper()
		res, err := http.Get("http://" + r.admin + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s answers %d, %v: %s", path, res.StatusCode, err, body)
		}
		return string(body)
	}
	get("/readyz")
	has(t, "/metrics", get("/metrics"),
		`opledger_decisions_total{class="EXTERNAL_IDEMPOTENT_WRITE",decision="EXECUTE",tool="refund.create"} 1`,
		`opledger_suppressed_duplicates_total{class="EXTERNAL_IDEMPOTENT_WRITE",decision="IN_FLIGHT",tool="refund.create"} 1`,
		`opledger_operations_open{class="EXTERNAL_IDEMPOTENT_WRITE",namespace="default",state="dispatched",tool="refund.create"} 1`)
	r.stop(t)
}

func TestServersShareAPostgreSQLDatabase(t *testing.T) {
	url := pgtest.NewDatabase(t)
	args := []string{"--database-url", url, "--pgx-exec-mode", "cache_describe"}
	one, two := serveProcess(t, args), serveProcess(t, args)
	one.ok(t, "tools", "apply", tool("refund.create"))
	permit := one.json(t, "propose", "refund.create", "--arguments", refund)
	has(t, "the other server", two.ok(t, "propose", "refund.create", "--arguments", refund), "in_flight")
	id := text(permit, "permit.operation_id")
	two.ok(t, "report", id, text(permit, "permit.attempt_id"), "--attempt-token", text(permit, "permit.attempt_token"), "--outcome", "not_sent")
	has(t, "the first server", one.ok(t, "ops", "show", id), "failed_retryable")
	one.stop(t)
	two.stop(t)
	if got := do(t, "migrate", "status", "--database-url", url, "--json"); got.status != exitOK || parse(t, got.out)["pending"] != 0.0 {
		t.Errorf("migrate status: %+v", got)
	}
}

func TestMigrate(t *testing.T) {
	database := filepath.Join(t.TempDir(), "ledger.db")
	if got := do(t, "migrate", "status", "--database-url", database); got.status != exitFailed || !strings.Contains(got.out, "opledger migrate up") {
		t.Errorf("before: %+v", got)
	}
	r := startServe(t, []string{"--database-url", database, "--no-migrate"})
	r.await(t, "run the migrations first")
	if err := r.wait(); err == nil {
		t.Error("a server started on an old schema")
	}
	if got := do(t, "migrate", "up", "--database-url", database); got.status != exitOK || !strings.Contains(got.out, "applied 00001_") {
		t.Errorf("up: %+v", got)
	}
	got := do(t, "migrate", "status", "--json", "--database-url", database)
	if m := parse(t, got.out); got.status != exitOK || m["pending"] != 0.0 {
		t.Errorf("after: %+v", got)
	}
	serveProcess(t, []string{"--database-url", database, "--no-migrate"}).stop(t)
}
