package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

func recordLists(t *testing.T, fresh Make) {
	t.Run("every filter restricts, alone and with others, in both directions", func(t *testing.T) {
		b := open(t, fresh)
		approval := func(id string, at time.Time, state ledger.ApprovalState, op ledger.OperationID, tool, order string) ledger.Record {
			a := &ledger.Approval{State: state, OperationID: op, Tool: tool, ExpiresAt: at}
			a.Namespace, a.ID, a.Version = tenant, id, 1
			if order != "" {
				a.Entity = locks.Entity{Type: "order", ID: order}
			}
			return a
		}
		saveRecords(t, b.engine,
			approval("a", anyTime.Add(3*time.Second), ledger.ApprovalOpen, "op_1", "refund", "1"),
			approval("b", anyTime.Add(2*time.Second), ledger.ApprovalSpent, "op_1", "refund", "2"),
			approval("c", anyTime.Add(2*time.Second), ledger.ApprovalOpen, "op_2", "email", "1"),
			approval("d", anyTime.Add(1*time.Second), ledger.ApprovalDenied, "op_3", "email", ""),
		)
		elsewhere := approval("e", anyTime, ledger.ApprovalOpen, "op_1", "refund", "1").(*ledger.Approval)
		elsewhere.Namespace = other
		saveRecords(t, b.engine, elsewhere)
		open, spent, denied := string(ledger.ApprovalOpen), string(ledger.ApprovalSpent), string(ledger.ApprovalDenied)
		for name, c := range map[string]struct {
			query ledger.RecordQuery
			want  string // ids, oldest first
		}{
			"none":                 {ledger.RecordQuery{}, "dbca"},
			"one status":           {ledger.RecordQuery{Statuses: []string{open}}, "ca"},
			"two statuses":         {ledger.RecordQuery{Statuses: []string{spent, denied}}, "db"},
			"subject":              {ledger.RecordQuery{Subject: "op_1"}, "ba"},
			"tool":                 {ledger.RecordQuery{Tool: "email"}, "dc"},
			"entity":               {ledger.RecordQuery{Entity: "order/1"}, "ca"},
			"subject and status":   {ledger.RecordQuery{Subject: "op_1", Statuses: []string{spent}}, "b"},
			"tool and statuses":    {ledger.RecordQuery{Tool: "email", Statuses: []string{open, spent}}, "c"},
			"entity and tool":      {ledger.RecordQuery{Entity: "order/1", Tool: "refund"}, "a"},
			"all":                  {ledger.RecordQuery{Entity: "order/1", Tool: "refund", Subject: "op_1", Statuses: []string{open}}, "a"},
			"what none has":        {ledger.RecordQuery{Subject: "op_1", Tool: "email"}, ""},
			"what none can have":   {ledger.RecordQuery{Subject: "a\x00b"}, ""},
			"what none could, too": {ledger.RecordQuery{Statuses: []string{"\xff"}}, ""},
		} {
			c.query.Kind, c.query.Namespace, c.query.Limit = ledger.RecordApproval, tenant, 1
			same(t, name, recordPages(t, b.engine, c.query), c.want)
			c.query.Descending = true
			newestFirst := []byte(c.want)
			slices.Reverse(newestFirst)
			same(t, name+", newest first", recordPages(t, b.engine, c.query), string(newestFirst))
		}
	})
	t.Run("pages are without gaps or repeats, also within one instant and for rows without a time", func(t *testing.T) {
		b := open(t, fresh)
		var list []ledger.Record
		want := ""
		for i := range 10 {
			at := time.Time{}
			if i >= 4 {
				at = anyTime.Add(time.Duration(i/7)*time.Second + time.Duration(9-i)) // rows hold microseconds
			}
			list = append(list, grantAt(at, fmt.Sprint(i), "t"))
			want += fmt.Sprint(i)
		}
		slices.Reverse(list) // saved in another order than they are listed in
		saveRecords(t, b.engine, list...)
		q := ledger.RecordQuery{Kind: ledger.RecordGrant, Namespace: tenant, Limit: 3}
		same(t, "oldest first", recordPages(t, b.engine, q), want)
		q.Descending = true
		same(t, "newest first", recordPages(t, b.engine, q), "9876543210")
		q.Tool, q.Statuses = "t", []string{"usable"}
		same(t, "newest first, filtered", recordPages(t, b.engine, q), "9876543210")
	})
	t.Run("a change moves a row in its lists", func(t *testing.T) {
		b := open(t, fresh)
		saveRecords(t, b.engine, grantAt(anyTime, "a", "t"), grantAt(anyTime.Add(1*time.Second), "b", "t"))
		used := grantAt(anyTime.Add(2*time.Second), "a", "t")
		used.Version, used.UsedBy = 2, "op_1"
		saveRecords(t, b.engine, used)
		q := ledger.RecordQuery{Kind: ledger.RecordGrant, Namespace: tenant, Limit: 10}
		same(t, "order", recordPages(t, b.engine, q), "ba")
		q.Statuses = []string{"usable"}
		same(t, "usable", recordPages(t, b.engine, q), "b")
		q.Statuses = []string{"used"}
		same(t, "used", recordPages(t, b.engine, q), "a")
	})
	t.Run("a kind that does not exist is an error, never an empty list", func(t *testing.T) {
		b := open(t, fresh)
		if _, err := b.engine.ListRecords(t.Context(), ledger.RecordQuery{Kind: "something_new", Namespace: tenant}); err == nil {
			t.Error("it was listed")
		}
		if _, err := b.engine.GetRecord(t.Context(), ledger.RecordKey{Kind: "something_new", Namespace: tenant, ID: "x"}); err == nil {
			t.Error("it was found")
		}
	})
}

// grantAt is a small record that a place in a list is given to.
func grantAt(at time.Time, id, tool string) *ledger.Grant {
	g := &ledger.Grant{CreatedAt: at, Tool: tool}
	g.Namespace, g.ID, g.Version = tenant, id, 1
	return g
}

// recordPages lists everything that a query finds, page by page, and joins the ids, of one letter each.
func recordPages(t *testing.T, e ledger.Engine, q ledger.RecordQuery) (ids string) {
	t.Helper()
	for {
		page := listRecords(t, e, q)
		if len(page) == 0 {
			return ids
		}
		if len(page) > q.Limit {
			t.Fatalf("a page of %d", len(page))
		}
		for _, r := range page {
			ids += r.Key().ID
		}
		last := page[len(page)-1]
		q.After, q.AfterID = last.Index().At, last.Key().ID
	}
}
