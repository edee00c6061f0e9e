package server

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// workHub lets polls wait for work, whoever makes it: what a command of this server makes ready wakes one poll at once,
// the rest is found by one look for everybody who waits. It keeps nothing that matters.
type workHub struct {
	engine  ledger.WorkEngine
	turn    atomic.Uint64 // which queue has its turn first
	mu      sync.Mutex
	waiters map[*workWaiter]struct{}
	counts  map[whose]int
	sizes   map[queuedTool]int // of the largest item of a tool that was handed out here
}

// maxWaitingPolls bounds the polls of one principal that wait at one server, so that a credential that was stolen or runs
// wild holds nobody else up: whatever is made ready looks through those who wait. A fleet of workers stays far below it.
const maxWaitingPolls = 2000

// whose is whose polls are counted together.
type whose struct {
	namespace ledger.Namespace
	principal ledger.Principal
}

// workWaiter is one poll that waits, or that may come to wait.
type workWaiter struct {
	namespace ledger.Namespace
	principal ledger.Principal
	workerID  string
	credit    map[creditKey]bool
	woken     chan struct{} // holds one token while the poll should look again
	gone      atomic.Bool   // its worker takes no more
}

func newWorkHub(engine ledger.Engine) *workHub {
	return &workHub{engine: engine, waiters: map[*workWaiter]struct{}{}, counts: map[whose]int{}, sizes: map[queuedTool]int{}}
}

// register counts a poll among those that wait. It does so before its first look, so that nothing is made ready unseen. It
// reports false where too many polls of the principal wait already: this one looks once and does not wait.
func (h *workHub) register(p *workPoll) (*workWaiter, bool) {
	w := &workWaiter{
		namespace: p.call.namespace(), principal: p.call.Principal, workerID: p.request.WorkerId,
		credit: map[creditKey]bool{}, woken: make(chan struct{}, 1),
	}
	for key, n := range p.credit {
		w.credit[key] = n > 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waiters[w] = struct{}{}
	h.counts[w.whose()]++
	return w, h.counts[w.whose()] <= maxWaitingPolls
}

func (w *workWaiter) whose() whose { return whose{w.namespace, w.principal} }

// saw remembers how large the items of a tool may be.
func (h *workHub) saw(ns ledger.Namespace, tool string, size int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if key := (queuedTool{ns, tool}); size > h.sizes[key] {
		h.sizes[key] = size
	}
}

// size is how large an item of a tool may be, as far as this server has seen.
func (h *workHub) size(ns ledger.Namespace, tool string) (size int, seen bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	size, seen = h.sizes[queuedTool{ns, tool}]
	return size, seen
}

func (h *workHub) leave(w *workWaiter) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.waiters, w)
	if h.counts[w.whose()]--; h.counts[w.whose()] == 0 {
		delete(h.counts, w.whose())
	}
}

// wait returns when there may be work, when the context ends, or when the server stops.
func (w *workWaiter) wait(ctx context.Context, stopped <-chan struct{}) {
	select {
	case <-w.woken:
	case <-ctx.Done():
	case <-stopped:
	}
}

func (w *workWaiter) drained() bool { return w.gone.Load() }

// wake tells a poll to look again, and reports whether it had not been told already.
func (w *workWaiter) wake() bool {
	select {
	case w.woken <- struct{}{}:
		return true
	default:
		return false
	}
}

// changed wakes one poll where an operation that a command of this server changed has work now.
func (h *workHub) changed(o *ledger.Operation) {
	if w, there := ledger.WorkOf(o); there && w.Executor == registry.Worker && !w.At.After(o.UpdatedAt) {
		h.wakeSome(w.Queue, 1)
	}
}

// wakeSome wakes at most so many polls that could take of the queue.
func (h *workHub) wakeSome(q ledger.Queue, n int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.waiters {
		if n <= 0 {
			return
		}
		if w.namespace == q.Namespace && w.credit[creditKey{q.Tool, q.Kind}] && w.wake() {
			n--
		}
	}
}

// drain lets the polls of a worker go.
func (h *workHub) drain(ns ledger.Namespace, principal ledger.Principal, workerID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.waiters {
		if w.namespace == ns && w.principal == principal && w.workerID == workerID {
			w.gone.Store(true)
			w.wake()
		}
	}
}

// run looks for work that other servers or the passing of time have made ready, while anybody waits.
func (h *workHub) run(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			h.look(ctx)
		}
	}
}

// look asks for the queues of those who wait, and wakes as many as there are pieces. A look that fails is made again at
// the next tick; those who wait have deadlines of their own.
func (h *workHub) look(ctx context.Context) {
	wanted := h.wanted()
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	for ns, tools := range wanted {
		depths, err := h.engine.WorkQueues(ctx, ledger.WorkQuery{Executor: registry.Worker, Namespace: ns, Tools: tools, Ready: true})
		if err != nil {
			continue
		}
		for _, d := range depths {
			h.wakeSome(d.Queue, d.Ready)
		}
	}
}

// wanted are the tools that are waited for, by namespace.
func (h *workHub) wanted() map[ledger.Namespace][]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	wanted := map[ledger.Namespace][]string{}
	for w := range h.waiters {
		for key, has := range w.credit {
			if has && !slices.Contains(wanted[w.namespace], key.tool) {
				wanted[w.namespace] = append(wanted[w.namespace], key.tool)
			}
		}
	}
	return wanted
}
