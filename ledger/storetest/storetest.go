// Package storetest is the conformance suite of the ledger's engines. Every behaviour that the ledger relies on is tested
// here, once, and run against each engine by a test of a few lines in its package.
package storetest

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// Database is one empty database.
type Database interface {
	// Open opens the database. The suite closes what it opens.
	Open(t *testing.T, options Options) ledger.Engine
	// Shared reports whether several engines may have the database open at once, as several servers do.
	Shared() bool
}

// Options are what the suite asks of an engine that it opens.
type Options struct {
	Offset  *atomic.Int64 // nanoseconds, added to the engine's time
	OnRetry func(reason string)
}

// Make makes an empty database, gone at the test's end.
type Make func(t *testing.T) Database

// Run runs the whole suite.
func Run(t *testing.T, fresh Make) {
	topics := []struct {
		name string
		test func(t *testing.T, fresh Make)
	}{
		{"Claims", claims},
		{"Operations", operations},
		{"Events", events},
		{"Decisions", decisions},
		{"Scopes", scopes},
		{"Records", records},
		{"RecordLists", recordLists},
		{"DueRecords", dueRecords},
		{"RuleFigures", ruleFigures},
		{"DueWork", dueWork},
		{"Work", work},
		{"WorkQueues", workQueues},
		{"FieldClaims", fieldClaims},
		{"Tools", tools},
		{"Configuration", configuration},
		{"Barrier", barrier},
		{"Queries", queries},
		{"Stats", stats},
		{"LeaseStats", leaseStats},
		{"Time", timeOffset},
		{"Atomicity", atomicity},
		{"Reopening", reopening},
		{"Commands", commands},
		{"Contention", contention},
		{"Leases", leases},
		{"Limits", limits},
		{"Windows", windows},
		{"Approvals", approvals},
		{"Workflows", workflows},
		{"Compensation", compensation},
	}
	for _, topic := range topics {
		t.Run(topic.name, func(t *testing.T) { topic.test(t, fresh) })
	}
}

// bench is one database with one engine on it, and the clock that moves it.
type bench struct {
	database Database
	engine   ledger.Engine
	offset   *atomic.Int64
	retries  *atomic.Int64
}

func open(t *testing.T, fresh Make) *bench {
	t.Helper()
	b := &bench{database: fresh(t), offset: &atomic.Int64{}, retries: &atomic.Int64{}}
	b.engine = b.another(t)
	t.Cleanup(func() {
		if err := b.engine.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

// another opens the database without having it closed.
func (b *bench) another(t *testing.T) ledger.Engine {
	return b.database.Open(t, Options{Offset: b.offset, OnRetry: func(string) { b.retries.Add(1) }})
}

// servers answers n engines: as many on the database where it can be shared, else one engine n times, as several server
// objects on one store.
func (b *bench) servers(t *testing.T, n int) []ledger.Engine {
	t.Helper()
	engines := []ledger.Engine{b.engine}
	for len(engines) < n {
		if !b.database.Shared() {
			engines = append(engines, b.engine)
			continue
		}
		e := b.another(t)
		t.Cleanup(func() {
			if err := e.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
		engines = append(engines, e)
	}
	return engines
}

// advance moves the engine's time.
func (b *bench) advance(d time.Duration) { b.offset.Add(int64(d)) }
