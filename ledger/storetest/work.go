package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

func work(t *testing.T, fresh Make) {
	t.Run("work is handed out when it is ready, once, with its stamp", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", func(o *ledger.Operation) { queued(o); o.CheckAt = o.CreatedAt.Add(time.Hour) })
		want := workOf(t, o, "c1")
		same(t, "too early", claimWork(t, b.engine, want.Queue, "c1", 10), []ledger.Work(nil))
		b.advance(time.Hour)
		same(t, "ready", claimWork(t, b.engine, want.Queue, "c1", 10), []ledger.Work{want})
		same(t, "claimed", claimWork(t, b.engine, want.Queue, "c2", 10), []ledger.Work(nil))
	})
	t.Run("a claim that ran out is handed out again, and its first claimer cannot give it back", func(t *testing.T) {
		b := open(t, fresh)
		w := workOf(t, create(t, b.engine, tenant, "op_1", queued), "c1")
		stale := claimWork(t, b.engine, w.Queue, "c1", 10)[0]
		b.advance(hold + time.Second)
		held := claimWork(t, b.engine, w.Queue, "c2", 10)
		w.Claimer = "c2"
		same(t, "taken over", held, []ledger.Work{w})
		releaseWork(t, b.engine, stale, 0)
		same(t, "the other's claim stands", claimWork(t, b.engine, w.Queue, "c3", 10), []ledger.Work(nil))
		releaseWork(t, b.engine, held[0], 0)
		if got := claimWork(t, b.engine, w.Queue, "c3", 10); len(got) != 1 {
			t.Fatalf("given back by its holder, and %v is ready", got)
		}
	})
	t.Run("a claim given back waits as long as was asked", func(t *testing.T) {
		b := open(t, fresh)
		w := workOf(t, create(t, b.engine, tenant, "op_1", queued), "c1")
		first := claimWork(t, b.engine, w.Queue, "c1", 10)
		releaseWork(t, b.engine, first[0], 10*time.Second)
		same(t, "during the pause", claimWork(t, b.engine, w.Queue, "c1", 10), []ledger.Work(nil))
		b.advance(11 * time.Second)
		same(t, "after the pause", claimWork(t, b.engine, w.Queue, "c1", 10), first)
	})
	t.Run("what nobody holds cannot be given back, so that nobody makes it early or late", func(t *testing.T) {
		b := open(t, fresh)
		w := workOf(t, create(t, b.engine, tenant, "op_1", queued), "")
		releaseWork(t, b.engine, w, time.Hour)
		if got := claimWork(t, b.engine, w.Queue, "c1", 10); len(got) != 1 {
			t.Fatalf("%v is ready", got)
		}
	})
	t.Run("a change takes the work out of a claimer's hands, and a stale release does not touch it", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", queued)
		queue := workOf(t, o, "").Queue
		stale := claimWork(t, b.engine, queue, "c1", 10)[0]
		o = update(t, b.engine, o, func(o *ledger.Operation) { o.CheckAt = o.UpdatedAt.Add(time.Minute) })
		releaseWork(t, b.engine, stale, 0)
		same(t, "moved", claimWork(t, b.engine, queue, "c1", 10), []ledger.Work(nil))
		b.advance(time.Minute)
		same(t, "ready again", claimWork(t, b.engine, queue, "c1", 10), []ledger.Work{workOf(t, o, "c1")})
		stale.Claimer = "c1" // the same claimer holds it again, at another stamp
		releaseWork(t, b.engine, stale, 0)
		same(t, "a claim of an older stamp given back", claimWork(t, b.engine, queue, "c2", 10), []ledger.Work(nil))
	})
	t.Run("work moves to the queue of what is to be done next, and ends with it", func(t *testing.T) {
		b := open(t, fresh)
		o := create(t, b.engine, tenant, "op_1", queued)
		first := workOf(t, o, "c1").Queue
		o = update(t, b.engine, o, func(o *ledger.Operation) {
			o.State, o.FinishBy, o.Looking = ledger.Acknowledged, o.UpdatedAt.Add(time.Hour), &ledger.Looking{NextAt: o.UpdatedAt}
		})
		asked := workOf(t, o, "c1")
		if asked.Kind != ledger.WorkLookup || first.Kind != ledger.WorkDispatch {
			t.Fatalf("first %+v, then %+v", first, asked)
		}
		same(t, "the first queue", claimWork(t, b.engine, first, "c1", 10), []ledger.Work(nil))
		same(t, "the next queue", claimWork(t, b.engine, asked.Queue, "c1", 10), []ledger.Work{asked})
		update(t, b.engine, o, func(o *ledger.Operation) { o.State, o.Looking = ledger.CompletedSuccess, nil })
		b.advance(48 * time.Hour)
		same(t, "queues after its end", queues(t, b.engine, ledger.WorkQuery{}), []ledger.QueueDepth(nil))
	})
	t.Run("what its proposer carries out is no work, at its making and at its change", func(t *testing.T) {
		b := open(t, fresh)
		update(t, b.engine, create(t, b.engine, tenant, "op_1", nil), nil)
		same(t, "queues", queues(t, b.engine, ledger.WorkQuery{}), []ledger.QueueDepth(nil))
	})
	t.Run("a transaction that fails leaves no work", func(t *testing.T) {
		b := open(t, fresh)
		taken := create(t, b.engine, tenant, "op_1", nil)
		err := try(t.Context(), b.engine, nil, func(v *ledger.View) *ledger.Changes {
			o := operation(tenant, "op_2", v.Now)
			queued(o)
			c := creation(o)
			c.Claims = []ledger.Claim{keyClaim(tenant, string(taken.Key), 1, o.ID)}
			return c
		})
		if err == nil {
			t.Fatal("another's key was taken")
		}
		same(t, "queues", queues(t, b.engine, ledger.WorkQuery{}), []ledger.QueueDepth(nil))
	})
	t.Run("a provider that no index can hold is refused whole", func(t *testing.T) {
		b := open(t, fresh)
		for _, provider := range []string{"a\x00b", long(1000)} {
			err := try(t.Context(), b.engine, nil, func(v *ledger.View) *ledger.Changes {
				o := operation(tenant, "op_1", v.Now)
				queued(o)
				o.Terms.Provider = provider
				return creation(o)
			})
			if err == nil {
				t.Errorf("a provider of %d bytes was kept", len(provider))
			}
		}
		_, err := b.engine.GetOperation(t.Context(), tenant, "op_1")
		refused(t, "the operation", err, ledger.ErrNotFound)
		impossible := ledger.Queue{Namespace: tenant, Executor: registry.Worker, Tool: "a\x00b", Kind: ledger.WorkDispatch}
		same(t, "a queue that cannot be", claimWork(t, b.engine, impossible, "c1", 10), []ledger.Work(nil))
	})
	t.Run("the longest ready come first, and a limit is kept", func(t *testing.T) {
		b := open(t, fresh)
		var want []ledger.OperationID
		var queue ledger.Queue
		for i := range 5 {
			o := create(t, b.engine, tenant, fmt.Sprint("op_", 5-i), func(o *ledger.Operation) {
				queued(o)
				o.StateSince = o.CreatedAt.Add(time.Duration(i-10) * time.Minute)
			})
			want, queue = append(want, o.ID), workOf(t, o, "").Queue
		}
		for _, part := range [][]ledger.OperationID{want[:2], want[2:4], want[4:], nil} {
			same(t, "claimed", workIDs(claimWork(t, b.engine, queue, "c1", 2)), part)
		}
		same(t, "none asked for", claimWork(t, b.engine, queue, "c1", 0), []ledger.Work(nil))
	})
}

