package rows

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/ledger"
)

// Record is a record's row: the columns by which its kind's lists are filtered and ordered, and the document that holds
// everything. The columns repeat what the document says; the document is what is read back.
type Record struct {
	Namespace string
	ID        string
	Version   int64
	Status    string
	Subject   string
	Tool      string
	Entity    string
	At        time.Time // zero, the beginning of time, where the kind has no order
	Document  string    // empty in an empty row of version zero
	// DueAt is when due work must look at it; nil: never.
	DueAt *time.Time
	Shard int64
}

// FromRecord makes a record's row.
func FromRecord(r ledger.Record) (Record, error) {
	key, index := r.Key(), r.Index()
	document, err := json.Marshal(r)
	if err != nil {
		return Record{}, fmt.Errorf("%s %s: %w", key.Kind, key.ID, err)
	}
	row := Record{
		Namespace: string(key.Namespace), ID: key.ID, Version: r.RowVersion(), Status: index.Status, Subject: index.Subject, Tool: index.Tool,
		Entity: index.Entity, At: index.At, Document: string(document), Shard: Shard(string(key.Namespace), key.ID),
	}
	if !index.DueAt.IsZero() {
		row.DueAt = &index.DueAt
	}
	table, known := TableOf(key.Kind)
	var c check
	c.that(known, "there are no records of the kind %q", key.Kind)
	c.name("namespace", row.Namespace)
	c.name("id", row.ID)
	c.text("status", row.Status, MaxName)
	c.text("subject", row.Subject, MaxName)
	c.text("tool", row.Tool, MaxName)
	c.text("entity", row.Entity, MaxName)
	c.that(row.Version > 0, "%s %s has version %d", key.Kind, key.ID, row.Version)
	c.that(!row.At.Before(BeginningOfTime) && row.At.Before(EndOfTime), "%s %s has the time %s", key.Kind, key.ID, row.At)
	c.that(row.DueAt == nil || table.Due, "%s %s has due work, and its kind has none", key.Kind, key.ID)
	c.that(len(document) <= MaxDocument, "%s %s has a document of %d bytes, at most %d are kept", key.Kind, key.ID, len(document), MaxDocument)
	return row, c.err
}

// Key names the row among those of all kinds.
func (r Record) Key(kind ledger.RecordKind) ledger.RecordKey {
	return ledger.RecordKey{Kind: kind, Namespace: ledger.Namespace(r.Namespace), ID: r.ID}
}

// Ledger gives the record back that the row was made from.
func (r Record) Ledger(kind ledger.RecordKind) (ledger.Record, error) {
	return ledger.DecodeRecord(r.Key(kind), r.Version, []byte(r.Document))
}

// SortRecords puts rows of one table in the order in which every transaction takes them.
func SortRecords(list []Record) []Record {
	slices.SortFunc(list, func(a, b Record) int { return byKey(a.Namespace, b.Namespace, a.ID, b.ID) })
	return list
}
