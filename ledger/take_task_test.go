package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// needsPerson makes an operation that waits for a person since now.
func needsPerson(t *testing.T, w *ledgertest.World, change func(*ledger.Terms)) *ledger.Operation {
	t.Helper()
	c := capture
	c.Tool = c.Tool.With(change)
	h := ambiguously(t, w, c)
	w.Advance(c.Tool.Terms.HumanAfter)
	w.RunDue()
	o := h.Now()
	if o.Human == nil || o.Human.Reason != ledger.HumanUnknown {
		t.Fatalf("it waits for %+v", o.Human)
	}
	return o
}

// takesUp is a person who sees to an operation.
func takesUp(o *ledger.Operation, change func(*ledger.TakeTask)) *ledger.TakeTask {
	c := &ledger.TakeTask{Namespace: o.Namespace, Actor: person("ben"), RequestID: "take_1", OperationID: o.ID, Comment: "I ask them"}
	change(c)
	return c
}

// TestAnOperationsTaskIsTakenUp: it does not escalate while somebody sees to it, for as long as they say, or for its
// owner's time anew. What has escalated has, and what never escalates does not begin to.
func TestAnOperationsTaskIsTakenUp(t *testing.T) {
	const hour = time.Hour // the owner's time
	for name, c := range map[string]struct {
		terms     func(*ledger.Terms)
		hold      time.Duration
		escalated bool
		until     time.Duration // from now: how long it is taken up for
		due       time.Duration // from now: when it escalates; -1: never
	}{
		"as long as they say":            {func(*ledger.Terms) {}, 2 * hour, false, 2 * hour, 2 * hour},
		"they do not say":                {func(*ledger.Terms) {}, 0, false, hour, hour},
		"they say nonsense":              {func(*ledger.Terms) {}, -hour, false, hour, hour},
		"it has escalated":               {func(*ledger.Terms) {}, 2 * hour, true, 2 * hour, -hour / 2},
		"it never escalates":             {func(t *ledger.Terms) { t.HumanDue = 0 }, 2 * hour, false, 2 * hour, -1},
		"it never does, and for no time": {func(t *ledger.Terms) { t.HumanDue = 0 }, 0, false, 0, -1},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			o := needsPerson(t, w, c.terms)
			if w.Advance(hour / 2); c.escalated {
				w.Advance(hour)
				w.RunDue()
			}
			reply, err := w.Do(takesUp(o, func(c1 *ledger.TakeTask) { c1.Hold = c.hold }))
			wantOK(t, err)
			h := reply.(*ledger.TaskTaken).Operation.Human
			want := ledger.Taken{By: "cred/ben", Comment: "I ask them", At: w.Now, Until: w.Now.Add(c.until), RequestID: "take_1"}
			if h.Taken == nil || *h.Taken != want || h.Escalated != c.escalated {
				t.Errorf("taken as %+v (escalated %t), want %+v", h.Taken, h.Escalated, want)
			}
			due := w.Now.Add(c.due)
			if c.due == -1 {
				due = time.Time{}
			}
			if !h.Due.Equal(due) {
				t.Errorf("it escalates at %s, want %s", h.Due, due)
			}
		})
	}
}

// TestATaskIsTakenUpAsItWasSeen, once for one request, and only where it waits.
func TestATaskIsTakenUpAsItWasSeen(t *testing.T) {
	w := ledgertest.New(t)
	o := needsPerson(t, w, func(*ledger.Terms) {})
	_, err := w.Do(takesUp(o, func(c *ledger.TakeTask) { c.Etag = "another" }))
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)
	take := takesUp(o, func(c *ledger.TakeTask) { c.Etag = o.Etag() })
	for range 2 { // the second is a repeat of the request
		reply := wantForeseen(t, w, take)
		if got := reply.(*ledger.TaskTaken); got.Operation.Human.Taken == nil || got.Approval != nil || got.Operation.Version != o.Version+1 {
			t.Fatalf("taken as %+v", got)
		}
	}
	_, err = w.Do(takesUp(o, func(c *ledger.TakeTask) { c.RequestID, c.Etag = "take_2", o.Etag() }))
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)
	_, err = w.Do(takesUp(o, func(c *ledger.TakeTask) { c.RequestID = "take_3" })) // as it stands
	wantOK(t, err)
	w.Person(w.Operation(o.Namespace, o.ID), ledger.SaysHappened)
	_, err = w.Do(takesUp(o, func(c *ledger.TakeTask) { c.RequestID = "take_4" }))
	wantRefusal(t, err, ledger.ReasonStateNotSuitable)
	_, err = w.Do(takesUp(o, func(c *ledger.TakeTask) { c.OperationID = "op_none" }))
	wantRefusal(t, err, ledger.ReasonOperationNotFound)
}

// TestAnApprovalIsTakenUpForItsTimeAnew where nobody says for how long, and its reads are foreseen.
func TestAnApprovalIsTakenUpForItsTimeAnew(t *testing.T) {
	for hold, until := range map[time.Duration]time.Duration{0: time.Hour, -time.Minute: time.Hour, 2 * time.Hour: 2 * time.Hour} {
		w := newOffice(t, need(onExpiry(policy.ExpiryEscalate, "director")))
		a := w.waits(revoking("u_7"))
		w.Advance(10 * time.Minute)
		reply := wantForeseen(t, w.World, &ledger.TakeTask{Namespace: ledgertest.North, Actor: person("ben", "lead"), RequestID: "take_1", ApprovalID: a.ID, Hold: hold})
		got := reply.(*ledger.TaskTaken).Approval
		if want := w.Now.Add(until); !got.Taken.Until.Equal(want) || !got.ExpiresAt.Equal(want) {
			t.Errorf("held for %s: taken until %s, and decided until %s, want %s", hold, got.Taken.Until, got.ExpiresAt, want)
		}
	}
}
