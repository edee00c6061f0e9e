package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestALeaseRemembersWhenItProvedAProposal: what a worker does under it is no proposal.
func TestALeaseRemembersWhenItProvedAProposal(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, queued(about(email, "a")))
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	provedAt := func() time.Time { return w.Record(ledger.LeaseKey(ledgertest.North, l.ID)).(*ledger.Lease).ProvedAt }
	w.Advance(time.Second)
	if h := w.Dispatch(o); h.Now().LiveAttempt().LeaseID != l.ID {
		t.Fatalf("the worker's permit is not under the lease: %+v", h.Now().LiveAttempt())
	}
	if at := provedAt(); !at.IsZero() {
		t.Errorf("it proved a proposal at %s, where none came with its token", at)
	}
	w.Advance(time.Second)
	w.Execute(underLease(about(upsert, "b"), l))
	if at := provedAt(); !at.Equal(w.Now) {
		t.Errorf("it proved a proposal at %s, want %s", at, w.Now)
	}
}

// TestWhoseOperationKeepsAnEntity: that of the workflow whose run has the permit, and nobody's own once two have had one
// and the first one's request may still arrive.
func TestWhoseOperationKeepsAnEntity(t *testing.T) {
	for name, c := range map[string]struct {
		first ledger.Outcome
		free  string // the workflow that gets a lease on the entity
	}{
		"nothing was sent by the first one": {ledger.OutcomeNotSent, "wf_2"},
		"the first one's may still come":    {ledger.OutcomeAmbiguous, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(about(capture, "a"))
			wantOK(t, h.Says(c.first))
			second := about(capture, "a")
			second.Workflow, second.Run = "wf_2", "run_2"
			w.Advance(time.Minute)
			w.Execute(second)
			for _, workflow := range []string{"wf_1", "wf_3", "wf_2"} {
				asked := acquire(w, workflow, "run_3", orders("a")...)
				if workflow == c.free {
					granted(t, w, asked)
				} else {
					withheld(t, w, asked)
				}
			}
		})
	}
}
