package litestore

import (
	"path/filepath"
	"testing"
)

// TestTheWriterFlushesEveryCommit looks at the writer's own connection, after it has brought the schema up to date.
func TestTheWriterFlushesEveryCommit(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var synchronous int
	if err := s.writer.QueryRowContext(t.Context(), showSynchronous).Scan(&synchronous); err != nil || synchronous != 2 {
		t.Fatalf("synchronous is %d, %v; want 2, FULL", synchronous, err)
	}
}
