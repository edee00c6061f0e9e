package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

func dueRecords(t *testing.T, fresh Make) {
	t.Run("a record is handed out when it is due, once, and again when the claim ran out", func(t *testing.T) {
		b := open(t, fresh)
		n := notice(t, b.engine, "ntc_1", time.Hour)
		saveRecords(t, b.engine, n, notice(t, b.engine, "ntc_done", 0))
		none := []ledger.RecordKey(nil)
		same(t, "too early", claimNotices(t, b.engine, "c1", 10), none)
		b.advance(2 * time.Hour)
		same(t, "due", claimNotices(t, b.engine, "c1", 10), []ledger.RecordKey{n.Key()})
		same(t, "claimed", claimNotices(t, b.engine, "c2", 10), none)
		b.advance(hold + time.Second)
		same(t, "after the claim", claimNotices(t, b.engine, "c2", 10), []ledger.RecordKey{n.Key()})
	})
	t.Run("a claim changes nothing of the record", func(t *testing.T) {
		b := open(t, fresh)
		n := notice(t, b.engine, "ntc_1", 0)
		n.NextAt = n.At
		saveRecords(t, b.engine, n)
		claimNotices(t, b.engine, "c1", 10)
		same(t, "record", getRecord(t, b.engine, n.Key()), ledger.Record(n))
	})
	t.Run("a change moves the work and takes it out of a claimer's hands", func(t *testing.T) {
		b := open(t, fresh)
		n := notice(t, b.engine, "ntc_1", time.Hour)
		saveRecords(t, b.engine, n)
		b.advance(2 * time.Hour)
		claimNotices(t, b.engine, "c1", 10)
		later := *n
		later.Version, later.NextAt = 2, n.NextAt.Add(2*time.Hour)
		saveRecords(t, b.engine, &later)
		same(t, "moved", claimNotices(t, b.engine, "c2", 10), []ledger.RecordKey(nil))
		b.advance(2 * time.Hour)
		same(t, "due again", claimNotices(t, b.engine, "c2", 10), []ledger.RecordKey{n.Key()})
		done := later
		done.Version, done.NextAt = 3, time.Time{}
		saveRecords(t, b.engine, &done)
		b.advance(48 * time.Hour)
		same(t, "done", claimNotices(t, b.engine, "c2", 10), []ledger.RecordKey(nil))
	})
	t.Run("a limit is kept and the rest follows", func(t *testing.T) {
		b := open(t, fresh)
		for i := range 5 {
			saveRecords(t, b.engine, notice(t, b.engine, fmt.Sprint("ntc_", i), time.Hour))
		}
		b.advance(2 * time.Hour)
		for _, want := range []int{2, 2, 1, 0} {
			if got := claimNotices(t, b.engine, "c1", 2); len(got) != want {
				t.Fatalf("got %d, want %d", len(got), want)
			}
		}
		same(t, "none asked for", claimNotices(t, b.engine, "c1", 0), []ledger.RecordKey(nil))
	})
	t.Run("a kind without due work is an error", func(t *testing.T) {
		b := open(t, fresh)
		if _, err := b.engine.ClaimDueRecords(t.Context(), ledger.RecordLease, "c1", 1, hold); err == nil {
			t.Fatal("leases were claimed")
		}
	})
	t.Run("six claimers hand out each record once", func(t *testing.T) {
		b := open(t, fresh)
		const items = 200
		var list []ledger.Record
		for i := range items {
			list = append(list, notice(t, b.engine, fmt.Sprint("ntc_", i), time.Hour))
		}
		saveRecords(t, b.engine, list...)
		b.advance(2 * time.Hour)
		engines := b.servers(t, 3)
		var mutex sync.Mutex
		handed := map[ledger.RecordKey]int{}
		var wait sync.WaitGroup
		for i := range 6 {
			wait.Go(func() {
				for {
					due, err := engines[i%len(engines)].ClaimDueRecords(t.Context(), ledger.RecordNotice, fmt.Sprint("c", i), 7, hold)
					if err != nil {
						t.Errorf("claimer %d: %v", i, err)
						return
					}
					mutex.Lock()
					for _, key := range due {
						handed[key]++
					}
					done := len(handed) == items
					mutex.Unlock()
					if done {
						return
					}
				}
			})
		}
		wait.Wait()
		for key, n := range handed {
			if n != 1 {
				t.Errorf("%s was handed out %d times", key.ID, n)
			}
		}
	})
}

// notice is a notice that is due after a while; zero: never.
func notice(t *testing.T, e ledger.Engine, id string, after time.Duration) *ledger.Notice {
	t.Helper()
	now, err := e.Time(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := &ledger.Notice{NoticeKind: ledger.NoticeIncident, At: now}
	n.Namespace, n.ID, n.Version = tenant, id, 1
	if after > 0 {
		n.NextAt = now.Add(after)
	}
	return n
}

func claimNotices(t *testing.T, e ledger.Engine, claimer string, limit int) []ledger.RecordKey {
	t.Helper()
	keys, err := e.ClaimDueRecords(t.Context(), ledger.RecordNotice, claimer, limit, hold)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}
