package pgtest_test

import (
	"bufio"
	"context"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
)

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func one[T any](t *testing.T, conn *pgx.Conn, query string) T {
	t.Helper()
	var value T
	if err := conn.QueryRow(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func execute(t *testing.T, conn *pgx.Conn, statement string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func TestNewDatabaseIsFreshAndDropped(t *testing.T) {
	var name string
	t.Run("a test that uses databases", func(subtest *testing.T) {
		// The connections are the outer test's: they are still open when the databases are dropped.
		first, second := connect(t, pgtest.NewDatabase(subtest)), connect(t, pgtest.NewDatabase(subtest))
		execute(t, first, "CREATE TABLE seen (id INT)")
		if tables := one[int](t, second, "SELECT count(*) FROM pg_tables WHERE tablename = 'seen'"); tables != 0 {
			t.Error("two databases share a table")
		}
		name = one[string](t, first, "SELECT current_database()")
	})
	server := connect(t, pgtest.Shared(t).URL())
	var left int
	if err := server.QueryRow(t.Context(), "SELECT count(*) FROM pg_database WHERE datname = $1", name).Scan(&left); err != nil {
		t.Fatal(err)
	}
	if left != 0 {
		t.Errorf("database %s is still there after its test", name)
	}
}

func TestNewSchemaIsFreshAndDropped(t *testing.T) {
	server := connect(t, pgtest.Shared(t).URL())
	const tables = "SELECT count(*) FROM pg_tables WHERE tablename = 'seen_in_schema'"
	t.Run("a test that uses schemas", func(subtest *testing.T) {
		for range 2 {
			execute(subtest, connect(subtest, pgtest.NewSchema(subtest)), "CREATE TABLE seen_in_schema (id INT)")
		}
		if n := one[int](subtest, server, tables); n != 2 {
			subtest.Errorf("%d tables of one name, want one in each schema", n)
		}
	})
	if n := one[int](t, server, tables); n != 0 {
		t.Errorf("%d tables are left after their test", n)
	}
}

func TestSettings(t *testing.T) {
	server := pgtest.Start(t, pgtest.Setting("max_connections", "17"))
	conn := connect(t, server.URL())
	for setting, want := range map[string]string{
		"max_connections":                "17",
		"max_pred_locks_per_transaction": "2048",
		"max_pred_locks_per_page":        "32",
		"TimeZone":                       "UTC",
	} {
		if got := one[string](t, conn, "SHOW "+setting); got != want {
			t.Errorf("%s = %s, want %s", setting, got, want)
		}
	}
}

func TestKilledServerRecoversWhatWasCommitted(t *testing.T) {
	server := pgtest.Start(t)
	database := server.NewDatabase(t)
	conn := connect(t, database)
	execute(t, conn, "CREATE TABLE entries (id INT PRIMARY KEY)")
	execute(t, conn, "INSERT INTO entries VALUES (1)")
	execute(t, conn, "BEGIN")
	execute(t, conn, "INSERT INTO entries VALUES (2)")

	server.Kill(t)
	if err := conn.Ping(t.Context()); err == nil {
		t.Fatal("the connection outlived its server")
	}
	server.Restart(t)

	if sum := one[int](t, connect(t, database), "SELECT sum(id) FROM entries"); sum != 1 {
		t.Errorf("sum of ids = %d, want 1: the committed row alone", sum)
	}
}

func TestWrongPasswordIsRefused(t *testing.T) {
	parsed, err := url.Parse(pgtest.Start(t).URL())
	if err != nil {
		t.Fatal(err)
	}
	parsed.User = url.UserPassword("postgres", "guess")
	conn, err := pgx.Connect(t.Context(), parsed.String())
	if err == nil {
		_ = conn.Close(t.Context())
		t.Fatal("a wrong password opened the server to whoever can reach loopback")
	}
}

// TestCommand runs the command as make test does, and then kills it, which must leave nothing behind.
func TestCommand(t *testing.T) {
	program := t.TempDir() + "/pgtest"
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/pgtest").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	command := func(arguments ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, arguments...)
		cmd.Env = append(os.Environ(), pgtest.EnvURL+"=")
		return cmd
	}

	t.Run("passes the status on and stops the server", func(t *testing.T) {
		out, err := command("--", "sh", "-c", `echo "$OPLEDGER_TEST_PG_URL"; exit 7`).Output()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 7 {
			t.Fatalf("ended with %v, want status 7", err)
		}
		waitUntilRefused(t, strings.TrimSpace(string(out)))
	})

	t.Run("uses the server it is given", func(t *testing.T) {
		given := pgtest.Shared(t).URL()
		cmd := command("sh", "-c", `echo "$OPLEDGER_TEST_PG_URL"`)
		cmd.Env = append(os.Environ(), pgtest.EnvURL+"="+given)
		out, err := cmd.Output()
		if err != nil || strings.TrimSpace(string(out)) != given {
			t.Errorf("command saw %q, %v; want %q", out, err, given)
		}
	})

	t.Run("killed, leaves no server behind", func(t *testing.T) {
		cmd := command("--", "sh", "-c", `echo "$OPLEDGER_TEST_PG_URL"; read -r _`)
		hold, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer hold.Close()
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		url, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		connect(t, strings.TrimSpace(url)) // an open connection must not hold the server up
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		waitUntilRefused(t, strings.TrimSpace(url))
	})
}

// waitUntilRefused returns when nobody listens at the URL any more.
func waitUntilRefused(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		conn, err := pgx.Connect(ctx, url)
		if err != nil && strings.Contains(err.Error(), "connection refused") {
			return
		}
		if err == nil {
			_ = conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the server still runs, last answer: %v", err)
		case <-ticker.C:
		}
	}
}