// queued makes an operation one that workers carry out.
func queued(o *ledger.Operation) { o.Terms.Executor, o.Terms.Provider = registry.Worker, "acquirer" }

// workOf is what the ledger says is to be done for an operation, as its claimer gets it.
func workOf(t *testing.T, o *ledger.Operation, claimer string) ledger.Work {
	t.Helper()
	w, some := ledger.WorkOf(o)
	if !some {
		t.Fatalf("nothing is to be done for %s", o.ID)
	}
	w.Claimer = claimer
	return w
}

func workIDs(list []ledger.Work) (ids []ledger.OperationID) {
	for _, w := range list {
		ids = append(ids, w.OperationID)
	}
	return ids
}

func claimWork(t *testing.T, e ledger.Engine, queue ledger.Queue, claimer string, limit int) []ledger.Work {
	t.Helper()
	list, err := e.ClaimWork(t.Context(), queue, claimer, limit, hold)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func releaseWork(t *testing.T, e ledger.Engine, w ledger.Work, retryAfter time.Duration) {
	t.Helper()
	if err := e.ReleaseWork(t.Context(), w, retryAfter); err != nil {
		t.Fatal(err)
	}
}

func queues(t *testing.T, e ledger.Engine, q ledger.WorkQuery) []ledger.QueueDepth {
	t.Helper()
	list, err := e.WorkQueues(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
