package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// fieldClaims are the field cases that claims of work have to answer.
func fieldClaims(t *testing.T, fresh Make) {
	t.Run("FC-404 recovery adopts nothing that is alive", recoveryAdoptsNothing(fresh))
	t.Run("FC-407 nothing is handed out early, and a late handler changes nothing", nothingEarly(fresh))
	t.Run("FC-510 eight claimers, ten thousand items: each once per due time", eachOnce(fresh))
}

// recoveryAdoptsNothing: two servers sweep one database while a permit is live and another operation is ready; one of
// them is held up and continues from what it saw before.
func recoveryAdoptsNothing(fresh Make) func(t *testing.T) {
	return func(t *testing.T) {
		b := open(t, fresh)
		servers := b.servers(t, 2)
		alive := create(t, b.engine, tenant, "op_alive", func(o *ledger.Operation) {
			queued(o)
			o.State, o.Live = ledger.Dispatched, 1
			o.Attempts = []ledger.Attempt{{ID: "att_1", Number: 1, GrantedAt: o.CreatedAt, Deadline: o.CreatedAt.Add(10 * time.Minute), Verdict: ledger.VerdictOpen}}
		})
		o := create(t, b.engine, tenant, "op_ready", queued)
		queue := workOf(t, o, "").Queue
		handed := sweep(t, servers, queue)
		if len(handed) != 1 || handed[0].OperationID != o.ID {
			t.Fatalf("two sweeps at once got %+v, want %s once", handed, o.ID)
		}
		heldUp := handed[0]
		b.advance(hold + time.Second)
		late := claimWork(t, b.engine, queue, "other", 10)
		same(t, "taken over", workIDs(late), []ledger.OperationID{o.ID})
		ended := update(t, b.engine, o, func(o *ledger.Operation) { o.State = ledger.CompletedNoop })
		releaseWork(t, servers[1], heldUp, 0)
		if now := get(t, servers[1], o); now.Version == heldUp.Stamp {
			t.Fatal("the one that was held up cannot tell that its item is another by now")
		}
		same(t, "the item", get(t, b.engine, o), ended)
		same(t, "work", sweep(t, servers, queue), []ledger.Work(nil))
		same(t, "due", claimDue(t, b.engine, "c1", 10), []ledger.Due(nil))
		b.advance(10 * time.Minute)
		due := claimDue(t, b.engine, "c1", 10)
		if len(due) != 1 || due[0].OperationID != alive.ID || due[0].Kind != ledger.DuePermitEnds {
			t.Fatalf("at the permit's deadline %+v is due", due)
		}
	}
}

// nothingEarly: a retry in six hours and claims of a minute, a claimer that dies, a hundred that poll, and a handler that
// outlives its claim.
func nothingEarly(fresh Make) func(t *testing.T) {
	return func(t *testing.T) {
		b := open(t, fresh)
		servers := b.servers(t, 2)
		o := create(t, b.engine, tenant, "op_1", func(o *ledger.Operation) {
			queued(o)
			o.State, o.RetryAt = ledger.FailedRetryable, o.CreatedAt.Add(6*time.Hour)
			o.Terms.RetryMaxAge = 48 * time.Hour
		})
		queue := workOf(t, o, "").Queue
		for _, until := range []time.Duration{time.Hour, 4*time.Hour + 59*time.Minute, time.Minute} { // until a minute before it is due, and then until it is
			if got := sweepBy(t, servers, queue, 100); len(got) > 0 {
				t.Fatalf("%s before its next look: %+v", until, got)
			}
			b.advance(until)
		}
		dead := sweepBy(t, servers, queue, 100)
		if len(dead) != 1 {
			t.Fatalf("when it was due %d claimers got it", len(dead))
		}
		if got := sweepBy(t, servers, queue, 100); len(got) > 0 {
			t.Fatalf("while it was claimed: %+v", got)
		}
		b.advance(hold + time.Second)
		again := sweepBy(t, servers, queue, 100)
		if len(again) != 1 || again[0].Stamp != dead[0].Stamp {
			t.Fatalf("after the claim: %+v", again)
		}
		changed := update(t, b.engine, o, func(o *ledger.Operation) { o.RetryAt = o.UpdatedAt.Add(6 * time.Hour) })
		releaseWork(t, b.engine, dead[0], 0)
		releaseWork(t, b.engine, again[0], 0)
		err := try(t.Context(), b.engine, []ledger.Read{readOf(o)}, func(v *ledger.View) *ledger.Changes {
			return &ledger.Changes{Operations: []*ledger.Operation{next(o, v.Now, nil)}}
		})
		if err == nil {
			t.Fatal("the late handler's save was taken")
		}
		same(t, "the operation", get(t, b.engine, o), changed)
		if got := sweepBy(t, servers, queue, 100); len(got) > 0 {
			t.Fatalf("the late handler made it ready: %+v", got)
		}
	}
}

