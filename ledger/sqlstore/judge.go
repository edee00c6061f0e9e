package sqlstore

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/retry"
)

// moment is when an error came.
type moment int

const (
	during     moment = iota // before COMMIT was sent: nothing can have been committed
	committing               // from COMMIT itself
)

// lostWriteTries bounds the tries after a row turned out to be another's. A race with a concurrent insert is over after
// one or two; what goes on is a defect, which must not hold up everybody else.
const lostWriteTries = 8

// statementAgain are the errors after which the same transaction may succeed on another try or another connection, and
// how many tries each is worth; zero leaves that to the policy.
var statementAgain = map[string]int{
	"40001": 0, // serialization failure
	"CR000": 0, // the same, of old CockroachDB versions
	"40P01": 0, // deadlock
	"53300": 0, // too many connections
	"25006": 0, // the server has become a standby
	"0A000": 3, // a prepared plan does not fit a schema that has just changed
}

// commitRefused are the classes of errors that say for certain that COMMIT did not commit.
var commitRefused = map[string]bool{"23": true, "25": true, "40": true}

// judge says what the error of a try means.
func judge(err error, when moment) retry.Result {
	if err == nil {
		return retry.Result{}
	}
	var pgErr *pgconn.PgError
	switch {
	case errors.Is(err, ledger.ErrLostWrite):
		return retry.Result{Err: err, Verdict: retry.Again, Reason: "lost_write", AtMost: lostWriteTries}
	case errors.Is(err, pgx.ErrTxCommitRollback):
		return retry.Result{Err: err, Verdict: retry.Again, Reason: "rolled_back"}
	case errors.As(err, &pgErr):
		return judgeCode(err, pgErr.Code, when)
	case when == committing:
		// The connection broke, or who asked has gone: COMMIT may have arrived or not.
		return retry.Result{Err: err, Verdict: retry.Unknown, Reason: "commit_unknown"}
	case brokenConnection(err):
		return retry.Result{Err: err, Verdict: retry.Again, Reason: "connection"}
	}
	return retry.Result{Err: err, Verdict: retry.Final}
}

func judgeCode(err error, code string, when moment) retry.Result {
	atMost, again := statementAgain[code]
	switch {
	case code == "40003":
		return retry.Result{Err: err, Verdict: retry.Unknown, Reason: code}
	case code == "23505":
		return retry.Result{Err: errors.Join(ledger.ErrLostWrite, err), Verdict: retry.Again, Reason: "lost_write", AtMost: lostWriteTries}
	case again:
		return retry.Result{Err: err, Verdict: retry.Again, Reason: code, AtMost: atMost}
	case when == committing && !commitRefused[code[:min(2, len(code))]]:
		return retry.Result{Err: err, Verdict: retry.Unknown, Reason: code}
	case strings.HasPrefix(code, "08"), code == "57P01", code == "57P02", code == "57P03":
		return retry.Result{Err: err, Verdict: retry.Again, Reason: code}
	}
	return retry.Result{Err: err, Verdict: retry.Final}
}

// connectionError marks an error that left its connection unusable without the server having said why.
type connectionError struct{ error }

func (e connectionError) Unwrap() error { return e.error }

// brokenConnection reports whether the error is of the connection and not of a statement.
func brokenConnection(err error) bool {
	var broken connectionError
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &broken), errors.As(err, &connect):
		return true
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	}
	return pgconn.SafeToRetry(err) || isIO(err)
}
