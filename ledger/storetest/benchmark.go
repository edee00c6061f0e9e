package storetest

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

// Benchmark measures units at several concurrencies: a unit is a proposal that gets its permit and the report of its
// success, each acknowledged as durable. Beside the time it tells the retries of transactions per unit: R, which rises
// before anything else does when transactions get into each other's way.
func Benchmark(b *testing.B, open func(b *testing.B, onRetry func(string)) ledger.Engine) {
	for _, callers := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			var retries, unit atomic.Int64
			l := transact.New(open(b, func(string) { retries.Add(1) }), transact.Options{})
			defer l.Close()
			b.SetParallelism(max(1, callers/runtime.GOMAXPROCS(0))) // the testing package multiplies
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := oneUnit(b, l, unit.Add(1)); err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "units/s")
			b.ReportMetric(float64(retries.Load())/float64(b.N), "R")
		})
	}
}

func oneUnit(b *testing.B, l *transact.Ledger, n int64) error {
	propose := Proposal(fmt.Sprintf("key-%d", n), int(n))
	propose.Terms.Group = ""
	reply, err := l.Do(b.Context(), propose)
	if err != nil {
		return err
	}
	answer := reply.(*ledger.Answer)
	if answer.Permit == nil {
		return fmt.Errorf("unit %d got no permit: %s", n, answer.Because)
	}
	_, err = l.Do(b.Context(), &ledger.Report{
		Bearer:   ledger.Bearer{Namespace: tenant, Principal: "agent", OperationID: answer.Operation.ID, AttemptID: answer.Permit.Attempt.ID, TokenProven: true},
		ReportID: ledger.EvidenceID(fmt.Sprintf("ev_%d", n)), SenderReturned: true, Outcome: ledger.OutcomeSucceeded,
	})
	return err
}
