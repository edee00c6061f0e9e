package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// hold is how long the suite claims due work.
const hold = time.Minute

func dueWork(t *testing.T, fresh Make) {
	t.Run("work is handed out when it is due, once, with its stamp", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		same(t, "too early", claimDue(t, b.engine, "c1", 10), []ledger.Due(nil))
		b.advance(2 * time.Hour)
		want := ledger.Due{Namespace: tenant, OperationID: o.ID, At: o.CreatedAt.Add(time.Hour), Kind: ledger.DueExpiry, Stamp: 1, Claimer: "c1"}
		same(t, "due", claimDue(t, b.engine, "c1", 10), []ledger.Due{want})
		same(t, "claimed", claimDue(t, b.engine, "c2", 10), []ledger.Due(nil))
	})
	t.Run("a claim that ran out is handed out again", func(t *testing.T) {
		b := open(t, fresh)
		create(t, b.engine, tenant, "op_1", nil)
		b.advance(2 * time.Hour)
		first := claimDue(t, b.engine, "c1", 10)
		b.advance(hold + time.Second)
		first[0].Claimer = "c2"
		same(t, "after the claim", claimDue(t, b.engine, "c2", 10), first)
	})
	t.Run("a claim given back waits as long as was asked", func(t *testing.T) {
		b := open(t, fresh)
		create(t, b.engine, tenant, "op_1", nil)
		b.advance(2 * time.Hour)
		first := claimDue(t, b.engine, "c1", 10)
		release(t, b.engine, first[0], 10*time.Second)
		same(t, "during the pause", claimDue(t, b.engine, "c1", 10), []ledger.Due(nil))
		b.advance(11 * time.Second)
		same(t, "after the pause", claimDue(t, b.engine, "c1", 10), first)
		release(t, b.engine, first[0], 0)
		first[0].Claimer = "c2"
		same(t, "given back at once", claimDue(t, b.engine, "c2", 10), first)
	})
	t.Run("a claim that ran out cannot be given back while another holds the work", func(t *testing.T) {
		b := open(t, fresh)
		create(t, b.engine, tenant, "op_1", nil)
		b.advance(2 * time.Hour)
		stale := claimDue(t, b.engine, "c1", 10)[0]
		b.advance(hold + time.Second)
		held := claimDue(t, b.engine, "c2", 10)[0]
		release(t, b.engine, stale, 0)
		same(t, "the other's claim stands", claimDue(t, b.engine, "c3", 10), []ledger.Due(nil))
		release(t, b.engine, held, 0)
		if got := claimDue(t, b.engine, "c3", 10); len(got) != 1 {
			t.Fatalf("given back by its holder, and %v is due", got)
		}
	})
	t.Run("a change moves the work, and a stale release does not touch it", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		b.advance(2 * time.Hour)
		stale := claimDue(t, b.engine, "c1", 10)[0]
		o = update(t, b.engine, o, func(o *ledger.Operation) { o.State, o.StateSince = ledger.UnknownOutcome, o.UpdatedAt })
		release(t, b.engine, stale, 48*time.Hour)
		b.advance(2 * time.Hour)
		want := ledger.Due{Namespace: tenant, OperationID: o.ID, At: o.StateSince.Add(time.Hour), Kind: ledger.DueHuman, Stamp: 2, Claimer: "c1"}
		same(t, "moved", claimDue(t, b.engine, "c1", 10), []ledger.Due{want})
	})
	t.Run("a change takes the work out of a claimer's hands", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		b.advance(2 * time.Hour)
		claimDue(t, b.engine, "c1", 10)
		update(t, b.engine, o, nil)
		if got := claimDue(t, b.engine, "c2", 10); len(got) != 1 || got[0].Stamp != 2 {
			t.Fatalf("got %v, want the work with stamp 2", got)
		}
	})
	t.Run("an ended operation has no work", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", nil)
		update(t, b.engine, o, func(o *ledger.Operation) { o.State = ledger.CompletedNoop })
		b.advance(48 * time.Hour)
		same(t, "due", claimDue(t, b.engine, "c1", 10), []ledger.Due(nil))
	})
	t.Run("a limit is kept and the rest follows", func(t *testing.T) {
		b := open(t, fresh)
		for i := range 5 {
			create(t, b.engine, tenant, fmt.Sprintf("op_%d", i), nil)
		}
		b.advance(2 * time.Hour)
		for _, want := range []int{2, 2, 1, 0} {
			if got := claimDue(t, b.engine, "c1", 2); len(got) != want {
				t.Fatalf("got %d, want %d", len(got), want)
			}
		}
	})
	t.Run("eight claimers hand out each item once", func(t *testing.T) {
		b := open(t, fresh)
		const items = 400
		step(t, b.engine, nil, func(v *ledger.View) *ledger.Changes {
			c := &ledger.Changes{Created: map[ledger.OperationKey]bool{}}
			for i := range items {
				o := operation(tenant, fmt.Sprintf("op_%d", i), v.Now)
				c.Operations, c.Created[o.RowKey()] = append(c.Operations, o), true
			}
			return c
		})
		b.advance(2 * time.Hour)
		engines := b.servers(t, 4)
		var mutex sync.Mutex
		handed := map[ledger.OperationID]int{}
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				for {
					due, err := engines[i%len(engines)].ClaimDue(t.Context(), fmt.Sprintf("c%d", i), 7, hold)
					if err != nil {
						t.Errorf("claimer %d: %v", i, err)
						return
					}
					mutex.Lock()
					for _, d := range due {
						handed[d.OperationID]++
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
		for id, n := range handed {
			if n != 1 {
				t.Errorf("%s was handed out %d times", id, n)
			}
		}
	})
}

func claimDue(t *testing.T, e ledger.Engine, claimer string, limit int) []ledger.Due {
	t.Helper()
	due, err := e.ClaimDue(t.Context(), claimer, limit, hold)
	if err != nil {
		t.Fatal(err)
	}
	return due
}

func release(t *testing.T, e ledger.Engine, due ledger.Due, retryAfter time.Duration) {
	t.Helper()
	if err := e.ReleaseDue(t.Context(), due, retryAfter); err != nil {
		t.Fatal(err)
	}
}
