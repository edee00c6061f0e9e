package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// wants is a worker's request for work, of which the server makes the commands.
var wants = ledger.Request{Namespace: ledgertest.North, Principal: ledgertest.Worker, ID: "poll_1", Hash: "what it asks for"}

// taking takes an operation's work up in answer to the request, as its permit of that number.
func taking(w *ledgertest.World, o *ledger.Operation, number int) *ledger.TakeFor {
	return &ledger.TakeFor{Take: *w.Take(o), Request: wants, Number: number}
}

// earn takes an operation's work up in answer to the request, and expects a permit.
func earn(t *testing.T, w *ledgertest.World, o *ledger.Operation, number int) *ledgertest.Holder {
	t.Helper()
	reply, err := w.Do(taking(w, o, number))
	wantOK(t, err)
	h := reply.(*ledger.Handed)
	if h.Permit == nil {
		t.Fatalf("no permit: %s", h.Because)
	}
	return w.HolderOf(&ledger.Answer{Operation: h.Operation, Permit: h.Permit})
}

// askedBefore asks whether the request has earned something.
func askedBefore(t *testing.T, w *ledgertest.World) bool {
	t.Helper()
	reply, err := w.Do(&ledger.AskWork{Request: wants})
	wantOK(t, err)
	asked := reply.(*ledger.WorkAsked)
	if !asked.At.Equal(w.Now) {
		t.Errorf("what it waits counts from %s, want %s", asked.At, w.Now)
	}
	return asked.Repeated
}

// onceMore asks for a permit that the request has earned.
func onceMore(w *ledgertest.World, number int) *ledger.TakeAgain {
	return &ledger.TakeAgain{Request: wants, Number: number, Actor: ledger.Actor{Principal: ledgertest.Worker}, WorkerID: "worker-2",
		Epoch: w.Epoch(ledgertest.North), Rules: w.Rules}
}

// handedAgain gives what the repeated request is answered.
func handedAgain(t *testing.T, w *ledgertest.World, number int) *ledger.Handed {
	t.Helper()
	reply, err := w.Do(onceMore(w, number))
	wantOK(t, err)
	return reply.(*ledger.Handed)
}

// TestARequestKeepsWhatItEarned, and one that earned nothing leaves nothing behind.
func TestARequestKeepsWhatItEarned(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, queued(capture))
	take, stale := taking(w, o, 1), taking(w, o, 2)
	moved := taking(w, o, 1)
	moved.Epoch++
	_, err := w.Do(moved)
	var epoch *ledger.EpochMovedError
	if !errors.As(err, &epoch) {
		t.Fatalf("under another configuration it is answered %v", err)
	}
	if n := w.Claims(ledger.ClaimRequest); askedBefore(t, w) || n != 1 { // the proposal's own
		t.Fatalf("the request has earned something, %d are kept", n)
	}
	for range 2 { // the second is a retry of the same command, which sees its own write
		reply, err := w.Do(take)
		wantOK(t, err)
		if h := reply.(*ledger.Handed); h.Permit == nil || h.Permit.Attempt.ID != take.NewAttempt {
			t.Fatalf("it is answered %+v", h)
		}
		wantState(t, w.Operation(o.Namespace, o.ID), ledger.Dispatched)
	}
	reply, err := w.Do(stale)
	wantOK(t, err)
	if h := reply.(*ledger.Handed); h.Permit != nil || h.Because == "" {
		t.Fatalf("stale work is answered %+v", h)
	}
	if n := w.Claims(ledger.ClaimRequest); !askedBefore(t, w) || n != 3 { // the request, and the one permit that it earned
		t.Fatalf("the request has earned nothing, %d are kept", n)
	}
	if h := handedAgain(t, w, 2); h.Permit != nil || h.Because != "the request has earned no permit of this number" {
		t.Errorf("a number that earned nothing is answered %+v", h)
	}
	other := wants
	other.Hash = "something else"
	_, err = w.Do(&ledger.AskWork{Request: other})
	wantRefusal(t, err, ledger.ReasonRequestReused)
}

// TestTheRequestsPermitGoesOutAgain: on the record, once, and each to its own number.
func TestTheRequestsPermitGoesOutAgain(t *testing.T) {
	w := ledgertest.New(t)
	var holders []*ledgertest.Holder
	for i := range 2 {
		holders = append(holders, earn(t, w, enqueue(t, w, bounded(capture, i, func(*ledger.Terms) {})), i+1))
	}
	for i, h := range holders {
		for range 2 {
			again := handedAgain(t, w, i+1)
			if again.Permit == nil || again.Permit.Attempt.ID != h.Attempt || again.Operation.ID != h.Operation || !again.Permit.Attempt.HandedAgain {
				t.Fatalf("permit %d is answered %+v", i+1, again)
			}
		}
		var by []string
		for _, e := range w.Events(h.Namespace, h.Operation) {
			if e.Type == ledger.EventHandedAgain {
				by = append(by, e.Detail["worker_id"])
			}
		}
		if len(by) != 1 || by[0] != "worker-2" {
			t.Errorf("permit %d: its second way out is on the record of %q", i+1, by)
		}
	}
}

// TestWhatDoesNotGoOutAgain to a repeated request.
func TestWhatDoesNotGoOutAgain(t *testing.T) {
	const unsafe = "the permit that the request has earned may not be handed out again"
	for name, c := range map[string]struct {
		call    ledgertest.Call
		after   func(*testing.T, *ledgertest.Holder)
		because string // empty: it goes out
	}{
		"not begun":             {queued(email), func(*testing.T, *ledgertest.Holder) {}, ""},
		"begun":                 {queued(email), func(t *testing.T, h *ledgertest.Holder) { wantOK(t, h.Begin()) }, unsafe},
		"reported":              {queued(capture), func(t *testing.T, h *ledgertest.Holder) { wantOK(t, h.Says(ledger.OutcomeSucceeded)) }, unsafe},
		"run out":               {queued(capture), func(_ *testing.T, h *ledgertest.Holder) { h.World.Advance(time.Minute) }, unsafe},
		"told apart by nothing": {queued(unbegun), func(*testing.T, *ledgertest.Holder) {}, unsafe},
		"followed by another's": {queued(capture), func(t *testing.T, h *ledgertest.Holder) {
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			h.World.NextWork(h.Now())
			if next := h.World.Dispatch(h.Now()); next.Number != 2 {
				t.Fatalf("it is attempt %d", next.Number)
			}
		}, unsafe},
		"paused since": {queued(capture), func(t *testing.T, h *ledgertest.Holder) {
			h.World.Rules = compiled(t, policy.Config{Switches: []policy.Switch{{Paused: true, Reason: "stop"}}})
		}, "the namespace is paused: stop"},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := earn(t, w, enqueue(t, w, c.call), 1)
			c.after(t, h)
			again := handedAgain(t, w, 1)
			if (again.Permit != nil) != (c.because == "") || again.Because != c.because || again.Operation.ID != h.Operation {
				t.Errorf("it is answered %+v", again)
			}
		})
	}
}

// TestAgainIsDecidedByOneConfiguration: a permit is not judged by rules that another configuration has replaced.
func TestAgainIsDecidedByOneConfiguration(t *testing.T) {
	w := ledgertest.New(t)
	earn(t, w, enqueue(t, w, queued(capture)), 1)
	again := onceMore(w, 1)
	again.Epoch++
	_, err := w.Do(again)
	var moved *ledger.EpochMovedError
	if !errors.As(err, &moved) || moved.Have != again.Epoch || moved.Now != again.Epoch-1 {
		t.Fatalf("the error is %v", err)
	}
}
