package wirefault_test

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/internal/wirefault"
)

func TestWithoutRulesNothingChanges(t *testing.T) {
	eachMode(t, func(t *testing.T, mode pgx.QueryExecMode) {
		w := newWorld(t)
		conn := w.connect(t, mode)
		wantUsable(t, conn, 1)
		_, err := conn.Exec(t.Context(), insertEntry, 1)
		wantState(t, err, "23505")

		// Questions of 20 MB and answers of 20 MB: more than the buffers between hold of either.
		padding := strings.Repeat("x", 10_000)
		var batch pgx.Batch
		for id := range 2000 {
			batch.Queue("INSERT INTO entries VALUES ($1) RETURNING id, $2::TEXT", id+2, padding)
		}
		if err := conn.SendBatch(t.Context(), &batch).Close(); err != nil {
			t.Fatal(err)
		}
		w.wantRows(t, 2001)

		rows := [][]any{{-1}, {-2}, {-3}}
		if _, err := conn.CopyFrom(t.Context(), pgx.Identifier{"entries"}, []string{"id"}, pgx.CopyFromRows(rows)); err != nil {
			t.Fatal(err)
		}
		w.wantRows(t, 2004)
	})
}

func TestApplicationNameReachesTheServer(t *testing.T) {
	w := newWorld(t)
	conn := connect(t, w.URL()+"&application_name=wirefault-test", pgx.QueryExecModeCacheDescribe)
	var name string
	if err := conn.QueryRow(t.Context(), "SHOW application_name").Scan(&name); err != nil || name != "wirefault-test" {
		t.Errorf("application_name = %q, %v", name, err)
	}
}

func TestCancelledQueryEndsAtTheServer(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	ended := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.WithoutCancel(t.Context()), "SELECT pg_sleep(600)")
		ended <- err
	}()
	for sleeping := 0; sleeping == 0; {
		err := w.direct.QueryRow(t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'", conn.PgConn().PID()).Scan(&sleeping)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.PgConn().CancelRequest(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantState(t, <-ended, "57014")
	wantUsable(t, conn, 1)
}

func TestRules(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	third := w.Inject(wirefault.Rule{Match: wirefault.Matching("INTO entries"), Skip: 2, Times: 1, Action: wirefault.Fail("40001")})
	always := w.Inject(wirefault.Rule{Match: wirefault.Matching("^SELECT 42$"), Action: wirefault.Fail("40003")})

	var failed []int
	for id := range 5 {
		if _, err := conn.Exec(t.Context(), insertEntry, id); err != nil {
			failed = append(failed, id)
		}
	}
	if len(failed) != 1 || failed[0] != 2 {
		t.Errorf("statements %v failed, want the third alone", failed)
	}
	wantHits(t, third, 1)

	for range 3 {
		_, err := conn.Exec(t.Context(), "SELECT 42")
		wantState(t, err, "40003")
	}
	wantHits(t, always, 3)
	always.Remove()
	if _, err := conn.Exec(t.Context(), "SELECT 42"); err != nil {
		t.Errorf("after the rule was removed: %v", err)
	}
}

func TestCommitIsKnownByItsFirstWord(t *testing.T) {
	for sql, want := range map[string]bool{
		"commit":                           true,
		"COMMIT AND CHAIN":                 true,
		" \n/* why */ -- because\n COMMIT": true,
		"END":                              true,
		"ending":                           false,
		"SELECT 'commit'":                  false,
		"INSERT INTO commit VALUES (1)":    false,
		"-- commit\nROLLBACK":              false,
	} {
		if got := wirefault.Commit()(wirefault.Statement{SQL: sql}); got != want {
			t.Errorf("%q: commits = %v, want %v", sql, got, want)
		}
	}
}

func TestCutAllAndRefuse(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	w.Refuse(true)
	w.CutAll()
	_, err := conn.Exec(t.Context(), "SELECT 1")
	wantBroken(t, conn, err)
	if again, err := pgx.Connect(t.Context(), w.URL()); err == nil {
		_ = again.Close(t.Context())
		t.Error("a new connection was served")
	}
	w.Refuse(false)
	wantUsable(t, w.connect(t, pgx.QueryExecModeCacheDescribe), 1)
}

func TestWrongPassword(t *testing.T) {
	address, err := url.Parse(newWorld(t).URL())
	if err != nil {
		t.Fatal(err)
	}
	address.User = url.UserPassword(address.User.Username(), "guess")
	conn, err := pgx.Connect(t.Context(), address.String())
	if err == nil {
		_ = conn.Close(t.Context())
	}
	wantState(t, err, "28P01")
}

func TestServerThatIsKilled(t *testing.T) {
	server := pgtest.Start(t)
	proxy := wirefault.Start(t, server.URL())
	conn := connect(t, proxy.URL(), pgx.QueryExecModeCacheDescribe)
	server.Kill(t)
	if _, err := conn.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("a statement succeeded without a server")
	}
	_, err := pgx.Connect(t.Context(), proxy.URL())
	wantState(t, err, "08006")
	server.Restart(t)
	wantOne(t, connect(t, proxy.URL(), pgx.QueryExecModeCacheDescribe))
}

