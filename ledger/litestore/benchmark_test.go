package litestore_test

import (
	"path/filepath"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/storetest"
)

func BenchmarkUnits(b *testing.B) {
	storetest.Benchmark(b, func(b *testing.B, onRetry func(string)) ledger.Engine {
		s, err := litestore.Open(b.Context(), filepath.Join(b.TempDir(), "ledger.db"), litestore.WithOnRetry(onRetry))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		return s
	})
}
