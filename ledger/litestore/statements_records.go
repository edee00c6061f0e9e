package litestore

import (
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// recordStatements are the statements of one table of records. Every table has the same, from the functions below: a
// table's name comes from rows.Tables and from nowhere else.
type recordStatements struct {
	get        string
	insert     string
	update     string
	hold       string // of every row of a namespace, or of those of one status
	lists      map[recordList]string
	dueIsReady string // empty where the table has no due work
	claimDue   string
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
			get: getRecord(t), insert: insertRecord(t), update: updateRecord(t), hold: holdingRecords(t),
			lists: map[recordList]string{},
		}
		for _, lead := range append([]rows.Lead{rows.LeadTime}, t.Leads...) {
			s.lists[recordList{lead, false}] = listRecords(t, lead, ">", "")
			s.lists[recordList{lead, true}] = listRecords(t, lead, "<", " DESC")
		}
		if t.Due {
			s.dueIsReady, s.claimDue = dueRecordIsReady(t), claimDueRecords(t)
		}
		all[t.Kind] = s
	}
	return all
}()

// written and read are those of the one writer and those of the readers.
func (s recordStatements) written() []string {
	list := []string{s.get, s.insert, s.update}
	if s.claimDue != "" {
		list = append(list, s.claimDue)
	}
	return list
}

func (s recordStatements) read() []string {
	list := []string{s.get, s.hold}
	for _, text := range s.lists {
		list = append(list, text)
	}
	if s.dueIsReady != "" {
		list = append(list, s.dueIsReady)
	}
	return list
}

func getRecord(t rows.Table) string {
	return `SELECT version, document FROM ` + t.Name + ` WHERE namespace = ?1 AND id = ?2`
}

// insertRecord answers a row that another has made by touching none.
func insertRecord(t rows.Table) string {
	columns, values := `namespace, id, version, status, subject, tool, entity, at, document`, `?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9`
	if t.Due {
		columns, values = columns+`, due_at, ready_at, claimed_by`, values+`, ?10, ?10, ''`
	}
	return `INSERT INTO ` + t.Name + ` (` + columns + `) VALUES (` + values + `) ON CONFLICT (namespace, id) DO NOTHING`
}

// updateRecord changes the row only where its version is the loaded one. A change takes due work out of a claimer's hands.
func updateRecord(t rows.Table) string {
	set, loaded := `version = ?3, status = ?4, subject = ?5, tool = ?6, entity = ?7, at = ?8, document = ?9`, `?10`
	if t.Due {
		set, loaded = set+`, due_at = ?10, ready_at = ?10, claimed_by = ''`, `?11`
	}
	return `UPDATE ` + t.Name + ` SET ` + set + ` WHERE namespace = ?1 AND id = ?2 AND version = ` + loaded
}

func holdingRecords(t rows.Table) string {
	return `SELECT namespace, id, version, document FROM ` + t.Name + ` WHERE namespace = ?1 ` +
		`AND (?2 = '' OR status = ?2) ORDER BY id`
}

// leadConditions name each index's condition, without which the planner does not consider it.
var leadConditions = map[rows.Lead]string{
	rows.LeadTime: ``, rows.LeadStatus: ` AND status = json_extract(?2, '$[0]')`, rows.LeadSubject: ` AND subject = ?3 AND subject <> ''`,
	rows.LeadTool: ` AND tool = ?4 AND tool <> ''`, rows.LeadEntity: ` AND entity = ?5 AND entity <> ''`,
}

// listRecords lists by one index, whose condition it names; every list takes every filter.
func listRecords(t rows.Table, lead rows.Lead, after, direction string) string {
	return `SELECT namespace, id, version, document FROM ` + t.Name + ` WHERE namespace = ?1 ` +
		`AND (?2 IS NULL OR status IN (SELECT value FROM json_each(?2))) AND (?3 = '' OR subject = ?3) AND (?4 = '' OR tool = ?4) ` +
		`AND (?5 = '' OR entity = ?5) AND (at, id) ` + after + ` (?6, ?7)` + leadConditions[lead] +
		` ORDER BY at` + direction + `, id` + direction + ` LIMIT ?8`
}

func dueRecordIsReady(t rows.Table) string {
	return `SELECT EXISTS (SELECT 1 FROM ` + t.Name + ` WHERE ready_at <= ?1)`
}

// claimDueRecords is one statement in the one writer's turn, as claimDue is.
func claimDueRecords(t rows.Table) string {
	return `UPDATE ` + t.Name + ` SET ready_at = ?2, claimed_by = ?3 WHERE (namespace, id) IN ` +
		`(SELECT namespace, id FROM ` + t.Name + ` WHERE ready_at <= ?1 ORDER BY ready_at LIMIT ?4) RETURNING namespace, id`
}
