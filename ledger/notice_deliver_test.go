package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// put saves a record as it is.
type put struct{ ledger.Record }

func (p put) Claims() []ledger.Claim           { return nil }
func (p put) Reads(*ledger.View) []ledger.Read { return []ledger.Read{p.Key().Read()} }
func (p put) Decide(*ledger.View, ledger.Env) ledger.Decided {
	return ledger.Decided{Reply: p.Record, Changes: &ledger.Changes{Records: []ledger.Record{p.Record}}}
}

// noticed is a world with one notice that is due, and two subscriptions.
type noticed struct {
	*ledgertest.World
	t *testing.T
}

func notice(t *testing.T) *noticed {
	t.Helper()
	w := &noticed{ledgertest.New(t), t}
	kept(t, w.World, subscribing("sub_1"))
	kept(t, w.World, subscribing("sub_2"))
	n := &ledger.Notice{NoticeKind: ledger.NoticeNeedsHuman, At: w.Now, NextAt: w.Now}
	n.Namespace, n.ID, n.Version = ledgertest.North, "ntc_1", 1
	_, err := w.Do(put{n})
	wantOK(t, err)
	return w
}

// records hands in results and answers the notice as it stands.
func (w *noticed) records(results ...ledger.DeliveryResult) *ledger.Notice {
	w.t.Helper()
	reply, err := w.Do(&ledger.RecordDeliveries{Namespace: ledgertest.North, NoticeID: "ntc_1", Results: results})
	wantOK(w.t, err)
	return reply.(*ledger.DeliveriesRecorded).Notice
}

func (w *noticed) failures(id string) int64 {
	w.t.Helper()
	return w.Record(ledger.SubscriptionKey(ledgertest.North, id)).(*ledger.Subscription).Failures
}

func result(id string, try int, outcome ledger.DeliveryOutcome) ledger.DeliveryResult {
	return ledger.DeliveryResult{SubscriptionID: id, Try: try, Outcome: outcome, Status: 500, Fault: string(outcome)}
}

func TestDeliveriesOfANoticeEndEachByItself(t *testing.T) {
	w := notice(t)
	n := w.records(result("sub_1", 1, ledger.DeliveryDone), result("sub_2", 1, ledger.DeliveryFailed))
	if one, two := n.Tries["sub_1"], n.Tries["sub_2"]; !one.Delivered || two.Count != 1 || !two.NextAt.Equal(w.Now.Add(ledger.DeliveryFirstPause)) || !n.NextAt.Equal(two.NextAt) {
		t.Fatalf("got %+v", n)
	}
	if w.failures("sub_1") != 0 || w.failures("sub_2") != 1 {
		t.Fatalf("failures %d and %d", w.failures("sub_1"), w.failures("sub_2"))
	}
	w.Advance(ledger.DeliveryFirstPause)
	n = w.records(result("sub_2", 2, ledger.DeliveryDone))
	if !n.NextAt.IsZero() || !n.Tries["sub_2"].Delivered || w.failures("sub_2") != 0 || n.Index().Status != "done" {
		t.Fatalf("got %+v", n)
	}
}

func TestResultsThatAreNoNewsChangeNothing(t *testing.T) {
	w := notice(t)
	first := w.records(result("sub_1", 1, ledger.DeliveryFailed))
	for name, r := range map[string]ledger.DeliveryResult{
		"its own write":                   result("sub_1", 1, ledger.DeliveryFailed),
		"another server's failure":        result("sub_1", 1, ledger.DeliveryPostponed),
		"a try that cannot have been yet": result("sub_1", 3, ledger.DeliveryFailed),
	} {
		if n := w.records(r); n.Version != first.Version || w.failures("sub_1") != 1 {
			t.Errorf("%s changed it to %+v", name, n)
		}
	}
	// That it arrived is news whoever says it, and the end of it.
	done := w.records(result("sub_1", 1, ledger.DeliveryDone))
	if !done.Tries["sub_1"].Delivered || done.Tries["sub_1"].GivenUp || !done.NextAt.IsZero() {
		t.Fatalf("got %+v", done)
	}
	if n := w.records(result("sub_1", 2, ledger.DeliveryFailed)); n.Version != done.Version {
		t.Fatalf("a late failure made it %+v", n)
	}
}