func wantOne(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	var one int
	if err := conn.QueryRow(t.Context(), "SELECT 1").Scan(&one); err != nil || one != 1 {
		t.Errorf("SELECT 1 = %d, %v", one, err)
	}
}

func serverProcess(t *testing.T, query func(context.Context, string, ...any) pgx.Row) int {
	t.Helper()
	var pid int
	if err := query(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		t.Fatal(err)
	}
	return pid
}

func TestPooledTransactionsMeetOtherConnections(t *testing.T) {
	w := newWorld(t, wirefault.Pooled(2))
	conn := w.connect(t, pgx.QueryExecModeExec)
	first, second := begin(t, conn), 0
	pid := serverProcess(t, first.QueryRow)
	if again := serverProcess(t, first.QueryRow); again != pid {
		t.Error("one transaction ran on two connections")
	}
	if err := first.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if second = serverProcess(t, conn.QueryRow); second == pid {
		t.Error("two transactions in a row ran on one connection")
	}
	if third := serverProcess(t, conn.QueryRow); third != pid {
		t.Error("connections are not lent in turn")
	}
}

func TestPooledPreparedStatementsAreLost(t *testing.T) {
	w := newWorld(t, wirefault.Pooled(2))
	conn := w.connect(t, pgx.QueryExecModeCacheStatement)
	_, err := conn.Exec(t.Context(), insertEntry, 1)
	wantState(t, err, "26000") // prepared on one connection, executed on the next

	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeExec, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeSimpleProtocol} {
		other := w.connect(t, mode)
		for range 3 {
			if _, err := other.Exec(t.Context(), "SELECT $1::INT", 1); err != nil {
				t.Errorf("%v, which prepares nothing: %v", mode, err)
			}
		}
	}
}

func TestPooledServesMoreClientsThanConnections(t *testing.T) {
	const clients, each = 12, 10
	w := newWorld(t, wirefault.Pooled(3))
	cut := w.Inject(wirefault.Rule{Match: wirefault.Commit(), Skip: 5, Times: 4, Action: wirefault.CutAfter()})
	var wait sync.WaitGroup
	for client := range clients {
		wait.Go(func() {
			conn, err := pgx.Connect(t.Context(), w.URL()+"&default_query_exec_mode=exec")
			if err != nil {
				t.Error(err)
				return
			}
			for i := range each {
				err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
					_, err := tx.Exec(t.Context(), insertEntry, client*each+i)
					return err
				})
				if err == nil {
					continue
				}
				if !conn.IsClosed() {
					t.Error(err)
					return
				}
				if conn, err = pgx.Connect(t.Context(), w.URL()+"&default_query_exec_mode=exec"); err != nil {
					t.Error(err)
					return
				}
			}
			_ = conn.Close(t.Context())
		})
	}
	wait.Wait()
	w.wantRows(t, clients*each) // the cut commits are applied too
	wantHits(t, cut, 4)
	if !strings.Contains(w.URL(), "sslmode=disable") {
		t.Errorf("URL %s lets a client ask for TLS", w.URL())
	}
}
