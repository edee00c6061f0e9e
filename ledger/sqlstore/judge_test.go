package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/retry"
)

func TestJudge(t *testing.T) {
	code := func(c string) error { return fmt.Errorf("save: %w", &pgconn.PgError{Code: c}) }
	for _, c := range []struct {
		name       string
		err        error
		during     retry.Verdict
		committing retry.Verdict
	}{
		{"serialization failure", code("40001"), retry.Again, retry.Again},
		{"deadlock", code("40P01"), retry.Again, retry.Again},
		{"result is ambiguous", code("40003"), retry.Unknown, retry.Unknown},
		{"administrator's shutdown", code("57P01"), retry.Again, retry.Unknown},
		{"crash shutdown", code("57P02"), retry.Again, retry.Unknown},
		{"cannot connect now", code("57P03"), retry.Again, retry.Unknown},
		{"connection failure", code("08006"), retry.Again, retry.Unknown},
		{"unique violation", code("23505"), retry.Again, retry.Again},
		{"deferred constraint", code("23503"), retry.Final, retry.Final},
		{"syntax error", code("42601"), retry.Final, retry.Unknown},
		{"query cancelled", code("57014"), retry.Final, retry.Unknown},
		{"disk full", code("53100"), retry.Final, retry.Unknown},
		{"internal error", code("XX000"), retry.Final, retry.Unknown},
		{"became a standby", code("25006"), retry.Again, retry.Again},
		{"broken pipe", connectionError{io.ErrUnexpectedEOF}, retry.Again, retry.Unknown},
		{"end of file", io.EOF, retry.Again, retry.Unknown},
		{"time ran out", context.DeadlineExceeded, retry.Final, retry.Unknown},
		{"caller gone", context.Canceled, retry.Final, retry.Unknown},
		{"rolled back", fmt.Errorf("commit: %w", pgx.ErrTxCommitRollback), retry.Again, retry.Again},
		{"lost write", fmt.Errorf("x: %w", ledger.ErrLostWrite), retry.Again, retry.Again},
		{"a decision's own error", errors.New("no such tool"), retry.Final, retry.Unknown},
	} {
		if got := judge(c.err, during).Verdict; got != c.during {
			t.Errorf("%s, before COMMIT: %d, want %d", c.name, got, c.during)
		}
		if got := judge(c.err, committing).Verdict; got != c.committing {
			t.Errorf("%s, at COMMIT: %d, want %d", c.name, got, c.committing)
		}
	}
}

func TestWeaknesses(t *testing.T) {
	good := map[string]string{
		"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "synchronous_standby_names": "",
		"transaction_read_only": "off", "max_pred_locks_per_transaction": "2048",
	}
	if got := weaknesses(good, 0); len(got) != 0 {
		t.Errorf("good settings are called weak: %q", got)
	}
	for name, value := range map[string]string{
		"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "transaction_read_only": "on", "max_pred_locks_per_transaction": "64",
	} {
		bad := map[string]string{}
		for k, v := range good {
			bad[k] = v
		}
		bad[name] = value
		if got := weaknesses(bad, 0); len(got) != 1 {
			t.Errorf("%s = %s: %q, want one sentence", name, value, got)
		}
	}
	for commit, want := range map[string]int{"on": 0, "remote_apply": 0, "local": 1, "remote_write": 1} {
		settings := map[string]string{"synchronous_standby_names": "a", "synchronous_commit": commit}
		if got := weaknesses(settings, 0); len(got) != want {
			t.Errorf("synchronous_commit = %s with standbys: %q", commit, got)
		}
	}
	if got := weaknesses(good, 1); len(got) != 1 {
		t.Errorf("an asynchronous standby: %q", got)
	}
}
