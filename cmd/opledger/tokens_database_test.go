package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/pgtest"
)

// TestTokensInTheDatabase: made and revoked while the server runs, which follows by itself.
func TestTokensInTheDatabase(t *testing.T) {
	database := []string{"--database-url", pgtest.NewDatabase(t)}
	fileToken, line := newToken(t, "--principal", "ci", "--roles", "administer")
	r := serveProcess(t, append(database, "--database-tokens", "--tokens", file(t, "tokens", line)))
	command := func(args ...string) result { t.Helper(); return do(t, append(args, database...)...) }

	made := command("tokens", "create", "--json", "--principal", "reader", "--roles", "read")
	if made.status != exitOK {
		t.Fatal(made.err)
	}
	token, id := text(parse(t, made.out), "token"), text(parse(t, made.out), "token_id")
	for _, held := range []string{token, fileToken} {
		r.ok(t, "tools", "list", "--token", held)
	}
	if got := command("tokens", "list"); !strings.Contains(got.out, id) || strings.Contains(got.out, token) {
		t.Errorf("listed: %+v", got)
	}
	if got := command("tokens", "create", "--principal", "x", "--roles", "propose,approve", "--person", "x"); got.status != exitUsage || !strings.Contains(got.err, "ROLES_NOT_APART") {
		t.Errorf("mixed roles: %+v", got)
	}
	if got := command("tokens", "revoke", "0123456789abcdef"); got.status != exitFailed {
		t.Errorf("a token that there is not: %+v", got)
	}
	if got := command("tokens", "revoke", id); got.status != exitOK || !strings.Contains(got.out, "reader") {
		t.Fatalf("revoked: %+v", got)
	}
	deadline := time.NewTimer(30 * time.Second)
	defer deadline.Stop()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for r.at(t, "tools", "list", "--token", token).status == exitOK {
		select {
		case <-look.C:
		case <-deadline.C:
			t.Fatal("a revoked token is still let in")
		}
	}
	if got := command("tokens", "list", "--revoked", "--json"); !strings.Contains(got.out, "revoked_at") {
		t.Errorf("listed: %+v", got)
	}
	r.stop(t)
}

func TestTokensInASQLiteFileAreMadeWhileNoServerRuns(t *testing.T) {
	database := filepath.Join(t.TempDir(), "ledger.db")
	made := do(t, "tokens", "create", "--json", "--principal", "reader", "--roles", "read", "--database-url", database)
	if made.status != exitOK {
		t.Fatal(made.err)
	}
	r := serveProcess(t, []string{"--database-url", database, "--database-tokens"})
	r.ok(t, "tools", "list", "--token", text(parse(t, made.out), "token"))
	if got := do(t, "tokens", "list", "--database-url", database); got.status != exitFailed {
		t.Errorf("a server's file was opened: %+v", got)
	}
	if got := r.at(t, "tools", "list"); got.status != exitFailed || !strings.Contains(got.err, "[UNAUTHENTICATED]") {
		t.Errorf("without a token: %+v", got)
	}
	r.stop(t)
}
