package sqlstore

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger/rows"
)

// The backlog of the test below: so many queues, and in all so many rows that wait.
const (
	manyQueues = 200
	manyRows   = 100_000
)

// TestWorkIsFoundByItsIndex looks at the plans of claims and of the walk from queue to queue while much waits, before and
// after PostgreSQL has looked at the table: neither may read the rows of other queues.
func TestWorkIsFoundByItsIndex(t *testing.T) {
	url := pgtest.NewDatabase(t)
	if _, err := Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	exec := func(statement string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	exec(`SET plan_cache_mode = force_generic_plan`)
	exec(fmt.Sprintf(`INSERT INTO work_items SELECT 'n', 'op_'||i, 'WORKER', 'tool_'||i%%%d, 'dispatch', '', now(), 1, now(), '' FROM generate_series(1, %d) i`, manyQueues, manyRows))
	queue := []any{"WORKER", "n", "tool_77", "dispatch", "", int64(0)}
	for _, state := range []string{"unknown", "known"} {
		if state == "known" {
			exec(`ANALYZE work_items`)
		}
		for _, c := range []struct {
			name      string
			statement string
			args      []any
			// At most so many rows of the table may be looked at; a queue holds 500.
			most int
		}{
			{"look", workIsReady, queue, 1},
			{"claim", claimWork, append(queue, 10, int64(1), "c1"), 10 + 10}, // to pick them, and to mark them by their key
			{"queues", workQueues, []any{"", "", []string(nil), false, int64(0), rows.MaxDepth, []string{""}}, 2*manyRows + 3*manyQueues},
			{"ready queues", workQueues, []any{"", "", []string(nil), true, int64(0), rows.MaxDepthSeen, []string{""}}, manyQueues*(2*rows.MaxDepthSeen+3) + 1},
			{"ready queues of one tool", workQueues, []any{"WORKER", "n", []string{"tool_77"}, true, int64(0), rows.MaxDepthSeen, []string{"tool_77"}}, 2*rows.MaxDepthSeen + 4},
			{"queues of an executor that has none", workQueues, []any{"SERVER_HTTP", "", []string(nil), false, int64(0), rows.MaxDepth, []string{""}}, 1},
		} {
			found, err := conn.Query(t.Context(), "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "+c.statement, c.args...)
			if err != nil {
				t.Fatalf("%s, %s: %v", c.name, state, err)
			}
			lines, err := pgx.CollectRows(found, pgx.RowTo[string])
			if err != nil {
				t.Fatalf("%s, %s: %v", c.name, state, err)
			}
			plan := strings.Join(lines, "\n")
			if !strings.Contains(plan, "work_items_by_queue") || strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Bitmap") {
				t.Errorf("%s, %s: the index is not used alone:\n%s", c.name, state, plan)
			}
			if n := rowsRead(t, plan); n > c.most {
				t.Errorf("%s, %s: %d rows were read, at most %d should be:\n%s", c.name, state, n, c.most, plan)
			}
		}
	}
}

// scanned is a scan of work_items by one of its indexes, with the rows of each of its loops.
var scanned = regexp.MustCompile(`Index (?:Only )?Scan using work_items_\w+ on work_items.*\(actual rows=(\d+) loops=(\d+)\)`)

// rowsRead counts the rows of work_items that a plan read when it was run.
func rowsRead(t *testing.T, plan string) (n int) {
	t.Helper()
	number := func(s string) int {
		value, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for _, m := range scanned.FindAllStringSubmatch(plan, -1) {
		n += number(m[1]) * number(m[2])
	}
	return n
}
