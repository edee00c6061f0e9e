package sqlstore

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
	"github.com/opledger/opledger/ledger/storetest"
)

// TestTransactionsReadByPrimaryKey looks at the plans that PostgreSQL keeps for a transaction's statements: while the
// tables are empty, when it knows nothing of them yet, and when they are small and it does. A plan that reads more than
// the rows that were asked for would lock them against everybody.
func TestTransactionsReadByPrimaryKey(t *testing.T) {
	url := pgtest.NewDatabase(t)
	if _, err := Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	for _, state := range []struct {
		name  string
		steps []string
	}{
		{"empty", nil},
		{"young", []string{
			`INSERT INTO operations SELECT 'n', 'op_'||i, 1, 'planned', 'c', 't', '', '', '', '', 'k', 1, false, false, now(), repeat('x', 500) FROM generate_series(1, 200) i`,
			`INSERT INTO open_operations SELECT 'n', 'op_'||i, 1, 't', 'c', 'planned', now(), now(), 'k', 1, now(), '' FROM generate_series(1, 200) i`,
			`INSERT INTO work_items SELECT 'n', 'op_'||i, 'WORKER', 't', 'dispatch', '', now(), 1, now(), '' FROM generate_series(1, 200) i`,
			`INSERT INTO claims SELECT 'n', 'key', 'k'||i, 1, 'op_'||i, '', '' FROM generate_series(1, 200) i`,
			`INSERT INTO scopes SELECT 'n', 'order', 'o'||i, 'lease', 1, '[]' FROM generate_series(1, 200) i`,
			`INSERT INTO tools SELECT 'n', 't'||i, 1, '', false, '' FROM generate_series(1, 200) i`,
			`INSERT INTO histories (namespace, id, version) SELECT 'n', 'h'||i, 1 FROM generate_series(1, 200) i`,
			`INSERT INTO approvals (namespace, id, version, subject) SELECT 'n', 'a'||i, 1, 'o'||i FROM generate_series(1, 200) i`,
		}},
		{"known", []string{`ANALYZE`}},
	} {
		t.Run(state.name, func(t *testing.T) {
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(t.Context())
			for _, step := range state.steps {
				if _, err := conn.Exec(t.Context(), step); err != nil {
					t.Fatal(err)
				}
			}
			tx, err := conn.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, statement := range []string{selectNowByKey, `SET LOCAL plan_cache_mode = force_generic_plan`} {
				if _, err := tx.Exec(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			for name, s := range byKey() {
				checkPlan(t, tx, name, s.statement, s.args)
			}
		})
	}
}

type planned struct {
	statement string
	args      []any
}

// byKey are the statements that may read nothing but the rows that they name.
func byKey() map[string]planned {
	at := time.Unix(1, 0)
	update := []rows.Update{{Operation: rows.Operation{Namespace: "n", OperationID: "o", CreatedAt: at}}}
	scope := scopeKeyArrayArgs([]rows.Scope{{Namespace: "n", EntityType: "order", EntityID: "1", Name: "lease"}})
	pair := []any{[]string{"n"}, []string{"x"}}
	statements := map[string]planned{
		"updateOperations": {updateOperations, updateArrayArgs(update)},
		"selectOperations": {selectOperations, pair},
		"selectClaims":     {selectClaims, []any{[]string{"n"}, []string{"key"}, []string{"k"}}},
		"deleteClaims":     {deleteClaims, claimIDArrayArgs([]ledger.ClaimID{{Namespace: "n", Kind: ledger.ClaimKey, Value: "k"}})},
		"deleteOpen":       {deleteOpen, pair},
		"deleteWork":       {deleteWork, pair},
		"selectScopes":     {selectScopes, scope},
		"selectTools":      {selectTools, pair},
		"selectEpochs":     {selectEpochs, []any{[]string{"n"}}},
	}
	for _, table := range rows.Tables {
		of := recordsOf[table.Kind]
		statements["load "+table.Name] = planned{of.load, pair}
		statements["update "+table.Name] = planned{of.update, append(recordArrayArgs(table, []rows.Record{{Namespace: "n", ID: "x", At: at}}), []int64{1})}
	}
	return statements
}

// TestListsGoByTheirIndex looks whether each list of records and decisions can be answered by the index that it is for, in
// the index's order: whether a list's words and an index's condition fit each other.
func TestListsGoByTheirIndex(t *testing.T) {
	url := pgtest.NewDatabase(t)
	if _, err := Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	// A table without rows is read whole and sorted unless that is made dear.
	for _, setting := range []string{"enable_seqscan = off", "enable_bitmapscan = off", "enable_sort = off", "plan_cache_mode = force_generic_plan"} {
		if _, err := conn.Exec(t.Context(), "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	check := func(index, statement string, args ...any) {
		t.Helper()
		found, err := conn.Query(t.Context(), "EXPLAIN "+statement, args...)
		if err != nil {
			t.Fatalf("%s: %v", index, err)
		}
		lines, err := pgx.CollectRows(found, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s: %v", index, err)
		}
		if plan := strings.Join(lines, "\n"); !strings.Contains(plan, " using "+index+" on ") || strings.Contains(plan, "Sort") {
			t.Errorf("%s is not used in its order:\n%s", index, plan)
		}
	}
	// Each list is given the filter that leads it and no other: PostgreSQL leaves out what an absent filter says.
	only := func(wanted, is int, text string) string {
		if wanted == is {
			return text
		}
		return ""
	}
	at := time.Unix(1, 0)
	for i, list := range []struct{ index, statement string }{
		{"decisions_by_time", listDecisions}, {"decisions_by_tool", listDecisionsOfTool}, {"decisions_by_rule", listDecisionsOfRule},
		{"decisions_by_operation", listDecisionsOfOperation}, {"decisions_by_workflow", listDecisionsOfWorkflow}, {"decisions_by_entity", listDecisionsOfEntity},
	} {
		check(list.index, list.statement, "n", only(i, 1, "t"), only(i, 2, "r"), only(i, 3, "o"), only(i, 4, "w"), only(i, 5, "e"), []string(nil), at, at, at, "d", 10)
	}
	for _, table := range rows.Tables {
		for list, statement := range recordsOf[table.Kind].lists {
			index := storetest.IndexOf(table, list.lead)
			if index == "" {
				continue
			}
			var statuses []string
			if list.lead == rows.LeadStatus {
				statuses = []string{"s"}
			}
			lead := int(list.lead)
			check(index, statement, "n", statuses, only(lead, int(rows.LeadSubject), "s"), only(lead, int(rows.LeadTool), "t"), only(lead, int(rows.LeadEntity), "e"), at, "i", 10)
		}
	}
}

// scan is how a plan reads a table: "Seq Scan on tools", "Index Scan using tools_pkey on tools".
var scan = regexp.MustCompile(`(?:Seq|Index|Bitmap)[A-Za-z ]* Scan.*`)

func checkPlan(t *testing.T, tx pgx.Tx, name, statement string, args []any) {
	t.Helper()
	found, err := tx.Query(t.Context(), "EXPLAIN "+statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	lines, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	plan := strings.Join(lines, "\n")
	scans := scan.FindAllString(plan, -1)
	if len(scans) == 0 {
		t.Errorf("%s reads no table:\n%s", name, plan)
	}
	for _, s := range scans {
		if !strings.Contains(s, "_pkey") {
			t.Errorf("%s does not go by the primary key:\n%s", name, plan)
		}
	}
	if strings.Contains(plan, "Hash Join") || strings.Contains(plan, "Merge Join") {
		t.Errorf("%s joins whole sets:\n%s", name, plan)
	}
}