func TestPausesGrowAndADeliveryIsGivenUpWithinADay(t *testing.T) {
	for _, jitter := range []float64{0, 0.5, 0.999} {
		w := notice(t)
		began, tries, last := w.Now, 0, time.Duration(0)
		for n := w.records(); ; {
			tries++
			r := result("sub_1", tries, ledger.DeliveryFailed)
			r.Jitter = jitter
			if n = w.records(r); n.NextAt.IsZero() {
				if !n.Tries["sub_1"].GivenUp || n.Tries["sub_1"].Fault != "failed" {
					t.Fatalf("the end is %+v", n.Tries["sub_1"])
				}
				break
			}
			pause := n.NextAt.Sub(w.Now)
			if pause < last || pause < ledger.DeliveryShortestPause || pause > ledger.DeliveryLongestPause {
				t.Fatalf("jitter %v: the pause after try %d is %v, the one before was %v", jitter, tries, pause, last)
			}
			last = pause
			w.Now = n.NextAt
		}
		if age := w.Now.Sub(began); age > ledger.DeliveryMaxAge || tries > ledger.DeliveryMaxTries || tries < 15 {
			t.Errorf("jitter %v: %d tries in %v", jitter, tries, age)
		}
		if jitter == 0 && w.Now.Sub(began) < 18*time.Hour {
			t.Errorf("without luck the last try is after %v", w.Now.Sub(began))
		}
	}
}

func TestWhatTheReceiverAsksForIsHeeded(t *testing.T) {
	w := notice(t)
	r := result("sub_1", 1, ledger.DeliveryFailed)
	r.RetryAfter = time.Hour
	if n := w.records(r); !n.NextAt.Equal(w.Now.Add(time.Hour)) {
		t.Fatalf("next %v", n.NextAt)
	}
	r = result("sub_2", 1, ledger.DeliveryFailed)
	r.RetryAfter = 1000 * time.Hour
	if n := w.records(r); !n.Tries["sub_2"].NextAt.Equal(w.Now.Add(ledger.DeliveryLongestPause)) {
		t.Fatalf("next %v", n.Tries["sub_2"].NextAt)
	}
	if n := w.records(result("sub_1", 2, ledger.DeliveryRefused)); !n.Tries["sub_1"].GivenUp {
		t.Fatalf("got %+v", n)
	}
}

func TestWhatIsPostponedIsNoTryAndNotForEver(t *testing.T) {
	w := notice(t)
	for range 3 {
		n := w.records(result("sub_1", 1, ledger.DeliveryPostponed))
		if s := n.Tries["sub_1"]; s.Count != 0 || !s.LastAt.IsZero() || w.failures("sub_1") != 0 || n.NextAt.Sub(w.Now) > ledger.DeliveryLongestWait {
			t.Fatalf("got %+v", n)
		}
		w.Now = n.NextAt
	}
	w.Advance(ledger.DeliveryMaxAge)
	if n := w.records(result("sub_1", 1, ledger.DeliveryPostponed)); !n.Tries["sub_1"].GivenUp || !n.NextAt.IsZero() {
		t.Fatalf("got %+v", n)
	}
}

func TestANoticeForNobodyIsClosed(t *testing.T) {
	w := notice(t)
	if n := w.records(); !n.NextAt.IsZero() || len(n.Tries) != 0 {
		t.Fatalf("got %+v", n)
	}
	w = notice(t)
	w.records(result("sub_1", 1, ledger.DeliveryDone), result("sub_2", 1, ledger.DeliveryFailed))
	reply, err := w.Do(&ledger.RecordDeliveries{Namespace: ledgertest.North, NoticeID: "ntc_1", NobodyLeft: true})
	wantOK(t, err)
	n := reply.(*ledger.DeliveriesRecorded).Notice
	if !n.NextAt.IsZero() || n.Tries["sub_1"].GivenUp || !n.Tries["sub_2"].GivenUp {
		t.Fatalf("got %+v", n)
	}
	if reply, err = w.Do(&ledger.RecordDeliveries{Namespace: ledgertest.North, NoticeID: "ntc_none"}); err != nil || reply.(*ledger.DeliveriesRecorded).Notice != nil {
		t.Fatalf("got %+v, %v", reply, err)
	}
}
