package litestore

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger/rows"
)

// TestARecordIsChangedAtItsLoadedVersionAlone looks at each table's own guard, which the one writer never needs and which
// stands all the same.
func TestARecordIsChangedAtItsLoadedVersionAlone(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.write(t.Context(), func(sqlTx *sql.Tx) error {
		tx := newTx(s, sqlTx)
		for _, table := range rows.Tables {
			row := rows.Record{Namespace: "n", ID: "id", Version: 3, At: time.Unix(1, 0), Document: "{}"}
			for _, want := range []int64{1, 0} { // the second is made twice
				if n, err := tx.exec(t.Context(), recordsOf[table.Kind].insert, recordArgs(table, row)...); err != nil || n != want {
					t.Errorf("%s: %d rows were made, %v; want %d", table.Name, n, err, want)
				}
			}
			row.Version = 4
			for _, step := range []struct{ loaded, touched int64 }{{2, 0}, {4, 0}, {3, 1}, {3, 0}} {
				n, err := tx.exec(t.Context(), recordsOf[table.Kind].update, append(recordArgs(table, row), step.loaded)...)
				if err != nil || n != step.touched {
					t.Errorf("%s, loaded at %d: %d rows were changed, %v; want %d", table.Name, step.loaded, n, err, step.touched)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
