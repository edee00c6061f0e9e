package wirefault_test

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/internal/wirefault"
)

func TestFailStatement(t *testing.T) {
	eachMode(t, func(t *testing.T, mode pgx.QueryExecMode) {
		w := newWorld(t)
		conn := w.connect(t, mode)
		rule := w.Inject(wirefault.Rule{Match: wirefault.Matching("^INSERT"), Skip: 1, Times: 1, Action: wirefault.Fail("40001")})

		tx := begin(t, conn)
		insert(t, tx, 1)
		_, err := tx.Exec(t.Context(), insertEntry, 2)
		wantState(t, err, "40001")
		_, err = tx.Exec(t.Context(), insertEntry, 3)
		wantState(t, err, "25P02") // the transaction has failed until ROLLBACK
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}

		w.wantRows(t, 0)
		wantUsable(t, conn, 4)
		w.wantRows(t, 1)
		wantHits(t, rule, 1)
	})
}

func TestFailedTransactionCannotCommit(t *testing.T) {
	w := newWorld(t)
	w.Inject(wirefault.Rule{Match: wirefault.Matching("^INSERT"), Skip: 1, Times: 1, Action: wirefault.Fail("40001")})
	tx := begin(t, w.connect(t, pgx.QueryExecModeCacheDescribe))
	insert(t, tx, 1)
	_, err := tx.Exec(t.Context(), insertEntry, 2)
	wantState(t, err, "40001")
	if err := tx.Commit(t.Context()); !errors.Is(err, pgx.ErrTxCommitRollback) {
		t.Errorf("commit after a failure: %v, want %v", err, pgx.ErrTxCommitRollback)
	}
	w.wantRows(t, 0)
}

func TestFailOutsideOfTransaction(t *testing.T) {
	eachMode(t, func(t *testing.T, mode pgx.QueryExecMode) {
		w := newWorld(t)
		conn := w.connect(t, mode)
		w.Inject(wirefault.Rule{Match: wirefault.Matching("^INSERT"), Times: 1, Action: wirefault.Fail("40001")})
		_, err := conn.Exec(t.Context(), insertEntry, 1)
		wantState(t, err, "40001")
		w.wantRows(t, 0)
		if _, err := conn.Exec(t.Context(), insertEntry, 1); err != nil {
			t.Fatalf("the same again: %v", err)
		}
		w.wantRows(t, 1)
	})
}

func TestFailCommit(t *testing.T) {
	for _, state := range []string{"40001", "40003"} {
		t.Run(state, func(t *testing.T) {
			eachMode(t, func(t *testing.T, mode pgx.QueryExecMode) {
				w := newWorld(t)
				conn := w.connect(t, mode)
				rule := w.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.Fail(state)})
				tx := begin(t, conn)
				insert(t, tx, 1)
				wantState(t, tx.Commit(t.Context()), state)
				if status := conn.PgConn().TxStatus(); status != 'I' {
					t.Errorf("transaction status %c after a failed commit, want I", status)
				}
				w.wantRows(t, 0)
				wantUsable(t, conn, 1)
				w.wantRows(t, 1)
				wantHits(t, rule, 1)
			})
		})
	}
}

func TestFailPreparedCommit(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheStatement)
	if _, err := conn.Prepare(t.Context(), "finish", "COMMIT"); err != nil {
		t.Fatal(err)
	}
	w.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.Fail("40001")})
	tx := begin(t, conn)
	insert(t, tx, 1)
	_, err := conn.PgConn().ExecPrepared(t.Context(), "finish", nil, nil, nil).Close()
	wantState(t, err, "40001")
	if status := conn.PgConn().TxStatus(); status != 'I' {
		t.Errorf("transaction status %c after a failed commit, want I", status)
	}
	w.wantRows(t, 0)
}

func TestFailAfterCommit(t *testing.T) {
	eachMode(t, func(t *testing.T, mode pgx.QueryExecMode) {
		w := newWorld(t)
		conn := w.connect(t, mode)
		w.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.FailAfter("40003")})
		tx := begin(t, conn)
		insert(t, tx, 1)
		wantState(t, tx.Commit(t.Context()), "40003")
		w.wantRows(t, 1)
		wantUsable(t, conn, 2)
	})
}

func TestFailAfterStatement(t *testing.T) {
	eachMode(t, func(t *testing.T, mode pgx.QueryExecMode) {
		w := newWorld(t)
		conn := w.connect(t, mode)
		w.Inject(wirefault.Rule{Match: wirefault.Matching("^INSERT"), Times: 2, Action: wirefault.FailAfter("40003")})

		var id int
		err := conn.QueryRow(t.Context(), insertEntry+" RETURNING id", 1).Scan(&id)
		wantState(t, err, "40003")
		w.wantRows(t, 1) // a statement by itself has committed

		tx := begin(t, conn)
		_, err = tx.Exec(t.Context(), insertEntry, 2)
		wantState(t, err, "40003")
		_, err = tx.Exec(t.Context(), insertEntry, 3)
		wantState(t, err, "25P02")
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.wantRows(t, 1)
		wantUsable(t, conn, 2)
	})
}

