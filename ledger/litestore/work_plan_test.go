package litestore

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// The backlog of the tests below: so many queues, and in all so many rows that wait.
const (
	manyQueues = 200
	manyRows   = 100_000
)

// TestWorkIsFoundByItsIndex looks at the plans of claims and of the walk from queue to queue: every step is a search by
// the index of queues or by the key, and nothing is read whole or sorted but the queues that were found.
func TestWorkIsFoundByItsIndex(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, c := range map[string]struct {
		statement  string
		parameters int
	}{"look": {workIsReady, 6}, "claim": {claimWork, 9}, "queues": {workQueues, 7}, "delete": {deleteWork, 2}, "release": {releaseWork, 5}} {
		found, err := s.reader.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+c.statement, make([]any, c.parameters)...)
		plan, err := collect(found, err, func(scan func(...any) error) (step string, err error) {
			err = scan(new(int), new(int), new(int), &step)
			return step, err
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, read := strings.Join(plan, "\n"), 0
		for _, step := range plan {
			switch table, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(step, "SEARCH "), "SCAN "), " "); table {
			case "work_items", "w", "f", "n":
				read++
				if !strings.HasPrefix(step, "SEARCH ") || strings.HasSuffix(step, "(executor>?)") { // which would read all that come after
					t.Errorf("%s reads more than it looks for, %q:\n%s", name, step, text)
				}
			}
			if step == "USE TEMP B-TREE FOR ORDER BY" && name != "queues" {
				t.Errorf("%s sorts:\n%s", name, text)
			}
		}
		if read == 0 {
			t.Errorf("%s reads no table:\n%s", name, text)
		}
	}
}

// BenchmarkClaimWork claims ten items of one queue among many while much waits, and looks over the queues.
func BenchmarkClaimWork(b *testing.B) {
	s, err := Open(b.Context(), filepath.Join(b.TempDir(), "ledger.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	err = s.write(b.Context(), func(sqlTx *sql.Tx) error {
		for i := range manyRows {
			_, err := sqlTx.Exec(`INSERT INTO work_items VALUES ('n', 'op_'||?1, 'WORKER', 'tool_'||(?1 % ?2), 'dispatch', '', ?3, 1, ?3, '')`, i, manyQueues, micros(s.now()))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("claim", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			queue := ledger.Queue{Namespace: "n", Executor: registry.Worker, Tool: fmt.Sprint("tool_", n%manyQueues), Kind: ledger.WorkDispatch}
			if got, err := s.ClaimWork(b.Context(), queue, "c", 10, time.Duration(0)); err != nil || len(got) != 10 {
				b.Fatalf("%d items, %v", len(got), err)
			}
		}
	})
	for name, q := range map[string]ledger.WorkQuery{"queues": {}, "ready": {Ready: true}, "ready of one tool": {Ready: true, Executor: registry.Worker, Namespace: "n", Tools: []string{"tool_7"}}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if got, err := s.WorkQueues(b.Context(), q); err != nil || len(got) == 0 {
					b.Fatalf("%d queues, %v", len(got), err)
				}
			}
		})
	}
}
