package sqlstore_test

import (
	"os"
	"testing"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger"
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
	storetest.Run(t, func(t *testing.T) storetest.Database { return database{url: pgtest.NewDatabase(t)} })
}

// envCockroachDB names a CockroachDB cluster whose user may create databases.
const envCockroachDB = "OPLEDGER_TEST_CRDB_URL"

func TestConformanceOnCockroachDB(t *testing.T) {
	url := os.Getenv(envCockroachDB)
	if url == "" {
		t.Skipf("%s names no CockroachDB cluster, so that the suite ran on PostgreSQL and SQLite alone.", envCockroachDB)
	}
	storetest.Run(t, func(t *testing.T) storetest.Database { return database{url: pgtest.NewDatabaseAt(t, url)} })
}
