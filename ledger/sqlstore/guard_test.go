package sqlstore

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger/rows"
)

// TestARecordIsChangedAtItsLoadedVersionAlone looks at each table's own guard, which a serializable transaction never
// needs and which stands all the same.
func TestARecordIsChangedAtItsLoadedVersionAlone(t *testing.T) {
	url := pgtest.NewDatabase(t)
	if _, err := Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, table := range rows.Tables {
		row := rows.Record{Namespace: "n", ID: "id", Version: 3, At: time.Unix(1, 0), Document: "{}"}
		if _, err := conn.Exec(t.Context(), recordsOf[table.Kind].insert, recordArrayArgs(table, []rows.Record{row})...); err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
		row.Version = 4
		for _, step := range []struct{ loaded, touched int64 }{{2, 0}, {4, 0}, {3, 1}, {3, 0}} {
			args := append(recordArrayArgs(table, []rows.Record{row}), []int64{step.loaded})
			tag, err := conn.Exec(t.Context(), recordsOf[table.Kind].update, args...)
			if err != nil || tag.RowsAffected() != step.touched {
				t.Errorf("%s, loaded at %d: %d rows were changed, %v; want %d", table.Name, step.loaded, tag.RowsAffected(), err, step.touched)
			}
		}
	}
}
