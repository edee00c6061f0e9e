package provider

import (
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
)

// TestKeys: what a second request is told after each fault of the first, and how many effects there are then.
func TestKeys(t *testing.T) {
	other, renamed, undoing := charge(), charge(), charge()
	other.Body, renamed.ClientReference = []byte(`{"amount":6}`), "ref-2"
	undoing.Method, undoing.Undoes = Undo, "charge_1"
	for name, c := range map[string]struct {
		first   eval.Fault
		after   time.Duration
		second  Request
		status  int
		replay  bool
		effects int
	}{
		"the same again":            {eval.TimeoutAfterCommit, 0, charge(), 201, true, 1},
		"other parameters":          {eval.NoFault, 0, other, 400, false, 1},
		"another reference":         {eval.NoFault, 0, renamed, 400, false, 1},
		"another method":            {eval.NoFault, 0, undoing, 400, false, 1},
		"the first at work":         {eval.LateCommit, flight - 1, charge(), 409, false, 0},
		"the first done in the end": {eval.LateCommit, flight, charge(), 201, true, 1},
		"a rate limit is not kept":  {eval.RateLimited, 0, charge(), 201, false, 1},
		"nor is an error":           {eval.ErrorClean, 0, charge(), 201, false, 1},
		"an error that committed":   {eval.ErrorCommitted, 0, charge(), 201, true, 1},
		"at the end of retention":   {eval.NoFault, 20*minute - 1, charge(), 201, true, 1},
		"after it":                  {eval.NoFault, 20 * minute, charge(), 201, false, 2},
		"an outage as long":         {eval.KeyForgotten, 20*minute - 1, charge(), 503, false, 1},
		"after the outage":          {eval.KeyForgotten, 20 * minute, charge(), 201, false, 2},
		"forgotten early":           {eval.KeyForgottenEarly, 0, charge(), 201, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStand(t, Stated(true))
			s.send(c.first)
			s.pass(c.after)
			a := s.Write(c.second, eval.NoFault)
			if a.Status != c.status || a.Replayed() != c.replay {
				t.Errorf("%d, replayed %v: %s", a.Status, a.Replayed(), a.Body)
			}
			s.want(c.effects)
		})
	}
}

func TestAnOutageSaysWhenItEnds(t *testing.T) {
	s := newStand(t, Stated(true))
	s.send(eval.KeyForgotten)
	s.pass(19*minute + 500*time.Millisecond)
	if got := s.send(eval.NoFault).Header.Get("Retry-After"); got != "60" {
		t.Errorf("Retry-After: %q", got)
	}
}

func TestWhereKeysDoNotCountEachRequestActs(t *testing.T) {
	s := newStand(t, Stated(false))
	s.send(eval.KeyForgotten)
	s.send(eval.NoFault)
	s.want(2)

	s = newStand(t, Stated(true))
	plain, bare := charge(), charge()
	plain.Plain, bare.VendorKey = true, ""
	for _, r := range []Request{plain, plain, bare, bare} {
		s.Write(r, eval.NoFault)
	}
	s.want(4)
}

func TestAKeyWithoutRetentionIsKept(t *testing.T) {
	profile := Stated(true)
	profile.Retention = 0
	s := newStand(t, profile)
	s.send(eval.KeyForgotten)
	s.pass(1000 * time.Hour)
	if a := s.send(eval.NoFault); !a.Replayed() {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	s.want(1)
}

// TestAFaultBefallsARepeatToo: a repeat under its key meets its fault as any request does, and makes no second effect.
func TestAFaultBefallsARepeatToo(t *testing.T) {
	for fault, want := range map[eval.Fault]struct {
		kind Kind
		sees string
	}{
		eval.ResetAfterCommit: {Reset, "1 succeeded"}, eval.LateCommit: {NoAnswer, "1 succeeded"}, eval.LookupDown: {NoAnswer, "down"},
		eval.LookupLies: {NoAnswer, "nothing"}, eval.Accepted: {Answered, "1 succeeded"}, eval.Refused: {Answered, "1 succeeded"},
	} {
		s := newStand(t, Stated(true))
		s.send(eval.NoFault)
		if a := s.send(fault); a.Kind != want.kind || a.Kind == Answered && !a.Replayed() {
			t.Errorf("%s: %s %d", fault, a.Kind, a.Status)
		}
		s.wantSees(want.sees)
		s.pass(minute)
		s.want(1)
	}
}
