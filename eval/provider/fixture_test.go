package provider

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
)

// clock is time that passes when a test says so.
type clock struct{ at time.Time }

func (c *clock) now() time.Time       { return c.at }
func (c *clock) pass(d time.Duration) { c.at = c.at.Add(d) }

var start = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// stand is a provider on a clock of its own.
type stand struct {
	*Provider
	*clock
	t *testing.T
}

func newStand(t *testing.T, profile Profile) *stand {
	c := &clock{start}
	return &stand{Provider: New(Options{Clock: c.now, Profile: profile}), clock: c, t: t}
}

// charge is the n-th attempt's request for one business key, always under the same vendor key.
func charge() Request {
	return Request{Collection: "charges", BusinessKey: "order-1", VendorKey: "vk-1", ClientReference: "ref-1", Body: []byte(`{"amount":5}`)}
}

// send sends the charge under a fault.
func (s *stand) send(f eval.Fault) Answer { return s.Write(charge(), f) }

// want checks how many effects there are.
func (s *stand) want(effects int) {
	s.t.Helper()
	if got := s.Effects("order-1"); len(got) != effects {
		s.t.Errorf("after %v: %d effects, want %d: %+v", s.at.Sub(start), len(got), effects, got)
	}
}

// sees is what a lookup by the client reference says: how many objects with what status, or that it failed.
func (s *stand) sees() string {
	found, err := s.Find(Query{Collection: "charges", ClientReference: "ref-1"})
	switch {
	case err != nil:
		return "down"
	case len(found) == 0:
		return "nothing"
	}
	return fmt.Sprint(len(found), " ", found[0].Status)
}

// wantSees checks what a lookup says.
func (s *stand) wantSees(want string) {
	s.t.Helper()
	if got := s.sees(); got != want {
		s.t.Errorf("after %v a lookup sees %q, want %q", s.at.Sub(start), got, want)
	}
}
