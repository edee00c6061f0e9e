package sqlstore

import (
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// recordStatements are the statements of one table of records. Every table has the same, from the functions below: a
// table's name comes from rows.Tables and from nowhere else.
type recordStatements struct {
	insertEmpty string
	load        string
	insert      string
	update      string
	get         string
	hold        string // of every row of a namespace, or of those of one status
	lists       map[recordList]string
	readyShards string // empty where the table has no due work
	claimDue    string
}

// recordList is a list of a table: the filter that leads it, and its direction.
type recordList struct {
	lead       rows.Lead
	descending bool
}

// recordsOf are the statements of each kind's table.
var recordsOf = func() map[ledger.RecordKind]recordStatements {
	all := map[ledger.RecordKind]recordStatements{}
	for _, t := range rows.Tables {
		s := recordStatements{
			insertEmpty: insertEmptyRecords(t), load: loadRecords(t), insert: insertRecords(t), update: updateRecords(t), get: getRecord(t),
			hold: holdingRecords(t), lists: map[recordList]string{},
		}
		for _, lead := range append([]rows.Lead{rows.LeadTime}, t.Leads...) {
			s.lists[recordList{lead, false}] = listRecords(t, lead, ">", "")
			s.lists[recordList{lead, true}] = listRecords(t, lead, "<", " DESC")
		}
		if t.Due {
			s.readyShards, s.claimDue = readyRecordShards(t), claimDueRecords(t)
		}
		all[t.Kind] = s
	}
	return all
}()

// texts lists the statements, for those who check them.
func (s recordStatements) texts() []string {
	list := []string{s.insertEmpty, s.load, s.insert, s.update, s.get, s.hold}
	for _, text := range s.lists {
		list = append(list, text)
	}
	if s.claimDue != "" {
		list = append(list, s.readyShards, s.claimDue)
	}
	return list
}

// insertEmptyRecords comes before loadRecords for rows that are awaited, so that no transaction looks for one that is not
// there: a look at nothing would lock the index page on which everybody's next row may come to lie.
func insertEmptyRecords(t rows.Table) string {
	return `INSERT INTO ` + t.Name + ` (namespace, id) SELECT * FROM unnest($1::TEXT[], $2::TEXT[]) ON CONFLICT (namespace, id) DO NOTHING`
}

func loadRecords(t rows.Table) string {
	return `SELECT t.* FROM unnest($1::TEXT[], $2::TEXT[]) AS r (namespace, id) CROSS JOIN LATERAL ` +
		`(SELECT namespace, id, version, document FROM ` + t.Name + ` AS x WHERE x.namespace = r.namespace AND x.id = r.id OFFSET 0) AS t`
}

func insertRecords(t rows.Table) string {
	columns := `namespace, id, version, status, subject, tool, entity, at, document`
	arrays := `$1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::TIMESTAMPTZ[], $9::TEXT[]`
	if !t.Due {
		return `INSERT INTO ` + t.Name + ` (` + columns + `) SELECT * FROM unnest(` + arrays + `)`
	}
	return `INSERT INTO ` + t.Name + ` (` + columns + `, shard, due_at, ready_at) SELECT ` + columns + `, shard, due_at, due_at FROM unnest(` +
		arrays + `, $10::BIGINT[], $11::TIMESTAMPTZ[]) AS u (` + columns + `, shard, due_at)`
}

// updateRecords changes each row only where its version is the loaded one. A change takes due work out of a claimer's
// hands.
func updateRecords(t rows.Table) string {
	columns := `namespace, id, version, status, subject, tool, entity, at, document`
	arrays := `$1::TEXT[], $2::TEXT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::TIMESTAMPTZ[], $9::TEXT[]`
	set := `version = u.version, status = u.status, subject = u.subject, tool = u.tool, entity = u.entity, at = u.at, document = u.document`
	loaded := `$10::BIGINT[]`
	if t.Due {
		arrays += `, $10::BIGINT[], $11::TIMESTAMPTZ[]`
		columns += `, shard, due_at`
		set += `, due_at = u.due_at, ready_at = u.due_at, claimed_by = ''`
		loaded = `$12::BIGINT[]`
	}
	return `UPDATE ` + t.Name + ` AS t SET ` + set + ` FROM unnest(` + arrays + `, ` + loaded + `) AS u (` + columns + `, loaded) ` +
		`WHERE t.namespace = u.namespace AND t.id = u.id AND t.version = u.loaded`
}

func getRecord(t rows.Table) string {
	return `SELECT version, document FROM ` + t.Name + ` WHERE namespace = $1 AND id = $2`
}

func holdingRecords(t rows.Table) string {
	return `SELECT namespace, id, version, document FROM ` + t.Name + ` WHERE namespace = $1 AND version > 0 ` +
		`AND ($2::TEXT = '' OR status = $2::TEXT) ORDER BY id`
}

// leadConditions name each index's condition, without which the planner does not consider it.
var leadConditions = map[rows.Lead]string{
	rows.LeadTime: ``, rows.LeadStatus: ` AND status = ($2::TEXT[])[1]`, rows.LeadSubject: ` AND subject = $3::TEXT AND subject <> ''`,
	rows.LeadTool: ` AND tool = $4::TEXT AND tool <> ''`, rows.LeadEntity: ` AND entity = $5::TEXT AND entity <> ''`,
}

// listRecords lists by one index; every list takes every filter. An empty row of version zero is in no list.
func listRecords(t rows.Table, lead rows.Lead, after, direction string) string {
	return `SELECT namespace, id, version, document FROM ` + t.Name + ` WHERE namespace = $1 AND version > 0 ` +
		`AND ($2::TEXT[] IS NULL OR status = ANY ($2::TEXT[])) AND ($3::TEXT = '' OR subject = $3::TEXT) ` +
		`AND ($4::TEXT = '' OR tool = $4::TEXT) AND ($5::TEXT = '' OR entity = $5::TEXT) ` +
		`AND (at, id) ` + after + ` ($6::TIMESTAMPTZ, $7::TEXT)` + leadConditions[lead] +
		` ORDER BY at` + direction + `, id` + direction + ` LIMIT $8`
}

// readyRecordShards looks which shards have work, so that an idle ledger costs one short read.
func readyRecordShards(t rows.Table) string {
	return `SELECT s.shard FROM unnest($1::BIGINT[]) AS s (shard) WHERE EXISTS (SELECT 1 FROM ` + t.Name + ` AS d ` +
		`WHERE d.shard = s.shard AND d.ready_at <= now() + $2::BIGINT * INTERVAL '1 microsecond')`
}

// claimDueRecords picks and marks in one statement, as claimDue does.
func claimDueRecords(t rows.Table) string {
	return `WITH picked AS MATERIALIZED (SELECT namespace, id FROM ` + t.Name + ` ` +
		`WHERE shard = $1 AND ready_at <= now() + $2::BIGINT * INTERVAL '1 microsecond' ORDER BY ready_at LIMIT $3 FOR UPDATE SKIP LOCKED) ` +
		`UPDATE ` + t.Name + ` AS d SET ready_at = now() + ($2::BIGINT + $4::BIGINT) * INTERVAL '1 microsecond', claimed_by = $5 ` +
		`FROM picked WHERE d.namespace = picked.namespace AND d.id = picked.id RETURNING d.namespace, d.id`
}
