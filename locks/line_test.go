package locks_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/locks"
)

func waiter(n int, now time.Time) locks.Waiter {
	return locks.Waiter{
		RequestID: fmt.Sprint("request_", n), Principal: "agent", WorkflowID: fmt.Sprint("wf_", n), Since: now, Until: now.Add(locks.Presence),
	}
}

func before(s locks.Scope, n int, now time.Time) int {
	return len(s.Before("agent", fmt.Sprint("request_", n), now))
}

func TestLineIsInOrderOfArrival(t *testing.T) {
	s := locks.Scope{}
	for n := range 3 {
		if got := before(s, n, start); got != n {
			t.Fatalf("%d stand before number %d that is to come", got, n)
		}
		s = s.Wait(waiter(n, start), start)
	}
	for n := range 3 {
		if got := before(s, n, start); got != n {
			t.Errorf("%d stand before number %d", got, n)
		}
	}
	if same := before(s, 1, start); same != before(s.Wait(waiter(1, start.Add(time.Second)), start), 1, start) {
		t.Error("asking again moved its place")
	}
	s = s.StopWaiting("agent", "request_0", start)
	if before(s, 2, start) != 1 || s.Waits("agent", "request_0") || s.InLine(start) != 2 {
		t.Errorf("%+v", s.Waiting)
	}
	if before(s, 1, start) != 0 || len(s.Before("another", "request_1", start)) != 2 {
		t.Error("a request id is its principal's")
	}
}

func TestLineForgetsWhoIsGone(t *testing.T) {
	s := locks.Scope{}
	s = s.Wait(waiter(0, start), start)
	later := start.Add(locks.Presence / 2)
	s = s.Wait(waiter(1, later), later)
	gone := start.Add(locks.Presence)
	if before(s, 1, gone) != 0 || s.InLine(gone) != 1 {
		t.Fatalf("%+v", s.Waiting)
	}
	if before(s, 0, gone) != 1 {
		t.Error("who gave its place up comes last")
	}
	s = s.Wait(waiter(0, gone), gone)
	if before(s, 0, gone) != 1 || before(s, 1, gone) != 0 {
		t.Errorf("%+v", s.Waiting)
	}
}

func TestLineIsWrittenWhereAPlaceIsUnsure(t *testing.T) {
	s := locks.Scope{}
	if !s.Unsure(waiter(0, start), start) {
		t.Error("it has no place yet")
	}
	s = s.Wait(waiter(0, start), start)
	if !s.Unsure(waiter(1, start), start) {
		t.Error("another's place is none of its own")
	}
	for after, want := range map[time.Duration]bool{0: false, time.Second: false, locks.Presence / 2: true, locks.Presence: true} {
		now := start.Add(after)
		if got := s.Unsure(waiter(0, now), now); got != want {
			t.Errorf("after %s its place is unsure: %t", after, got)
		}
	}
	short := waiter(0, start)
	if short.Until = start.Add(time.Second); s.Unsure(short, start.Add(locks.Presence-time.Millisecond)) {
		t.Error("there is nothing to write where its wait ends sooner than its place")
	}
	for n := range locks.MaxWaiting {
		s = s.Wait(waiter(n, start), start)
	}
	if s.Unsure(waiter(locks.MaxWaiting, start), start) || len(s.Wait(waiter(locks.MaxWaiting, start), start).Waiting) != locks.MaxWaiting {
		t.Error("the line is full")
	}
}

// TestScopeIsAValue: nothing that is made of a scope shows in the scope itself.
func TestScopeIsAValue(t *testing.T) {
	s := locks.Scope{}.Wait(waiter(0, start), start).Join("op_1", "wf_1", start)
	s, _ = s.Lend(locks.LeaseRef{LeaseID: "lea_1"})
	image := fmt.Sprintf("%+v %+v", s, *s.Lease)
	s.Wait(waiter(0, start.Add(time.Second)), start)
	s.Wait(waiter(1, start), start)
	s.StopWaiting("agent", "request_0", start)
	s.Join("op_2", "wf_2", start)
	s.Leave("op_1")
	s.Lend(locks.LeaseRef{LeaseID: "lea_2"})
	if now := fmt.Sprintf("%+v %+v", s, *s.Lease); now != image {
		t.Fatalf("was %s, is %s", image, now)
	}
}

func TestFencingNumbersGrowWithEachGrant(t *testing.T) {
	s, last := locks.Scope{}, int64(0)
	for i := range 5 {
		var fence int64
		if s, fence = s.Lend(locks.LeaseRef{LeaseID: fmt.Sprint("lea_", i)}); fence != last+1 || s.Fence != fence {
			t.Fatalf("after %d comes %d", last, fence)
		}
		last = fence
	}
}
