package litestore_test

import (
	"path/filepath"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/storetest"
)

// file is one database of the suite.
type file struct{ path string }

func (f file) Open(t *testing.T, o storetest.Options) ledger.Engine {
	t.Helper()
	s, err := litestore.Open(t.Context(), f.path, litestore.WithTimeOffset(o.Offset), litestore.WithOnRetry(o.OnRetry))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (file) Shared() bool { return false }

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Database {
		return file{filepath.Join(t.TempDir(), "ledger #1?.db")}
	})
}
