package notify

import (
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
)

// receivers bounds the deliveries to each subscription, so that one that is slow takes a share of this process and no
// more.
type receivers struct {
	bound int
	mu    sync.Mutex
	all   map[ledger.RecordKey]*receiver // those that are sent to, or waited for
}

// receiver is one subscription's turns.
type receiver struct {
	turns chan struct{}
	users int // that are sending or waiting
}

func newReceivers(bound int) *receivers {
	return &receivers{bound: bound, all: map[ledger.RecordKey]*receiver{}}
}

// take takes a turn, and reports whether there was one before patience ended. A failing receiver is tried by one at a
// time, and nobody waits for it.
func (r *receivers) take(key ledger.RecordKey, failing bool, patience func() <-chan time.Time) (release func(), ok bool) {
	to := r.enter(key, failing)
	if to == nil {
		return nil, false
	}
	release = func() {
		<-to.turns
		r.leave(key, to)
	}
	select {
	case to.turns <- struct{}{}:
		return release, true
	default:
	}
	select {
	case to.turns <- struct{}{}:
		return release, true
	case <-patience():
		r.leave(key, to)
		return nil, false
	}
}

func (r *receivers) enter(key ledger.RecordKey, alone bool) *receiver {
	r.mu.Lock()
	defer r.mu.Unlock()
	to := r.all[key]
	switch {
	case to == nil:
		to = &receiver{turns: make(chan struct{}, r.bound)}
		r.all[key] = to
	case alone:
		return nil
	}
	to.users++
	return to
}

func (r *receivers) leave(key ledger.RecordKey, to *receiver) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if to.users--; to.users == 0 {
		delete(r.all, key)
	}
}
