package provider

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
)

const (
	flight  = 30 * time.Second
	lag     = 30 * time.Second
	minute  = time.Minute
	patient = 20 * time.Second
)

// TestFaults: of each fault what the sender sees, how many effects there are at once and in the end, and what lookups say
// at once, right before the stated lag is over, and when it is.
func TestFaults(t *testing.T) {
	const one = "1 succeeded"
	for fault, want := range map[eval.Fault]struct {
		kind        Kind
		status      int
		whole       bool
		now, inTime int
		sees        [3]string
	}{
		eval.NoFault:             {Answered, 201, true, 1, 1, [3]string{one, one, one}},
		eval.TimeoutBeforeCommit: {NoAnswer, 0, false, 0, 0, [3]string{"nothing", "nothing", "nothing"}},
		eval.TimeoutAfterCommit:  {NoAnswer, 0, false, 1, 1, [3]string{one, one, one}},
		eval.LateCommit:          {NoAnswer, 0, false, 0, 1, [3]string{"nothing", "nothing", "nothing"}},
		eval.ResetBeforeCommit:   {Reset, 0, false, 0, 0, [3]string{"nothing", "nothing", "nothing"}},
		eval.ResetAfterCommit:    {Reset, 0, false, 1, 1, [3]string{one, one, one}},
		eval.RateLimited:         {Answered, 429, true, 0, 0, [3]string{"nothing", "nothing", "nothing"}},
		eval.RateLimitedBare:     {Answered, 429, true, 0, 0, [3]string{"nothing", "nothing", "nothing"}},
		eval.ErrorCommitted:      {Answered, 500, true, 1, 1, [3]string{"nothing", "nothing", one}},
		eval.ErrorClean:          {Answered, 500, true, 0, 0, [3]string{"nothing", "nothing", "nothing"}},
		eval.EventualConsistency: {Reset, 0, false, 1, 1, [3]string{"nothing", one, one}},
		eval.Malformed:           {Answered, 201, true, 1, 1, [3]string{one, one, one}},
		eval.Truncated:           {Answered, 201, false, 1, 1, [3]string{one, one, one}},
		eval.SlowBody:            {NoAnswer, 201, false, 1, 1, [3]string{one, one, one}},
		eval.LongPropagation:     {NoAnswer, 0, false, 1, 1, [3]string{"nothing", "nothing", one}},
		eval.LookupDown:          {NoAnswer, 0, false, 1, 1, [3]string{"down", "down", "down"}},
		eval.KeyForgotten:        {NoAnswer, 0, false, 1, 1, [3]string{one, one, one}},
		eval.DuplicateWebhook:    {NoAnswer, 0, false, 1, 1, [3]string{one, one, one}},
		eval.UnorderedWebhook:    {NoAnswer, 0, false, 1, 1, [3]string{one, one, one}},
		eval.LateWebhook:         {NoAnswer, 0, false, 1, 1, [3]string{one, one, one}},
		eval.Accepted:            {Answered, 202, true, 1, 1, [3]string{"1 pending", "1 pending", "1 pending"}},
		eval.Refused:             {Answered, 422, true, 0, 0, [3]string{"nothing", "nothing", "nothing"}},

		eval.DelayLongerThanStated: {NoAnswer, 0, false, 0, 0, [3]string{"nothing", "nothing", "nothing"}},
		eval.KeyForgottenEarly:     {NoAnswer, 0, false, 1, 1, [3]string{"nothing", "nothing", one}},
		eval.LookupLies:            {NoAnswer, 0, false, 1, 1, [3]string{"nothing", "nothing", "nothing"}},
	} {
		for _, keyed := range []bool{true, false} {
			t.Run(string(fault), func(t *testing.T) {
				s := newStand(t, Stated(keyed))
				r := charge()
				r.Patience = patient
				a := s.Write(r, fault)
				if a.Kind != want.kind || a.Status != want.status || a.Whole() != want.whole {
					t.Errorf("the sender sees %s %d %q of %d bytes", a.Kind, a.Status, a.Body, a.Length)
				}
				if known := a.EffectID != ""; known != (a.Whole() && (a.Status == 201 || a.Status == 202) && fault != eval.Malformed) {
					t.Errorf("the sender knows of effect %q", a.EffectID)
				}
				took := usualTook
				if a.Kind == NoAnswer {
					took = patient
				}
				if a.Took != took {
					t.Errorf("it took %v, want %v", a.Took, took)
				}
				s.want(want.now)
				s.wantSees(want.sees[0])
				s.pass(lag - time.Nanosecond)
				s.wantSees(want.sees[1])
				s.pass(time.Nanosecond)
				s.wantSees(want.sees[2])
				s.want(want.inTime)
			})
		}
	}
	for _, f := range append(eval.ProviderFaults, eval.DelayLongerThanStated, eval.KeyForgottenEarly, eval.LookupLies) {
		if !Behaves(f) {
			t.Errorf("%s has no behaviour", f)
		}
	}
	if Behaves(eval.CrashAfterSend) || Behaves(eval.FreezeAfterLook) || Behaves("timeout") {
		t.Error("what befalls processes, and what there is not, behaves")
	}
}

