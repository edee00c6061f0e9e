// Package servertest runs real servers on loopback for tests: the whole path from gRPC to a database, with the database's
// time in the test's hands. Every answer that its clients get is held against the rules of the API, whatever the test
// itself looks at.
package servertest

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/sqlstore"
)

// World is one database and the servers on it.
type World struct {
	TB     testing.TB
	Engine ledger.Engine
	URL    string // of the database; empty for SQLite
	offset *atomic.Int64
	key    []byte
	open   func() (ledger.Engine, error)
	served []*running
	// options are those of the server that was started last.
	options []Option
}

// On runs a test on every engine that this machine can have: SQLite and PostgreSQL. (The stores' own suites run on
// CockroachDB too, where OPLEDGER_TEST_CRDB_URL names a cluster.)
func On(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgresql", func(t *testing.T) { test(t, PostgreSQL(t)) })
}

// SQLite opens a fresh file.
func SQLite(tb testing.TB) *World {
	tb.Helper()
	w := &World{TB: tb, offset: &atomic.Int64{}}
	file := filepath.Join(tb.TempDir(), "ledger.db")
	w.open = func() (ledger.Engine, error) {
		return litestore.Open(context.Background(), file, litestore.WithTimeOffset(w.offset))
	}
	return w.start()
}

// PostgreSQL opens a fresh database of a real server.
func PostgreSQL(tb testing.TB) *World {
	tb.Helper()
	return PostgreSQLAt(tb, pgtest.NewDatabase(tb))
}

// PostgreSQLAt opens a database that is there, so that several worlds can share it, or see it by way of a proxy.
func PostgreSQLAt(tb testing.TB, url string, options ...sqlstore.Option) *World {
	tb.Helper()
	w := &World{TB: tb, URL: url, offset: &atomic.Int64{}}
	w.open = func() (ledger.Engine, error) {
		return sqlstore.Open(context.Background(), url, append(options, sqlstore.WithTimeOffset(w.offset))...)
	}
	return w.start()
}

// Beside is the same PostgreSQL database with connections of its own, as another process has them, at the same time.
func (w *World) Beside() *World {
	w.TB.Helper()
	beside := &World{TB: w.TB, URL: w.URL, offset: w.offset, open: w.open}
	return beside.start()
}

// start opens the engine, and closes whatever it has become when the test ends.
func (w *World) start() *World {
	w.TB.Helper()
	w.reopen()
	w.TB.Cleanup(func() {
		if err := w.Engine.Close(); err != nil {
			w.TB.Errorf("closing the engine: %v", err)
		}
	})
	return w
}

func (w *World) reopen() {
	w.TB.Helper()
	engine, err := w.open()
	if err != nil {
		w.TB.Fatal(err)
	}
	w.Engine = engine
	if w.key, err = engine.TokenKey(w.TB.Context(), make([]byte, 32)); err != nil {
		w.TB.Fatal(err)
	}
}

// Restart ends every server of this world at once, as a crash would for whoever calls it, closes the database and opens
// it again: what is known afterwards was on disk. Clients of before are of no use afterwards.
func (w *World) Restart() {
	w.TB.Helper()
	for _, s := range w.served {
		s.kill()
	}
	if err := w.Engine.Close(); err != nil {
		w.TB.Fatalf("closing the engine: %v", err)
	}
	w.reopen()
}

// Pass lets the database's time pass.
func (w *World) Pass(d time.Duration) { w.offset.Add(int64(d)) }
