package litestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/retry"
)

// Transact runs fn in one transaction. There is one writer, so that transactions run one after the other and none fails
// because of another; what is tried again is a file that somebody outside this process had locked, and a commit that
// could not be flushed.
func (s *Store) Transact(ctx context.Context, fn func(ctx context.Context, tx ledger.Tx) error) error {
	return s.options.retries.Run(ctx, func(ctx context.Context) retry.Result {
		err := s.write(ctx, func(sqlTx *sql.Tx) error {
			return fn(ctx, newTx(s, sqlTx))
		})
		return judge(err)
	})
}

// lostWriteTries bounds the tries after a claim turned out to be another's: the next try has its holder in view.
const lostWriteTries = 8

// commitError marks an error of COMMIT itself.
type commitError struct{ error }

func (e commitError) Unwrap() error { return e.error }

// write runs fn in the writer's next turn and commits what it did, or rolls it back where it fails or panics.
func (s *Store) write(ctx context.Context, fn func(*sql.Tx) error) (err error) {
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	// A statement here takes microseconds. To make each of them interruptible would cost more than it takes.
	tx, err := s.writer.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err // who asked has gone: nothing is promised yet, and nothing is kept
	}
	done = true
	if err := tx.Commit(); err != nil {
		return commitError{fmt.Errorf("commit: %w", err)}
	}
	return nil
}

// judge says what the error of a try means.
func judge(err error) retry.Result {
	if err == nil {
		return retry.Result{}
	}
	var commit commitError
	var engine *sqlite.Error
	switch {
	case errors.As(err, &engine) && engine.Code()&0xff == sqlite3.SQLITE_BUSY:
		return retry.Result{Err: err, Verdict: retry.Again, Reason: "busy"}
	case errors.Is(err, ledger.ErrLostWrite):
		return retry.Result{Err: err, Verdict: retry.Again, Reason: "lost_write", AtMost: lostWriteTries}
	case errors.As(err, &commit):
		return retry.Result{Err: err, Verdict: retry.Unknown, Reason: "commit_unknown"}
	}
	return retry.Result{Err: err, Verdict: retry.Final}
}
