// Package sqlstore keeps the ledger in PostgreSQL or CockroachDB, by one code path. Every transaction is SERIALIZABLE and
// is tried again as a whole; nothing relies on a session, so that a pooler may stand in between.
package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/migrate"
	"github.com/opledger/opledger/ledger/retry"
)

// Store is a ledger.Engine on a PostgreSQL or CockroachDB database.
type Store struct {
	options options
	pool    *pgxpool.Pool
	cluster bool // CockroachDB
	// namespaces are those whose row is known to exist: a set that only grows.
	namespaces sync.Map
	// firstShard moves by one with each claim of due work.
	firstShard atomic.Uint64
}

var _ ledger.Engine = (*Store)(nil)

// Open connects to the database that the URL names and brings its schema up to date.
func Open(ctx context.Context, url string, list ...Option) (*Store, error) {
	s := &Store{options: newOptions(list)}
	config, err := s.configure(url)
	if err != nil {
		return nil, err
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, config); err != nil {
		s.pool.Close()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return s, nil
}

// configure reads the URL. What it says itself goes before our defaults.
func (s *Store) configure(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = DefaultConnections
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "opledger"
	}
	if s.options.execMode != nil {
		config.ConnConfig.DefaultQueryExecMode = *s.options.execMode
	}
	return config, nil
}

func (s *Store) prepare(ctx context.Context, config *pgxpool.Config) error {
	var version string
	err := s.read(ctx, func(ctx context.Context) error { return s.pool.QueryRow(ctx, selectVersion).Scan(&version) })
	if err != nil {
		return err
	}
	s.cluster = strings.HasPrefix(version, "CockroachDB")
	return withProvider(config.ConnConfig, func(p *provider) error {
		if s.options.migrate {
			_, err := migrate.Up(ctx, p)
			return err
		}
		return migrate.Check(ctx, p)
	})
}

// Close closes every connection, when those in use are given back.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}

// Name is "postgresql" or "cockroachdb".
func (s *Store) Name() string {
	if s.cluster {
		return "cockroachdb"
	}
	return "postgresql"
}

// ClockError is zero on PostgreSQL, which has one clock.
func (s *Store) ClockError() time.Duration {
	if s.cluster {
		return s.options.clockError
	}
	return 0
}

// Time is the database's time.
func (s *Store) Time(ctx context.Context) (now time.Time, err error) {
	err = s.read(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, selectNow).Scan(&now)
	})
	return s.shift(now), err
}

// shift is the database's time as the ledger sees it.
func (s *Store) shift(t time.Time) time.Time {
	return t.Add(time.Duration(s.options.offset.Load())).UTC().Truncate(time.Microsecond)
}

// offset is the same, for statements: microseconds to add to now().
func (s *Store) offset() int64 { return time.Duration(s.options.offset.Load()).Microseconds() }

// readRetries bounds the tries of a query: enough for a connection that had died in the pool, or a server that is being
// replaced, and no more, since somebody waits.
var readRetries = retry.Policy{Tries: 5, Elapsed: 3 * time.Second, FirstDelay: 5 * time.Millisecond, MaxDelay: 200 * time.Millisecond}

// read runs a query that may be repeated at will. The query must build everything that it hands out anew in each try.
func (s *Store) read(ctx context.Context, query func(ctx context.Context) error) error {
	return readRetries.Run(ctx, func(ctx context.Context) retry.Result { return judge(query(ctx), during) })
}

// TokenKey keeps the first key that it is given and answers that one ever after.
func (s *Store) TokenKey(ctx context.Context, fresh []byte) (key []byte, err error) {
	if len(fresh) == 0 {
		return nil, errors.New("an empty token key is no key")
	}
	err = s.read(ctx, func(ctx context.Context) error {
		if _, err := s.pool.Exec(ctx, insertKey, "token", fresh); err != nil {
			return err
		}
		return s.pool.QueryRow(ctx, selectKey, "token").Scan(&key)
	})
	return key, err
}
