package locks_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/locks"
)

var (
	start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	a, b  = locks.Entity{Type: "order", ID: "a"}, locks.Entity{Type: "order", ID: "b"}
)

func lease(entities ...locks.Entity) *locks.Lease {
	l := &locks.Lease{
		WorkflowID: "wf_1", RunID: "run_1", AcquiredAt: start, ExpiresAt: start.Add(time.Minute), GreatestEnd: start.Add(locks.GreatestAge),
	}
	for i, e := range entities {
		l.Entities = append(l.Entities, locks.Fenced{Entity: e, Fence: int64(i) + 1})
	}
	return l
}

func TestLeaseHoldsForItsHolderLessLongThanItBarsOthers(t *testing.T) {
	const clockError = 500 * time.Millisecond
	for at, want := range map[time.Duration]struct{ active, bars bool }{
		0:                              {true, true},
		time.Minute - time.Microsecond: {true, true},
		time.Minute:                    {false, true},
		time.Minute + clockError - time.Microsecond: {false, true},
		time.Minute + clockError:                    {false, false},
	} {
		l, now := lease(a), start.Add(at)
		if l.Active(now) != want.active || l.Bars(a, now, clockError) != want.bars {
			t.Errorf("after %s it is active: %t, and bars: %t", at, l.Active(now), l.Bars(a, now, clockError))
		}
		if l.Bars(b, now, clockError) {
			t.Errorf("after %s it bars what it does not cover", at)
		}
		l.End(start, locks.EndedReleased)
		if l.Active(now) || l.Bars(a, now, clockError) {
			t.Errorf("after %s it holds although it was given back", at)
		}
	}
}

func TestLeaseIsExtendedWithinItsGreatestAge(t *testing.T) {
	l := lease(a)
	l.Extend(start, time.Second)
	if l.ExpiresAt != start.Add(time.Minute) {
		t.Errorf("an extension shortened it to %s", l.ExpiresAt)
	}
	l.Extend(start, 2*time.Minute)
	if l.ExpiresAt != start.Add(2*time.Minute) {
		t.Errorf("it ends at %s", l.ExpiresAt)
	}
	l.Extend(start.Add(locks.GreatestAge-time.Minute), locks.MaxTTL)
	if l.ExpiresAt != l.GreatestEnd {
		t.Errorf("it ends at %s, its greatest end is %s", l.ExpiresAt, l.GreatestEnd)
	}
}

func TestLeaseWasLost(t *testing.T) {
	late := start.Add(time.Hour)
	for name, c := range map[string]struct {
		end  func(*locks.Lease)
		now  time.Time
		lost bool
	}{
		"held":               {func(*locks.Lease) {}, start, false},
		"expired":            {func(*locks.Lease) {}, late, true},
		"given back in time": {func(l *locks.Lease) { l.End(start, locks.EndedReleased) }, late, false},
		"given back late":    {func(l *locks.Lease) { l.End(late, locks.EndedReleased) }, late, true},
		"taken over":         {func(l *locks.Lease) { l.End(start, locks.EndedTakenOver) }, start, true},
		"broken":             {func(l *locks.Lease) { l.End(start, locks.EndedBroken) }, start, true},
		"replaced":           {func(l *locks.Lease) { l.End(late, "") }, late, true},
	} {
		l := lease(a)
		c.end(l)
		if l.WasLost(c.now) != c.lost {
			t.Errorf("%s: that it was lost is %t", name, l.WasLost(c.now))
		}
	}
}

// TestLeaseRemembersItsRuns: through any number of takeovers each earlier run is known to have been outrun, and by whom.
func TestLeaseRemembersItsRuns(t *testing.T) {
	l := lease(a)
	for i := 2; i <= 5; i++ {
		old := *l
		old.End(start, locks.EndedTakenOver)
		old.TakenBy = fmt.Sprint("run_", i)
		if by, outrun := old.Outrun(old.RunID); !outrun || by != old.TakenBy {
			t.Fatalf("%s was outrun by %q: %t", old.RunID, by, outrun)
		}
		if _, outrun := old.Outrun(old.TakenBy); outrun {
			t.Fatalf("%s was not outrun", old.TakenBy)
		}
		l = lease(a)
		l.RunID = old.TakenBy
		l.Inherit(&old)
	}
	for i := 1; i <= 4; i++ {
		if by, outrun := l.Outrun(fmt.Sprint("run_", i)); !outrun || by != "run_5" {
			t.Errorf("run_%d was outrun by %q: %t", i, by, outrun)
		}
	}
	for _, run := range []string{"run_5", "run_6"} {
		if _, outrun := l.Outrun(run); outrun {
			t.Errorf("%s was not outrun", run)
		}
	}
	given := lease(a)
	given.End(start, locks.EndedReleased)
	heir := lease(a)
	heir.RunID = "run_2"
	heir.Inherit(given)
	if _, outrun := heir.Outrun("run_1"); outrun {
		t.Error("a run that gave its lease back was not outrun")
	}
}

func TestLeaseForgetsOnlyTheOldestRuns(t *testing.T) {
	l := lease(a)
	l.RunID = "run_now"
	if l.Supersede("run_now"); len(l.Superseded) != 0 {
		t.Fatal("the run that holds it has superseded itself")
	}
	if l.Supersede("run_0", "run_0"); len(l.Superseded) != 1 {
		t.Fatalf("one run is remembered as %q", l.Superseded)
	}
	for i := range 100 {
		l.Supersede(fmt.Sprint("run_", i))
	}
	if n := len(l.Superseded); n != 64 {
		t.Fatalf("%d runs are remembered", n)
	}
	if _, outrun := l.Outrun("run_99"); !outrun {
		t.Error("the newest one was forgotten")
	}
}

func TestLeaseDrops(t *testing.T) {
	l := lease(a, b)
	before := *l
	l.Drop([]locks.Entity{a, {Type: "order", ID: "c"}})
	if l.Covers([]locks.Entity{a}) || !l.Covers([]locks.Entity{b}) || l.Fence(b) != 2 {
		t.Errorf("it covers %v", l.Names())
	}
	if !before.Covers([]locks.Entity{a, b}) {
		t.Error("a copy changed with it")
	}
}
