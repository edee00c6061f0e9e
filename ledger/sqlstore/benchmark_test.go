package sqlstore_test

import (
	"testing"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/sqlstore"
	"github.com/opledger/opledger/ledger/storetest"
)

// BenchmarkUnits runs on a server that flushes, with the predicate locks that the documentation asks for.
func BenchmarkUnits(b *testing.B) {
	server := pgtest.Start(b, pgtest.Setting("fsync", "on"), pgtest.Setting("max_pred_locks_per_transaction", "2048"), pgtest.Setting("max_pred_locks_per_page", "32"))
	storetest.Benchmark(b, func(b *testing.B, onRetry func(string)) ledger.Engine {
		s, err := sqlstore.Open(b.Context(), server.NewDatabase(b), sqlstore.WithOnRetry(onRetry))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		return s
	})
}
