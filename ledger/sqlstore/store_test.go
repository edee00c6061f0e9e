package sqlstore_test

import (
	"context"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/migrate"
	"github.com/opledger/opledger/ledger/sqlstore"
	"github.com/opledger/opledger/ledger/storetest"
)

// database is one database of the suite.
type database struct {
	url     string
	options []sqlstore.Option
}

func (d database) Open(t *testing.T, o storetest.Options) ledger.Engine {
	t.Helper()
	options := append([]sqlstore.Option{sqlstore.WithTimeOffset(o.Offset), sqlstore.WithOnRetry(o.OnRetry)}, d.options...)
	s, err := sqlstore.Open(t.Context(), d.url, options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (database) Shared() bool { return true }

func TestConformanceOnPostgreSQL(t *testing.T) {
	url := pgtest.NewDatabase(t)
	storetest.Run(t, func(t *testing.T) storetest.Database { return database{url: emptied(t, url)} })
}

// emptied takes every row out of a database's tables and answers its URL. The suite's tests run one after the other and
// share a database this way: to make one and its schema anew takes a hundred times as long as most of them.
func emptied(t *testing.T, url string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	found, err := conn.Query(t.Context(), `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if table == migrate.Table {
			continue
		}
		if _, err := conn.Exec(t.Context(), "DELETE FROM "+pgx.Identifier{table}.Sanitize()); err != nil {
			t.Fatal(err)
		}
	}
	return url
}

// envCockroachDB names a CockroachDB cluster whose user may create databases.
const envCockroachDB = "OPLEDGER_TEST_CRDB_URL"

func TestConformanceOnCockroachDB(t *testing.T) {
	url := os.Getenv(envCockroachDB)
	if url == "" {
		t.Skipf("%s names no CockroachDB cluster, so that the suite ran on PostgreSQL and SQLite alone.", envCockroachDB)
	}
	url = pgtest.NewDatabaseAt(t, url)
	storetest.Run(t, func(t *testing.T) storetest.Database { return database{url: emptied(t, url)} })
}
