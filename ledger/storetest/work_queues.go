package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
	"github.com/opledger/opledger/registry"
)

func workQueues(t *testing.T, fresh Make) {
	t.Run("an empty ledger has no queues", func(t *testing.T) {
		b := open(t, fresh)
		for _, q := range []ledger.WorkQuery{{}, {Ready: true}, {Executor: registry.Worker, Namespace: tenant, Tools: []string{"a"}}} {
			same(t, fmt.Sprintf("%+v", q), queues(t, b.engine, q), []ledger.QueueDepth(nil))
		}
	})
	t.Run("executor, namespace, tool, kind and provider tell queues apart", func(t *testing.T) {
		b := open(t, fresh)
		all := differentQueues(t, b)
		var want []ledger.Queue
		for _, q := range all {
			want = append(want, q.Queue)
		}
		b.advance(time.Hour)
		same(t, "queues", queuesOf(queues(t, b.engine, ledger.WorkQuery{})), want)
		for _, q := range all {
			got := claimWork(t, b.engine, q.Queue, "c1", 10)
			if len(got) != 1 || got[0].Queue != q.Queue {
				t.Errorf("%+v gave %+v", q.Queue, got)
			}
		}
	})
	t.Run("every filter restricts, alone and with others", func(t *testing.T) {
		b := open(t, fresh)
		all := differentQueues(t, b)
		b.advance(30 * time.Minute) // half of them are ready
		for name, q := range map[string]ledger.WorkQuery{
			"none": {}, "workers": {Executor: registry.Worker}, "the server": {Executor: registry.ServerHTTP}, "nobody": {Executor: registry.Inline},
			"beyond all": {Executor: "zzz"}, "namespace": {Namespace: tenant}, "another": {Namespace: other}, "an unknown one": {Namespace: "tenant-aa"},
			"executor and namespace": {Executor: registry.Worker, Namespace: other}, "the first executor's last": {Executor: registry.ServerHTTP, Namespace: "zzz"},
			"tool": {Tools: []string{"b.tool"}}, "tools": {Tools: []string{"b.tool", "a.tool", "x\x00"}}, "an unknown tool": {Tools: []string{"c"}}, "an impossible tool": {Tools: []string{"x\x00"}},
			"all filters": {Executor: registry.Worker, Namespace: tenant, Tools: []string{"a.tool"}}, "tools in a namespace": {Executor: registry.ServerHTTP, Namespace: other, Tools: []string{"b.tool", "a.tool", "b.tool", "", "a"}},
			"an unknown tool in a namespace": {Executor: registry.Worker, Namespace: tenant, Tools: []string{"a.toolbox", "zzz"}}, "no tool": {Executor: registry.Worker, Namespace: tenant, Tools: []string{""}}, "impossible": {Namespace: "a\x00"},
		} {
			for _, q.Ready = range []bool{false, true} {
				var want []ledger.Queue
				for _, have := range all {
					if suits(q, have.Queue) && (!q.Ready || have.Ready > 0) {
						want = append(want, have.Queue)
					}
				}
				same(t, fmt.Sprintf("%s, ready %t", name, q.Ready), queuesOf(queues(t, b.engine, q)), want)
			}
		}
	})
	t.Run("what waits, what is ready and since when are told", func(t *testing.T) {
		b := open(t, fresh)
		var all []*ledger.Operation
		for i := range 3 { // ready at once, in 10 minutes and in 20
			all = append(all, create(t, b.engine, tenant, fmt.Sprint("op_", i), func(o *ledger.Operation) {
				queued(o)
				o.CheckAt = o.CreatedAt.Add(time.Duration(i) * 10 * time.Minute)
			}))
		}
		queue := workOf(t, all[0], "").Queue
		expect := func(what string, waiting, ready int64, oldest time.Time) {
			t.Helper()
			same(t, what, queues(t, b.engine, ledger.WorkQuery{}), []ledger.QueueDepth{{Queue: queue, Waiting: waiting, Ready: ready, Oldest: oldest}})
		}
		b.advance(time.Minute)
		expect("at first", 3, 1, workOf(t, all[0], "").At)
		claimed := claimWork(t, b.engine, queue, "c1", 1)[0]
		expect("claimed", 3, 0, time.Time{})
		same(t, "ready queues", queues(t, b.engine, ledger.WorkQuery{Ready: true}), []ledger.QueueDepth(nil))
		b.advance(10 * time.Minute)
		releaseWork(t, b.engine, claimed, time.Hour)
		expect("the first paused, the second ready", 3, 1, workOf(t, all[1], "").At)
		update(t, b.engine, all[1], func(o *ledger.Operation) { o.State = ledger.CompletedNoop })
		expect("the second ended", 2, 0, time.Time{})
	})
	t.Run("what is counted is bounded", func(t *testing.T) {
		b := open(t, fresh)
		const items = rows.MaxDepthSeen + 20
		queue := createQueued(t, b.engine, items, 0)
		for _, c := range []struct {
			query ledger.WorkQuery
			want  int64
		}{{ledger.WorkQuery{}, items}, {ledger.WorkQuery{Ready: true}, rows.MaxDepthSeen}} {
			got := queues(t, b.engine, c.query)
			if len(got) != 1 || got[0].Queue != queue || got[0].Waiting != c.want || got[0].Ready != c.want {
				t.Errorf("%+v: %+v, want %d", c.query, got, c.want)
			}
		}
	})
}

