package sqlstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/internal/wirefault"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// TestAClaimUnderWayIsPassedBy holds a claim open between its statement and its commit: nobody else gets what it has
// marked, and nobody waits for it. What it gave up by rolling back is claimed by the next.
func TestAClaimUnderWayIsPassedBy(t *testing.T) {
	url := pgtest.NewDatabase(t)
	s, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = s.pool.Exec(t.Context(), `INSERT INTO work_items SELECT 'n', 'op_'||i, 'WORKER', 't', 'dispatch', '', now(), 1, now() - i * INTERVAL '1 minute', '' FROM generate_series(0, 9) i`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // whoever waited for the open claim would fail by this
	defer cancel()
	queue := ledger.Queue{Namespace: "n", Executor: registry.Worker, Tool: "t", Kind: ledger.WorkDispatch}
	claim := func(what string, want int) {
		t.Helper()
		got, err := s.ClaimWork(ctx, queue, "c2", 100, time.Hour)
		if err != nil || len(got) != want {
			t.Fatalf("%s: %+v, %v; want %d", what, got, err, want)
		}
	}
	open, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Rollback(context.WithoutCancel(ctx)) }()
	tag, err := open.Exec(ctx, claimWork, "WORKER", "n", "t", "dispatch", "", 0, 3, time.Hour.Microseconds(), "c1")
	if err != nil || tag.RowsAffected() != 3 {
		t.Fatalf("%d rows, %v", tag.RowsAffected(), err)
	}
	claim("beside the open claim", 7)
	claim("once more", 0)
	if err := open.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	claim("after it was rolled back", 3)
}

// TestAClaimWhoseCommitNobodyHeardOfIsGivenBack lets the commit of a claim fail in each way. The next one gets the work at
// once, long before a claim runs out.
func TestAClaimWhoseCommitNobodyHeardOfIsGivenBack(t *testing.T) {
	for name, action := range map[string]wirefault.Action{
		"connection cut":                wirefault.Cut(),
		"connection cut after":          wirefault.CutAfter(),
		"result is ambiguous, not done": wirefault.Fail("40003"),
		"result is ambiguous, done":     wirefault.FailAfter("40003"),
	} {
		t.Run(name, func(t *testing.T) {
			url := pgtest.NewDatabase(t)
			if _, err := Migrate(t.Context(), url); err != nil {
				t.Fatal(err)
			}
			proxy := wirefault.Start(t, url)
			s, err := Open(t.Context(), proxy.URL(), WithoutMigration())
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for _, waits := range []string{
				`INSERT INTO work_items SELECT 'n', 'op_'||i, 'SERVER_HTTP', 't', 'dispatch', '', now(), 1, now() - i * INTERVAL '1 minute', '' FROM generate_series(1, 2) i`,
				`INSERT INTO open_operations SELECT 'n', 'op_'||i, i, 't', 'IRREVERSIBLE', 'dispatched', now(), now(), 'permit', 1, now() - i * INTERVAL '1 minute', '' FROM generate_series(1, 2) i`,
			} {
				if _, err = s.pool.Exec(t.Context(), waits); err != nil {
					t.Fatal(err)
				}
			}
			queue := ledger.Queue{Namespace: "n", Executor: registry.ServerHTTP, Tool: "t", Kind: ledger.WorkDispatch}
			for what, claim := range map[string]func(claimer string) (int, error){
				"work": func(claimer string) (int, error) {
					got, err := s.ClaimWork(t.Context(), queue, claimer, 10, time.Hour)
					return len(got), err
				},
				"due work": func(claimer string) (int, error) {
					got, err := s.ClaimDue(t.Context(), claimer, 10, time.Hour)
					return len(got), err
				},
			} {
				fault := proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: action})
				if n, err := claim("c1"); err == nil || fault.Hits() != 1 {
					t.Fatalf("%s: the commit did not fail, %d", what, n)
				}
				if n, err := claim("c2"); err != nil || n != 2 {
					t.Fatalf("%s: %d, %v; want both at once", what, n, err)
				}
			}
		})
	}
}

// BenchmarkClaimWork claims ten items of one queue among many while much waits, and gives them back.
func BenchmarkClaimWork(b *testing.B) {
	s, err := Open(b.Context(), pgtest.NewDatabase(b))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for _, statement := range []string{
		fmt.Sprintf(`INSERT INTO work_items SELECT 'n', 'op_'||i, 'WORKER', 'tool_'||i%%%d, 'dispatch', '', now(), 1, now(), '' FROM generate_series(1, %d) i`, manyQueues, manyRows),
		`ANALYZE work_items`,
	} {
		if _, err := s.pool.Exec(b.Context(), statement); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("claim", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			queue := ledger.Queue{Namespace: "n", Executor: registry.Worker, Tool: fmt.Sprint("tool_", n%manyQueues), Kind: ledger.WorkDispatch}
			got, err := s.ClaimWork(b.Context(), queue, "c", 10, 0)
			if err != nil || len(got) != 10 {
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