// eachOnce: a lock that ended between the choice of an item and its mark would let two claimers have it. The mark is one
// statement, so that no pause can come between; what is left is to see that whoever claims beside it gets other items.
func eachOnce(fresh Make) func(t *testing.T) {
	return func(t *testing.T) {
		b := open(t, fresh)
		const claimers, batch, long = 8, 250, 6 * time.Hour
		items := 10_000
		if underRace {
			items = 2_000
		}
		queue := createQueued(t, b.engine, items, time.Hour)
		create(t, b.engine, tenant, "op_later", func(o *ledger.Operation) { queued(o); o.CheckAt = o.CreatedAt.Add(48 * time.Hour) })
		for first := 0; first < items; first += 500 {
			var list []ledger.Record
			for i := range 500 {
				list = append(list, notice(t, b.engine, fmt.Sprint("ntc_", first+i), time.Hour))
			}
			saveRecords(t, b.engine, list...)
		}
		servers := b.servers(t, 4)
		b.advance(61 * time.Minute)
		depth := queues(t, b.engine, ledger.WorkQuery{})
		if len(depth) != 1 || depth[0].Waiting != int64(min(items+1, rows.MaxDepth)) || depth[0].Ready != int64(items) {
			t.Fatalf("depth %+v", depth)
		}
		for range 2 { // and once more, when the claims have run out
			for what, claim := range map[string]func(e ledger.Engine, claimer string) ([]string, error){
				"work": func(e ledger.Engine, claimer string) ([]string, error) {
					list, err := e.ClaimWork(t.Context(), queue, claimer, batch, long)
					return names(list, func(w ledger.Work) string { return string(w.OperationID) }), err
				},
				"due work": func(e ledger.Engine, claimer string) ([]string, error) {
					list, err := e.ClaimDue(t.Context(), claimer, batch, long)
					return names(list, func(d ledger.Due) string { return string(d.OperationID) }), err
				},
				"records": func(e ledger.Engine, claimer string) ([]string, error) {
					list, err := e.ClaimDueRecords(t.Context(), ledger.RecordNotice, claimer, batch, long)
					return names(list, func(k ledger.RecordKey) string { return k.ID }), err
				},
			} {
				handed := claimAll(t, servers, claimers, claim)
				for name, n := range handed {
					if n != 1 {
						t.Errorf("%s: %s was handed out %d times", what, name, n)
					}
				}
				if want := items + map[string]int{"due work": 1}[what]; len(handed) != want {
					t.Errorf("%s: %d items were handed out of %d", what, len(handed), want)
				}
			}
			b.advance(long)
		}
	}
}

// claimAll lets claimers claim side by side, each until it finds nothing, and counts how often each item was handed out.
func claimAll(t *testing.T, servers []ledger.Engine, claimers int, claim func(e ledger.Engine, claimer string) ([]string, error)) map[string]int {
	t.Helper()
	var mutex sync.Mutex
	handed := map[string]int{}
	var wait sync.WaitGroup
	for i := range claimers {
		wait.Go(func() {
			for {
				list, err := claim(servers[i%len(servers)], fmt.Sprint("c", i))
				if err != nil {
					t.Errorf("claimer %d: %v", i, err)
				}
				if len(list) == 0 {
					return
				}
				mutex.Lock()
				for _, name := range list {
					handed[name]++
				}
				mutex.Unlock()
			}
		})
	}
	wait.Wait()
	return handed
}

// sweep claims at each server at once and answers all that was handed out.
func sweep(t *testing.T, servers []ledger.Engine, queue ledger.Queue) []ledger.Work {
	t.Helper()
	return sweepBy(t, servers, queue, len(servers))
}

func sweepBy(t *testing.T, servers []ledger.Engine, queue ledger.Queue, claimers int) (handed []ledger.Work) {
	t.Helper()
	var mutex sync.Mutex
	var wait sync.WaitGroup
	for i := range claimers {
		wait.Go(func() {
			list, err := servers[i%len(servers)].ClaimWork(t.Context(), queue, fmt.Sprint("c", i), 10, hold)
			if err != nil {
				t.Errorf("claimer %d: %v", i, err)
			}
			mutex.Lock()
			handed = append(handed, list...)
			mutex.Unlock()
		})
	}
	wait.Wait()
	return handed
}

// names are the names of items.
func names[T any](list []T, of func(T) string) []string {
	var all []string
	for _, item := range list {
		all = append(all, of(item))
	}
	return all
}
