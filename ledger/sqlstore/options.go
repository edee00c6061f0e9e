package sqlstore

import (
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger/retry"
)

// The defaults of what options change.
const (
	// DefaultTransactionLimit bounds one try of one transaction. On CockroachDB it is also how long Barrier waits.
	DefaultTransactionLimit = 10 * time.Second
	// DefaultClockError is by how much two nodes of a CockroachDB cluster may disagree: its --max-offset by default.
	DefaultClockError = 500 * time.Millisecond
	// DefaultConnections suits two writers and the readers beside them.
	DefaultConnections = 16
)

// Option changes how a store is opened.
type Option func(*options)

type options struct {
	offset           *atomic.Int64
	retries          retry.Policy
	migrate          bool
	execMode         *pgx.QueryExecMode
	transactionLimit time.Duration
	clockError       time.Duration
}

func newOptions(list []Option) options {
	o := options{
		offset: &atomic.Int64{}, retries: retry.Default, migrate: true,
		transactionLimit: DefaultTransactionLimit, clockError: DefaultClockError,
	}
	for _, apply := range list {
		apply(&o)
	}
	return o
}

// WithTimeOffset adds nanoseconds to every reading of the database's clock. It is for tests, which move time instead of
// waiting.
func WithTimeOffset(nanoseconds *atomic.Int64) Option {
	return func(o *options) { o.offset = nanoseconds }
}

// WithOnRetry tells why a transaction is tried again: an SQLSTATE, "connection", "lost_write", "commit_unknown".
func WithOnRetry(told func(reason string)) Option {
	return func(o *options) { o.retries.OnRetry = told }
}

// WithRetries replaces the bounds of a transaction's tries.
func WithRetries(policy retry.Policy) Option {
	return func(o *options) {
		if policy.OnRetry == nil {
			policy.OnRetry = o.retries.OnRetry
		}
		o.retries = policy
	}
}

// WithoutMigration opens the database only where its schema is this program's already.
func WithoutMigration() Option { return func(o *options) { o.migrate = false } }

// WithExecMode says how statements are sent. Behind a pooler that gives each transaction another connection, and that
// does not carry prepared statements over, it must be pgx.QueryExecModeCacheDescribe or pgx.QueryExecModeExec. The URL
// parameter default_query_exec_mode does the same.
func WithExecMode(mode pgx.QueryExecMode) Option {
	return func(o *options) { o.execMode = &mode }
}

// WithTransactionLimit bounds one try of one transaction. Every server on one database must have the same.
func WithTransactionLimit(limit time.Duration) Option {
	return func(o *options) { o.transactionLimit = limit }
}

// WithClockError states the CockroachDB cluster's --max-offset, where it is not the default. PostgreSQL has one clock.
func WithClockError(bound time.Duration) Option {
	return func(o *options) { o.clockError = bound }
}
