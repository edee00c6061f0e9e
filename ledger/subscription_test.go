package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

func request(id, hash string) ledger.Request {
	return ledger.Request{Namespace: ledgertest.North, Principal: "ann", ID: ledger.RequestID(id), Hash: hash}
}

func subscribing(id string) *ledger.CreateSubscription {
	return &ledger.CreateSubscription{Request: request("create "+id, "h"), ID: id, Definition: []byte(`{}`)}
}

// kept does a command on a subscription and expects it to be carried out.
func kept(t *testing.T, w *ledgertest.World, c ledger.Command) *ledger.Subscription {
	t.Helper()
	reply, err := w.Do(c)
	wantOK(t, err)
	return reply.(*ledger.SubscriptionKept).Subscription
}

func TestSubscriptionsAreChangedOnceByEachRequest(t *testing.T) {
	w := ledgertest.New(t)
	made := kept(t, w, subscribing("sub_1"))
	if made.CreatedBy != "ann" || !made.CreatedAt.Equal(ledgertest.Start) || made.Etag() != "v1" || made.Paused() {
		t.Fatalf("made %+v", made)
	}
	other := subscribing("sub_1")
	other.Hash = "another"
	_, err := w.Do(other)
	wantRefusal(t, err, ledger.ReasonRequestReused)

	update := &ledger.UpdateSubscription{Request: request("update", "u"), ID: "sub_1", Definition: []byte(`{"a":1}`), Paused: true, Etag: made.Etag()}
	w.Advance(time.Minute)
	changed := kept(t, w, update)
	if changed.Etag() != "v2" || !changed.Paused() || !changed.PausedAt.Equal(w.Now) || string(changed.Definition) != `{"a":1}` {
		t.Fatalf("changed %+v", changed)
	}
	stale := *update
	stale.Request = request("stale", "s")
	_, err = w.Do(&stale)
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)

	resume := &ledger.UpdateSubscription{Request: request("resume", "r"), ID: "sub_1", Definition: []byte(`{}`), Etag: "v2"}
	w.Advance(time.Minute)
	if resumed := kept(t, w, resume); resumed.Paused() || !resumed.ResumedAt.Equal(w.Now) {
		t.Fatalf("resumed %+v", resumed)
	}
	// Late repeats change nothing: neither does the pause come back, nor the subscription a second time.
	if again := kept(t, w, update); again.Paused() || again.Etag() != "v3" {
		t.Fatalf("the update's repeat made %+v", again)
	}
	if again := kept(t, w, subscribing("sub_1")); again.Etag() != "v3" {
		t.Fatalf("the creation's repeat made %+v", again)
	}

	end := &ledger.DeleteSubscription{Request: request("delete", "d"), ID: "sub_1", Etag: "v2"}
	_, err = w.Do(end)
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)
	end.Etag = "v3"
	kept(t, w, end)
	kept(t, w, end)
	for _, late := range []ledger.Command{
		&ledger.DeleteSubscription{Request: request("delete 2", "d"), ID: "sub_1"},
		&ledger.UpdateSubscription{Request: request("update 2", "u"), ID: "sub_1", Etag: "v3"},
		&ledger.UpdateSubscription{Request: request("update 3", "u"), ID: "sub_none", Etag: "v1"},
		subscribing("sub_1"),
	} {
		_, err = w.Do(late)
		wantRefusal(t, err, ledger.ReasonSubscription)
	}
}

func TestWhatASubscriptionHears(t *testing.T) {
	at := func(minute int) time.Time { return ledgertest.Start.Add(time.Duration(minute) * time.Minute) }
	made := ledger.Subscription{CreatedAt: at(10)}
	paused, resumed, ended := made, made, made
	paused.PausedAt = at(20)
	resumed.PausedAt, resumed.ResumedAt = at(20), at(30)
	ended.EndedAt = at(40)
	for name, c := range map[string]struct {
		s    ledger.Subscription
		at   int
		want bool
	}{
		"before it was made":  {made, 9, false},
		"when it was made":    {made, 10, true},
		"before the pause":    {paused, 19, true},
		"in the pause":        {paused, 20, false},
		"long in the pause":   {paused, 500, false},
		"in the pause, later": {resumed, 29, false},
		"after the pause":     {resumed, 30, true},
		"before its end":      {ended, 15, false}, // it has ended by now
	} {
		if got := c.s.Hears(at(c.at)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