// differentQueues makes an operation in each of several queues that differ in one part from another, in the order of
// queues. Every second one is ready at once, the others in an hour.
func differentQueues(t *testing.T, b *bench) (all []ledger.QueueDepth) {
	t.Helper()
	for _, executor := range []registry.Executor{registry.ServerHTTP, registry.Worker} {
		for _, ns := range []ledger.Namespace{tenant, other} {
			for _, tool := range []string{"a.tool", "b.tool"} {
				for _, kind := range []ledger.WorkKind{ledger.WorkDispatch, ledger.WorkLookup} {
					for _, provider := range []string{"", "acquirer", "acquirer/eu"} {
						var ready int64
						o := create(t, b.engine, ns, fmt.Sprint("op_", len(all)), func(o *ledger.Operation) {
							o.Tool, o.Terms.Executor, o.Terms.Provider = tool, executor, provider
							at := o.CreatedAt.Add(time.Hour)
							if len(all)%2 == 0 {
								at, ready = o.CreatedAt, 1
							}
							o.CheckAt = at
							if kind == ledger.WorkLookup {
								o.State, o.Looking = ledger.Acknowledged, &ledger.Looking{NextAt: at}
							}
						})
						all = append(all, ledger.QueueDepth{Queue: workOf(t, o, "").Queue, Ready: ready})
					}
				}
			}
		}
	}
	if all[0].Executor >= all[len(all)-1].Executor {
		t.Fatal("the executors are not in the order of their names")
	}
	return all
}

// suits reports whether a query asks for a queue.
func suits(q ledger.WorkQuery, have ledger.Queue) bool {
	tools := len(q.Tools) == 0
	for _, tool := range q.Tools {
		tools = tools || tool == have.Tool
	}
	return tools && (q.Executor == "" || q.Executor == have.Executor) && (q.Namespace == "" || q.Namespace == have.Namespace)
}

func queuesOf(list []ledger.QueueDepth) (queues []ledger.Queue) {
	for _, d := range list {
		queues = append(queues, d.Queue)
	}
	return queues
}

// createQueued makes many operations in one queue, ready after a while. Each is due work an hour after it was made.
func createQueued(t *testing.T, e ledger.Engine, items int, after time.Duration) (queue ledger.Queue) {
	t.Helper()
	const inOne = 500 // transactions want to be small
	for first := 0; first < items; first += inOne {
		step(t, e, nil, func(v *ledger.View) *ledger.Changes {
			c := &ledger.Changes{Created: map[ledger.OperationKey]bool{}}
			for i := first; i < min(first+inOne, items); i++ {
				o := operation(tenant, fmt.Sprintf("op_%05d", i), v.Now)
				queued(o)
				o.CheckAt = v.Now.Add(after)
				c.Operations, c.Created[o.RowKey()] = append(c.Operations, o), true
				queue = workOf(t, o, "").Queue
			}
			return c
		})
	}
	return queue
}
