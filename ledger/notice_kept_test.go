package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestResultsAreTakenOneByOne: one that is no news keeps none behind it back, and one of a subscription that is gone makes
// none.
func TestResultsAreTakenOneByOne(t *testing.T) {
	w := notice(t)
	w.records(result("sub_1", 1, ledger.DeliveryDone))
	if s := w.Record(ledger.SubscriptionKey(ledgertest.North, "sub_1")).(*ledger.Subscription); s.Etag() != "v1" {
		t.Errorf("a subscription without failures was written anew: %s", s.Etag())
	}
	n := w.records(result("sub_1", 1, ledger.DeliveryDone), result("sub_gone", 1, ledger.DeliveryFailed), result("sub_2", 1, ledger.DeliveryFailed))
	if n.Tries["sub_2"].Count != 1 || w.failures("sub_2") != 1 {
		t.Errorf("the last result is lost: %+v", n.Tries["sub_2"])
	}
	if subs := w.Records(ledger.RecordSubscription); len(subs) != 2 {
		t.Errorf("there are %d subscriptions, want 2", len(subs))
	}
}

// TestATryHasItsTimeAndStatus, and what was not tried has none.
func TestATryHasItsTimeAndStatus(t *testing.T) {
	for outcome, tried := range map[ledger.DeliveryOutcome]bool{
		ledger.DeliveryDone: true, ledger.DeliveryFailed: true, ledger.DeliveryRefused: true, ledger.DeliveryPostponed: false, ledger.DeliveryDropped: false,
	} {
		w := notice(t)
		s := w.records(result("sub_1", 1, outcome)).Tries["sub_1"]
		if s.LastAt.Equal(w.Now) != tried || (s.Status == 500) != tried {
			t.Errorf("%s: tried at %s with %d", outcome, s.LastAt, s.Status)
		}
	}
}

// TestANoticeIsDueForWhoeverWaits, however many have been told.
func TestANoticeIsDueForWhoeverWaits(t *testing.T) {
	for range 5 {
		w := notice(t)
		results := []ledger.DeliveryResult{result("sub_1", 1, ledger.DeliveryFailed)}
		for i := range 10 {
			results = append(results, result(fmt.Sprintf("sub_told_%d", i), 1, ledger.DeliveryDone))
		}
		if n := w.records(results...); !n.NextAt.Equal(w.Now.Add(ledger.DeliveryFirstPause)) {
			t.Fatalf("it is due at %s", n.NextAt)
		}
	}
}

// TestThePauseOfWhatIsPostponed is between half and the whole of the event's age.
func TestThePauseOfWhatIsPostponed(t *testing.T) {
	for jitter, want := range map[float64]time.Duration{0: 40 * time.Second, 0.5: 30 * time.Second} {
		w := notice(t)
		w.Advance(40 * time.Second)
		r := result("sub_1", 1, ledger.DeliveryPostponed)
		r.Jitter = jitter
		if n := w.records(r); n.NextAt.Sub(w.Now) != want {
			t.Errorf("jitter %v: due in %s, want %s", jitter, n.NextAt.Sub(w.Now), want)
		}
	}
}

// TestANoticeNamesTheVersionThatMadeItTrue: whoever is told reads that one or a later one.
func TestANoticeNamesTheVersionThatMadeItTrue(t *testing.T) {
	w := newOffice(t, need())
	a := w.waits(revoking("u_7"))
	notices := w.Records(ledger.RecordNotice)
	if len(notices) != 1 || notices[0].(*ledger.Notice).OperationVersion != w.now(a).Version {
		t.Errorf("%d notices, of version %d; the operation has %d", len(notices), notices[0].(*ledger.Notice).OperationVersion, w.now(a).Version)
	}
}

// TestAPauseBeginsOnce: a change of something else moves neither its beginning nor an end that never was.
func TestAPauseBeginsOnce(t *testing.T) {
	w := ledgertest.New(t)
	s := kept(t, w, subscribing("sub_1"))
	update := func(id string, paused bool) {
		t.Helper()
		w.Advance(time.Minute)
		s = kept(t, w, &ledger.UpdateSubscription{Request: request(id, id), ID: "sub_1", Definition: fmt.Appendf(nil, `{"a":%q}`, id), Paused: paused, Etag: s.Etag()})
	}
	update("renamed", false)
	if !s.PausedAt.IsZero() || !s.ResumedAt.IsZero() {
		t.Errorf("never paused: %s to %s", s.PausedAt, s.ResumedAt)
	}
	update("paused", true)
	since := s.PausedAt
	update("renamed again", true)
	if !s.PausedAt.Equal(since) {
		t.Errorf("paused since %s, want %s", s.PausedAt, since)
	}
}

// TestWhichRowsAreReadBeforeTheyExist: those that everybody who acts on the same looks for.
func TestWhichRowsAreReadBeforeTheyExist(t *testing.T) {
	awaited := []ledger.RecordKind{ledger.RecordEntity, ledger.RecordHistory, ledger.RecordCachedRead}
	for _, k := range ledger.RecordKinds {
		if k.Awaited() != slices.Contains(awaited, k) {
			t.Errorf("%s: awaited is %t", k, k.Awaited())
		}
	}
}
