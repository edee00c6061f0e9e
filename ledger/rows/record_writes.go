package rows

import (
	"fmt"
	"slices"

	"github.com/opledger/opledger/ledger"
)

// RecordWrites are the rows of one table of records, each list in the order of its key.
type RecordWrites struct {
	Table   Table
	Inserts []Record
	Updates []RecordUpdate
}

// RecordUpdate is a changed record and the version that its row must still have.
type RecordUpdate struct {
	Record
	Loaded int64
}

// records sorts the changed records by table. One that the transaction has not found is inserted, and the engine refuses
// it where another has made it; one that it has found must still be as it was.
func (w *Writes) records(c *ledger.Changes, loaded Loaded) error {
	byTable := make([]RecordWrites, len(Tables))
	seen := map[ledger.RecordKey]bool{}
	for _, r := range c.Records {
		row, err := FromRecord(r)
		if err != nil {
			return err
		}
		key := r.Key()
		version, known := loaded.Records[key]
		table, _ := TableOf(key.Kind)
		t := &byTable[table.place()]
		t.Table = table
		switch {
		case seen[key]:
			return fmt.Errorf("%w: %s %s is listed twice", ErrImpossible, key.Kind, key.ID)
		case !known:
			t.Inserts = append(t.Inserts, row)
		case row.Version <= version:
			return fmt.Errorf("%w: %s %s changed and its version went from %d to %d", ErrImpossible, key.Kind, key.ID, version, row.Version)
		default:
			t.Updates = append(t.Updates, RecordUpdate{Record: row, Loaded: version})
		}
		seen[key] = true
	}
	for _, t := range byTable {
		if len(t.Inserts)+len(t.Updates) == 0 {
			continue
		}
		SortRecords(t.Inserts)
		slices.SortFunc(t.Updates, func(a, b RecordUpdate) int { return byKey(a.Namespace, b.Namespace, a.ID, b.ID) })
		w.Records = append(w.Records, t)
	}
	return nil
}
