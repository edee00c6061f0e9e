package litestore

import (
	"sync/atomic"
	"time"

	"github.com/opledger/opledger/ledger/retry"
)

// Option changes how a store is opened.
type Option func(*options)

type options struct {
	clock   func() time.Time
	offset  *atomic.Int64
	retries retry.Policy
	migrate bool
}

func newOptions(list []Option) options {
	o := options{clock: time.Now, offset: &atomic.Int64{}, retries: retry.Default, migrate: true}
	for _, apply := range list {
		apply(&o)
	}
	return o
}

// WithClock replaces the process's clock, which is the database's clock here.
func WithClock(clock func() time.Time) Option { return func(o *options) { o.clock = clock } }

// WithTimeOffset adds nanoseconds to every reading of the clock. It is for tests, which move time instead of waiting.
func WithTimeOffset(nanoseconds *atomic.Int64) Option {
	return func(o *options) { o.offset = nanoseconds }
}

// WithOnRetry tells why a transaction is tried again, for metrics.
func WithOnRetry(told func(reason string)) Option {
	return func(o *options) { o.retries.OnRetry = told }
}

// WithoutMigration opens the file only where its schema is this program's already.
func WithoutMigration() Option { return func(o *options) { o.migrate = false } }
