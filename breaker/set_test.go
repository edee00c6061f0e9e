package breaker

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// told remembers what an observer was told.
type told []string

func (o *told) Breaker(key Key, state State) {
	*o = append(*o, fmt.Sprint(key.Provider, "/", key.Kind, " ", state))
}

func TestASetHasABreakerForEachProviderAndKind(t *testing.T) {
	now := epoch
	var seen told
	var log bytes.Buffer
	s := NewSet(Config{Dispatch: testSettings, Lookup: testSettings, Observer: &seen, Clock: func() time.Time { return now },
		Logger: slog.New(slog.NewTextHandler(&log, nil))})
	pay := KeyOf(ledger.Queue{Namespace: "shop", Tool: "payment.capture", Kind: ledger.WorkDispatch, Provider: "pay/acct_1"})
	others := []Key{{"shop", "pay/acct_1", ledger.WorkLookup}, {"shop", "pay/acct_2", ledger.WorkDispatch}, {"other", "pay/acct_1", ledger.WorkDispatch}}
	for range 4 {
		s.Result(pay, false)
	}
	if s.Allow(pay) || s.Room(pay, 5) != 0 || s.Wait(pay) != 2*time.Second {
		t.Error("four failures did not open it")
	}
	for _, key := range others {
		if !s.Allow(key) || s.Room(key, 5) != 5 {
			t.Errorf("%v was held up as well", key)
		}
	}
	now = now.Add(2 * time.Second)
	if s.Room(pay, 5) != 1 || !s.Allow(pay) || s.Allow(pay) {
		t.Error("one probe was to pass")
	}
	s.GiveBack(pay)
	if !s.Allow(pay) {
		t.Error("a probe that came to no request kept the next one")
	}
	s.Result(pay, true)
	if s.Room(pay, 5) != 5 {
		t.Error("a good probe did not close it")
	}
	want := []string{"pay/acct_1/dispatch open", "pay/acct_1/dispatch half_open", "pay/acct_1/dispatch closed"}
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("told %v, want %v", seen, want)
	}
	if n := strings.Count(log.String(), "a circuit breaker changed"); n != len(want) {
		t.Errorf("%d lines of the log: %s", n, log.String())
	}
}

func TestToolsWithoutAProviderHaveTheirOwn(t *testing.T) {
	a, b := KeyOf(ledger.Queue{Namespace: "shop", Tool: "a"}), KeyOf(ledger.Queue{Namespace: "shop", Tool: "b"})
	if a == b {
		t.Error("two tools that name no provider share a breaker")
	}
}

func TestASetForgetsWhatIsIdle(t *testing.T) {
	now := epoch
	s := NewSet(Config{Dispatch: testSettings, Lookup: testSettings, Clock: func() time.Time { return now }})
	for i := range 10 * sweepEvery {
		s.Result(Key{"shop", fmt.Sprint("provider ", i), ledger.WorkDispatch}, true)
		now = now.Add(time.Second)
	}
	if len(s.all) > 2*sweepEvery {
		t.Errorf("%d breakers are kept", len(s.all))
	}
}

func TestANilSetLetsEverythingPass(t *testing.T) {
	var s *Set
	s.Result(Key{}, false)
	s.GiveBack(Key{})
	if !s.Allow(Key{}) || s.Room(Key{}, 3) != 3 || s.Wait(Key{}) != 0 {
		t.Error("a nil set held a request up")
	}
}

func TestWhatAReportTellsOfItsProvider(t *testing.T) {
	for _, c := range []struct {
		outcome     ledger.Outcome
		code        string
		good, tells bool
	}{
		{ledger.OutcomeSucceeded, "", true, true}, {ledger.OutcomeNoop, "", true, true}, {ledger.OutcomeAcknowledge, "", true, true},
		{ledger.OutcomeRejected, "", true, true}, {ledger.OutcomeRateLimited, "", true, true},
		{ledger.OutcomeDeclined, "", false, true}, {ledger.OutcomeAmbiguous, "malformed_answer", false, true},
		{ledger.OutcomeNotSent, "connection_refused", false, true}, {ledger.OutcomeNotSent, "connect_timeout", false, true},
		{ledger.OutcomeNotSent, "permit", false, false}, {ledger.OutcomeNotSent, "secret_missing", false, false},
	} {
		good, tells := Tells(&ledger.Report{Outcome: c.outcome, Code: c.code})
		if good != c.good || tells != c.tells {
			t.Errorf("%s (%s): good %v, tells %v", c.outcome, c.code, good, tells)
		}
	}
}
