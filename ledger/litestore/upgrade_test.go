package litestore

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// firstRelease is the last step of the first release's schema.
const firstRelease = 19

// TestAFileOfTheFirstReleaseIsBroughtUp writes rows as the first release did, and reads them with this one.
func TestAFileOfTheFirstReleaseIsBroughtUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	db, err := openWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := migrations(db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), firstRelease); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO scopes VALUES ('n', 'order', '1', 'group/refunds', 7, '[{"operation_id":"op_1","since":"2026-12-01T09:00:00Z"}]')`,
		`INSERT INTO decisions VALUES ('n', 'dec_1', 1, 'DENIED', '{"tool":"refund","rule":"r"}')`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v := ledger.NewView(s.now())
	ref := locks.GroupRef("n", locks.Entity{Type: "order", ID: "1"}, "refunds")
	err = s.write(t.Context(), func(sqlTx *sql.Tx) error {
		return newTx(s, sqlTx).Load(t.Context(), v, []ledger.Read{ledger.ReadScopeOf(ref)})
	})
	if scope := v.Scope(ref); err != nil || scope.Fence != 7 || len(scope.Holders) != 1 || scope.Lease != nil {
		t.Errorf("scope %+v, %v", scope, err)
	}
	list, err := s.ListDecisions(t.Context(), ledger.DecisionQuery{Namespace: "n"})
	if err != nil || len(list) != 1 || list[0].Tool != "refund" || list[0].Rule != "r" {
		t.Errorf("decisions %+v, %v", list, err)
	}
}
