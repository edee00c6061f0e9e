package litestore

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/opledger/opledger/ledger/rows"
	"github.com/opledger/opledger/ledger/storetest"
)

// TestListsGoByTheirIndex looks whether each list of records and decisions is answered by the index that it is for, in the
// index's order.
func TestListsGoByTheirIndex(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	check := func(index, statement string) {
		t.Helper()
		args := make([]any, strings.Count(statement, " LIMIT ?8")*8+strings.Count(statement, " LIMIT ?12")*12)
		found, err := s.reader.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement, args...)
		plan, err := collect(found, err, func(scan func(...any) error) (step string, err error) {
			err = scan(new(int), new(int), new(int), &step)
			return step, err
		})
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(plan, "\n"); !strings.Contains(text, "USING INDEX "+index+" ") || strings.Contains(text, "TEMP B-TREE") {
			t.Errorf("%s is not used in its order:\n%s", index, text)
		}
	}
	for index, statement := range map[string]string{
		"decisions_by_time": listDecisions, "decisions_by_tool": listDecisionsOfTool, "decisions_by_rule": listDecisionsOfRule,
		"decisions_by_operation": listDecisionsOfOperation, "decisions_by_workflow": listDecisionsOfWorkflow, "decisions_by_entity": listDecisionsOfEntity,
	} {
		check(index, statement)
	}
	for _, table := range rows.Tables {
		for list, statement := range recordsOf[table.Kind].lists {
			if index := storetest.IndexOf(table, list.lead); index != "" {
				check(index, statement)
			}
		}
	}
}
