package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/retry"
)

// rollbackTimeout bounds a ROLLBACK. A connection that does not answer it is closed, which rolls back as well.
const rollbackTimeout = 2 * time.Second

// errTooLong says that a try took longer than a transaction may. Barrier relies on it that such a one never commits.
var errTooLong = errors.New("the transaction took longer than its limit")

// Transact runs fn in one SERIALIZABLE transaction, and the whole of fn again, in a new transaction, as long as the
// database asks for it. It never commits by releasing a savepoint: that is a commit on CockroachDB alone.
func (s *Store) Transact(ctx context.Context, fn func(ctx context.Context, tx ledger.Tx) error) error {
	return s.options.retries.Run(ctx, func(ctx context.Context) retry.Result { return s.try(ctx, fn) })
}

// try is one transaction on one connection.
func (s *Store) try(parent context.Context, fn func(ctx context.Context, tx ledger.Tx) error) retry.Result {
	began := time.Now()
	ctx, cancel := context.WithTimeout(parent, s.options.transactionLimit)
	defer cancel()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return timed(parent, judge(err, during))
	}
	t := newTx(s, conn)
	defer t.end()
	if err := t.begin(ctx); err != nil {
		return timed(parent, judge(err, during))
	}
	err = fn(ctx, t)
	switch {
	case t.fault != nil: // the statement's own error decides, whatever fn made of it
		return timed(parent, judge(t.fault, during))
	case err != nil:
		return timed(parent, judge(err, during))
	case time.Since(began) > s.options.transactionLimit:
		return retry.Result{Err: errTooLong, Verdict: retry.Again, Reason: "too_long"}
	case ctx.Err() != nil: // who asked has gone, and COMMIT was not sent
		return timed(parent, judge(ctx.Err(), during))
	}
	if err := t.commit(ctx); err != nil {
		return judge(err, committing)
	}
	return retry.Result{}
}

// timed turns the end of a try's own time into another try, as long as the one who asked still waits.
func timed(parent context.Context, r retry.Result) retry.Result {
	if r.Verdict == retry.Final && errors.Is(r.Err, context.DeadlineExceeded) && parent.Err() == nil {
		return retry.Result{Err: fmt.Errorf("%w: %w", errTooLong, r.Err), Verdict: retry.Again, Reason: "too_long"}
	}
	return r
}

// begin opens the transaction and reads the time, in one round trip.
func (t *tx) begin(ctx context.Context) error {
	b := &pgx.Batch{}
	b.BeginTx(pgx.TxOptions{IsoLevel: pgx.Serializable})
	if t.store.cluster {
		b.Queue(selectNow).QueryRow(func(row pgx.Row) error { return row.Scan(&t.now) })
	} else {
		b.Queue(selectNowByKey).QueryRow(func(row pgx.Row) error { return row.Scan(&t.now, nil, nil, nil) })
	}
	results := t.conn.SendBatch(ctx, b)
	err := results.Close()
	t.sql = results.Tx()
	t.now = t.store.shift(t.now)
	return mark(t.conn, err)
}

// commit commits. A commit that the server answers by ROLLBACK is pgx.ErrTxCommitRollback.
func (t *tx) commit(ctx context.Context) error {
	if err := t.sql.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	for ns := range t.met {
		t.store.namespaces.Store(ns, true)
	}
	return nil
}

// end rolls back what was not committed, also when fn panics, and gives the connection back. The pool closes one whose
// transaction is still open.
func (t *tx) end() {
	defer t.conn.Release()
	if t.sql == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTimeout)
	defer cancel()
	_ = t.sql.Rollback(ctx) // does nothing after a commit; where it fails the connection is closed
}

// mark tells errors of the connection from errors of a statement.
func mark(conn *pgxpool.Conn, err error) error {
	if err != nil && conn.Conn().IsClosed() && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return connectionError{err}
	}
	return err
}

// isIO reports whether reading or writing the wire failed.
func isIO(err error) bool {
	var netErr net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.As(err, &netErr)
}