func TestFailAfterKeepsTheServersOwnError(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	wantUsable(t, conn, 1)
	w.Inject(wirefault.Rule{Match: wirefault.Matching("^INSERT"), Action: wirefault.FailAfter("40003")})
	_, err := conn.Exec(t.Context(), insertEntry, 1)
	wantState(t, err, "23505")
}

func TestCutCommit(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	w.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.Cut()})
	tx := begin(t, conn)
	insert(t, tx, 1)
	wantBroken(t, conn, tx.Commit(t.Context()))

	// The lost transaction holds no lock that its successor would wait for.
	if _, err := w.direct.Exec(t.Context(), "SET lock_timeout = '1ms'"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.direct.Exec(t.Context(), insertEntry, 1); err != nil {
		t.Fatalf("after a commit that never arrived: %v", err)
	}
}

func TestCutAfterCommit(t *testing.T) {
	eachMode(t, func(t *testing.T, mode pgx.QueryExecMode) {
		w := newWorld(t)
		conn := w.connect(t, mode)
		rule := w.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.CutAfter()})
		tx := begin(t, conn)
		insert(t, tx, 1)
		wantBroken(t, conn, tx.Commit(t.Context()))
		w.wantRows(t, 1)
		wantHits(t, rule, 1)
	})
}

func TestCommitArrivesAfterItsClientLooked(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	release := make(chan struct{})
	rule := w.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.CutThenForward(release)})
	tx := begin(t, conn)
	insert(t, tx, 1)
	wantBroken(t, conn, tx.Commit(t.Context()))
	w.wantRows(t, 0)
	close(release)
	await(t, "the late commit was executed", rule.Finished())
	w.wantRows(t, 1)
}

func TestTerminate(t *testing.T) {
	eachMode(t, func(t *testing.T, mode pgx.QueryExecMode) {
		w := newWorld(t)
		conn := w.connect(t, mode)
		w.Inject(wirefault.Rule{Match: wirefault.Matching("^INSERT"), Skip: 1, Times: 1, Action: wirefault.Terminate("57P01")})
		tx := begin(t, conn)
		insert(t, tx, 1)
		_, err := tx.Exec(t.Context(), insertEntry, 2)
		wantState(t, err, "57P01")
		if err := conn.Ping(t.Context()); err == nil {
			t.Error("the connection outlived a shutdown")
		}
		w.wantRows(t, 0)
	})
}

func TestHold(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	release := make(chan struct{})
	rule := w.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.Hold(release)})
	tx := begin(t, conn)
	insert(t, tx, 1)
	committed := make(chan error, 1)
	go func() { committed <- tx.Commit(t.Context()) }()

	await(t, "the commit reached the proxy", rule.Reached())
	w.wantRows(t, 0)
	close(release)
	if err := <-committed; err != nil {
		t.Fatal(err)
	}
	w.wantRows(t, 1)
}

func TestDelay(t *testing.T) {
	const delay = 30 * time.Millisecond
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	w.Inject(wirefault.Rule{Match: wirefault.Any(), Action: wirefault.Delay(delay)})
	start := time.Now()
	if _, err := conn.Exec(t.Context(), "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < delay {
		t.Errorf("took %v, want at least %v", took, delay)
	}
}

func TestFailWithinPipeline(t *testing.T) {
	for name, mode := range modes {
		if mode == pgx.QueryExecModeSimpleProtocol {
			continue // sends a batch as one simple query
		}
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			conn := w.connect(t, mode)
			w.Inject(wirefault.Rule{Match: wirefault.Matching("^INSERT"), Skip: 1, Times: 1, Action: wirefault.Fail("40001")})
			var batch pgx.Batch
			for id := range 3 {
				batch.Queue(insertEntry, id)
			}
			results := conn.SendBatch(t.Context(), &batch)
			if _, err := results.Exec(); err != nil {
				t.Errorf("the first statement: %v", err)
			}
			_, err := results.Exec()
			wantState(t, err, "40001")
			wantState(t, results.Close(), "40001")
			w.wantRows(t, 0) // a pipeline is one transaction
			wantUsable(t, conn, 1)
		})
	}
}

func TestFailAfterWithinPipeline(t *testing.T) {
	w := newWorld(t)
	conn := w.connect(t, pgx.QueryExecModeCacheDescribe)
	w.Inject(wirefault.Rule{Match: wirefault.Matching("^INSERT"), Skip: 1, Times: 1, Action: wirefault.FailAfter("40003")})
	var batch pgx.Batch
	for id := range 3 {
		batch.Queue(insertEntry, id)
	}
	results := conn.SendBatch(t.Context(), &batch)
	if _, err := results.Exec(); err != nil {
		t.Errorf("the first statement: %v", err)
	}
	_, err := results.Exec()
	wantState(t, err, "40003")
	wantState(t, results.Close(), "40003")
	w.wantRows(t, 3)
	wantUsable(t, conn, 4)
}