func TestWhatAnswersBear(t *testing.T) {
	s := newStand(t, Stated(true))
	if got := s.send(eval.RateLimited).Header.Get("Retry-After"); got != "10" {
		t.Errorf("Retry-After: %q", got)
	}
	if a := s.send(eval.RateLimitedBare); a.Header.Values("Retry-After") != nil {
		t.Errorf("a bare rate limit: %v", a.Header)
	}
	if a := s.send(eval.Malformed); json.Valid(a.Body) || a.Header.Get("Content-Type") != "text/html" {
		t.Errorf("malformed: %v %s", a.Header, a.Body)
	}
	if a := s.send(eval.Truncated); len(a.Body) == 0 || json.Valid(a.Body) || len(a.Body) >= a.Length {
		t.Errorf("truncated: %q of %d", a.Body, a.Length)
	}
	a := s.send(eval.NoFault)
	var o Object
	if err := json.Unmarshal(a.Body, &o); err != nil {
		t.Fatal(err)
	}
	made := s.Effects("order-1")
	if len(made) != 1 || o.ID != made[0].ID || a.EffectID != o.ID || o.ClientReference != "ref-1" || !bytes.Equal(o.Parameters, charge().Body) || !a.Replayed() {
		t.Errorf("%+v of %+v", o, made)
	}
	if got := seconds(1500 * time.Millisecond); got != "2" {
		t.Errorf("1.5 seconds are told as %s", got)
	}
}

func TestALateCommitComesAtTheEndOfItsFlight(t *testing.T) {
	s := newStand(t, Stated(false))
	s.send(eval.LateCommit)
	s.pass(flight - time.Nanosecond)
	s.want(0)
	s.pass(minute)
	s.want(1)
	if at := s.Effects("order-1")[0].At; !at.Equal(start.Add(flight)) {
		t.Errorf("it was made at %v, found out at %v", at, s.at)
	}
	s.at = start.Add(flight + lag)
	s.wantSees("1 succeeded")
}

func TestARequestLongOnTheRoadArrivesAtLast(t *testing.T) {
	s := newStand(t, Stated(true))
	s.send(eval.DelayLongerThanStated)
	s.send(eval.NoFault)
	s.pass(flight + defaultOverrun - time.Nanosecond)
	s.want(1)
	s.pass(time.Nanosecond)
	s.want(2) // its key, of 20 minutes, is no longer known

	s = newStand(t, Stated(false))
	s.send(eval.DelayLongerThanStated)
	s.pass(1000 * time.Hour)
	if at := s.Effects("order-1")[0].At; !at.Equal(start.Add(flight + defaultOverrun)) {
		t.Errorf("it was made at %v, found out at %v", at, s.at)
	}
}

func TestWhatIsDueAtOneTimeHappensInTheOrderOfItsRequests(t *testing.T) {
	s := newStand(t, Stated(false))
	for _, reference := range []string{"a", "b", "c"} {
		r := charge()
		r.ClientReference = reference
		s.Write(r, eval.LateCommit)
	}
	s.pass(flight)
	for i, e := range s.Effects("order-1") {
		if want := string("abc"[i]); e.Reference != want {
			t.Errorf("number %d is %s", i, e.Reference)
		}
	}
}

// TestTimeNeverGoesBack: a clock that steps does not undo what was seen.
func TestTimeNeverGoesBack(t *testing.T) {
	s := newStand(t, Stated(false))
	s.send(eval.LongPropagation)
	s.pass(lag)
	s.wantSees("1 succeeded")
	s.pass(-lag)
	s.wantSees("1 succeeded")
	if s.send(eval.NoFault); s.Effects("order-1")[1].At.Before(start.Add(lag)) {
		t.Errorf("%+v", s.Effects("order-1"))
	}
}

func TestReplicasDisagreeUntilTheLagIsOver(t *testing.T) {
	s := newStand(t, Stated(false))
	s.send(eval.EventualConsistency)
	for _, want := range []string{"nothing", "1 succeeded", "nothing", "1 succeeded", "nothing", "1 succeeded", "nothing", "1 succeeded", "1 succeeded", "1 succeeded"} {
		s.wantSees(want)
		s.pass(lag / turns)
	}
}

func TestLookupsComeBackAndLiesEnd(t *testing.T) {
	s := newStand(t, Stated(false))
	s.send(eval.LookupDown)
	s.pass(defaultOutage - time.Nanosecond)
	s.wantSees("down")
	s.pass(time.Nanosecond)
	s.wantSees("1 succeeded")

	s = newStand(t, Stated(false))
	s.send(eval.LookupLies)
	s.pass(lag + defaultOverrun - time.Nanosecond)
	s.wantSees("nothing")
	s.pass(time.Nanosecond)
	s.wantSees("1 succeeded")
}

func TestRefusedIsRefusedForGoodButUndoesNothing(t *testing.T) {
	s := newStand(t, Stated(false))
	s.send(eval.LateCommit)
	s.send(eval.Refused)
	if a := s.send(eval.NoFault); a.Status != 422 {
		t.Errorf("later: %d", a.Status)
	}
	other := charge()
	other.BusinessKey = "order-2"
	if a := s.Write(other, eval.NoFault); a.Status != 201 {
		t.Errorf("another one's: %d", a.Status)
	}
	s.pass(flight)
	s.want(1)
}

func TestAcceptedIsFinishedLater(t *testing.T) {
	s := newStand(t, Stated(true))
	s.send(eval.Accepted)
	s.pass(5*minute - time.Nanosecond)
	s.wantSees("1 pending")
	if a := s.send(eval.NoFault); a.Status != 202 || !a.Replayed() {
		t.Errorf("a repeat before the end: %d", a.Status)
	}
	s.pass(time.Nanosecond)
	s.wantSees("1 succeeded")
	if a := s.send(eval.NoFault); a.Status != 201 || !a.Replayed() {
		t.Errorf("a repeat after the end: %d", a.Status)
	}
}

func TestAFaultOfNoProviderPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it was taken for none")
		}
	}()
	newStand(t, Profile{}).send(eval.CrashBeforeSend)
}
