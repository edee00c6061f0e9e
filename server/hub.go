package server

import (
	"context"
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
)

// DefaultPoll is how often other servers' changes are looked for while somebody waits.
const DefaultPoll = 200 * time.Millisecond

// pollTimeout bounds one look.
const pollTimeout = 5 * time.Second

// hub lets calls wait for an operation to change, whichever server changes it: this one tells it at once, others' changes
// are found by one query for everything that is waited for. It keeps nothing that matters.
type hub struct {
	engine  ledger.Engine
	poll    time.Duration
	mu      sync.Mutex
	waiters map[watched]map[chan struct{}]int64 // channel -> the version that its waiter has seen
	closed  chan struct{}
	once    sync.Once
}

type watched struct {
	namespace ledger.Namespace
	id        ledger.OperationID
}

func newHub(engine ledger.Engine, poll time.Duration) *hub {
	return &hub{engine: engine, poll: poll, waiters: map[watched]map[chan struct{}]int64{}, closed: make(chan struct{})}
}

// changed wakes those who wait for the operation and have not seen this version.
func (h *hub) changed(o *ledger.Operation) {
	if o != nil {
		h.wake(watched{o.Namespace, o.ID}, o.Version)
	}
}

func (h *hub) wake(w watched, version int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ch, seen := range h.waiters[w] {
		if version > seen {
			select {
			case ch <- struct{}{}:
			default: // it is awake already
			}
		}
	}
}

// wait returns when the operation has a newer version than seen, when the context ends, or when the server stops. The
// caller reads the operation anew in each case.
func (h *hub) wait(ctx context.Context, w watched, seen int64) {
	ch := make(chan struct{}, 1)
	h.mu.Lock()
	if h.waiters[w] == nil {
		h.waiters[w] = map[chan struct{}]int64{}
	}
	h.waiters[w][ch] = seen
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.waiters[w], ch)
		if len(h.waiters[w]) == 0 {
			delete(h.waiters, w)
		}
		h.mu.Unlock()
	}()
	select {
	case <-ch:
	case <-ctx.Done():
	case <-h.closed:
	}
}

func (h *hub) close() { h.once.Do(func() { close(h.closed) }) }

// stopping reports whether nobody should wait any more.
func (h *hub) stopping() bool {
	select {
	case <-h.closed:
		return true
	default:
		return false
	}
}

// run looks for other servers' changes while anybody waits.
func (h *hub) run(ctx context.Context) {
	ticker := time.NewTicker(h.poll)
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

// look asks for the present versions of everything that is waited for. A look that fails is made again at the next tick;
// those who wait have deadlines of their own.
func (h *hub) look(ctx context.Context) {
	h.mu.Lock()
	byNamespace := map[ledger.Namespace][]ledger.OperationID{}
	for w := range h.waiters {
		byNamespace[w.namespace] = append(byNamespace[w.namespace], w.id)
	}
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	for ns, ids := range byNamespace {
		versions, err := h.engine.Versions(ctx, ns, ids)
		if err != nil {
			continue
		}
		for id, version := range versions {
			h.wake(watched{ns, id}, version)
		}
	}
}
