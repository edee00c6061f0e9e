package sqlstore

import (
	"context"
	"fmt"
	"strconv"
)

// enoughPredicateLocks is the setting of max_pred_locks_per_transaction from which batches of two writers no longer lock
// whole tables against each other.
const enoughPredicateLocks = 1024

// Settings says what the database's settings make weaker than promised. CockroachDB's durability is not a setting.
func (s *Store) Settings(ctx context.Context) ([]string, error) {
	if s.cluster {
		return nil, nil
	}
	settings := map[string]string{}
	var standbys int64
	var name, value string
	err := s.read(ctx, func(ctx context.Context) error {
		err := s.rowsOf(ctx, settingsOfInterest, nil, []any{&name, &value}, func() error {
			settings[name] = value
			return nil
		})
		if err != nil {
			return err
		}
		return s.pool.QueryRow(ctx, asynchronousStandbys).Scan(&standbys)
	})
	if err != nil {
		return nil, err
	}
	sentences := weaknesses(settings, standbys)
	pooled, err := s.pooled(ctx)
	if err != nil {
		return nil, err
	}
	if pooled {
		sentences = append(sentences, "A connection pooler stands before the database. If it gives each transaction another connection and does not carry prepared statements over, set default_query_exec_mode=cache_describe in the database URL.")
	}
	return sentences, nil
}

// weaknesses turns settings into sentences.
func weaknesses(settings map[string]string, asynchronousStandbys int64) []string {
	var sentences []string
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	if settings["fsync"] == "off" {
		say("fsync is off: a crash of the machine can lose or damage everything, permits that were acted on included.")
	}
	if settings["full_page_writes"] == "off" {
		say("full_page_writes is off: a crash of the machine can damage pages unless the file system writes them whole.")
	}
	switch commit := settings["synchronous_commit"]; {
	case commit == "off":
		say("synchronous_commit is off: a crash can lose the last permits after they were acted on. Set it to on for the ledger's database.")
	case settings["synchronous_standby_names"] != "" && (commit == "local" || commit == "remote_write"):
		say("synchronous_commit is %s: a standby that takes over may not have the last permits. Set it to on.", commit)
	}
	if asynchronousStandbys > 0 {
		say("%d standby servers replicate asynchronously: one that takes over may not have the last permits. Name at least one in synchronous_standby_names.", asynchronousStandbys)
	}
	if settings["transaction_read_only"] == "on" {
		say("The database is read-only: it is a standby, or default_transaction_read_only is on.")
	}
	if n, err := strconv.Atoi(settings["max_pred_locks_per_transaction"]); err == nil && n < enoughPredicateLocks {
		say("max_pred_locks_per_transaction is %d: batches lock whole tables against each other and are tried again more often. Set it to 2048, and max_pred_locks_per_page to 32; this is about speed alone.", n)
	}
	return sentences
}

// pooled reports whether somebody between us and the database answers for it: the process that greeted the connection is
// not the one that runs its statements.
func (s *Store) pooled(ctx context.Context) (pooled bool, err error) {
	err = s.read(ctx, func(ctx context.Context) error {
		conn, err := s.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		var process uint32
		if err := conn.QueryRow(ctx, backendProcess).Scan(&process); err != nil {
			return err
		}
		pooled = process != conn.Conn().PgConn().PID()
		return nil
	})
	return pooled, err
}
