package ledger_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestClaimsAreHeldAgainstTheLedger tries every claim of an operation in every state that the end of a workflow can meet.
func TestClaimsAreHeldAgainstTheLedger(t *testing.T) {
	reach := map[string]func(*testing.T, *tasks, string, string) *ledgertest.Holder{
		"completed_success": func(t *testing.T, w *tasks, id, run string) *ledgertest.Holder {
			h := w.Execute(in(email, id, run))
			wantOK(t, h.Begin())
			wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")))
			return h
		},
		"completed_noop": func(t *testing.T, w *tasks, id, run string) *ledgertest.Holder {
			h := w.Execute(in(email, id, run))
			wantOK(t, h.Begin())
			wantOK(t, h.Says(ledger.OutcomeNoop))
			return h
		},
		"failed_permanent": func(t *testing.T, w *tasks, id, run string) *ledgertest.Holder {
			h := w.Execute(in(email, id, run))
			wantOK(t, h.Begin())
			wantOK(t, h.Says(ledger.OutcomeRejected))
			return h
		},
		"failed_retryable": func(t *testing.T, w *tasks, id, run string) *ledgertest.Holder {
			h := w.Execute(in(email, id, run))
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			return h
		},
		"dispatched": func(_ *testing.T, w *tasks, id, run string) *ledgertest.Holder { return w.Execute(in(email, id, run)) },
		"unknown_outcome": func(t *testing.T, w *tasks, id, run string) *ledgertest.Holder {
			h := w.Execute(in(email, id, run))
			wantOK(t, h.Begin())
			wantOK(t, h.Says(ledger.OutcomeAmbiguous))
			return h
		},
	}
	// What is undispatched is cancelled with the workflow, so that it is known not to have been done.
	borneOut := map[string]ledger.ClaimedKind{
		"completed_success": ledger.ClaimDone, "completed_noop": ledger.ClaimDone, "failed_permanent": ledger.ClaimNotDone,
		"failed_retryable": ledger.ClaimNotDone, "dispatched": ledger.ClaimOpen, "unknown_outcome": ledger.ClaimOpen,
	}
	for state, get := range reach {
		for _, claim := range []ledger.ClaimedKind{ledger.ClaimDone, ledger.ClaimNotDone, ledger.ClaimOpen, ledger.ClaimUndone} {
			for _, found := range []bool{true, false} { // whether the end gives it up itself, or due work does later
				t.Run(state+" told "+string(claim), func(t *testing.T) {
					w := newTasks(t)
					s := w.new()
					h := get(t, w, s.Workflow.ID, s.RunID)
					wantState(t, h.Now(), ledger.State(state))
					c := w.completion(s.Workflow.ID, s.RunID, telling(h.Operation, claim))
					if found {
						c.Leftovers.Operations = []ledger.OperationID{h.Operation}
					}
					_, err := w.Do(c)
					if borneOut[state] == claim {
						wantOK(t, err)
						return
					}
					wantRefusal(t, err, ledger.ReasonClaimContradicted)
					var no *ledger.Refusal
					if errors.As(err, &no); len(no.Contradictions) != 1 || no.Contradictions[0].Operation.ID != h.Operation || no.Contradictions[0].Told.SafeUser == "" {
						t.Fatalf("it names %+v", no.Contradictions)
					}
					if w.workflow(s.Workflow.ID).State != ledger.WorkflowOpen || h.Now().State != ledger.State(state) {
						t.Fatal("a refused end ended something")
					}
				})
			}
		}
	}
}

func TestALaterTruthAgainstAClaimIsAnIncident(t *testing.T) {
	told := func(t *testing.T, claim ledger.ClaimedKind) *ledgertest.Holder {
		w := newTasks(t)
		s := w.new()
		h := w.Execute(in(email, s.Workflow.ID, s.RunID))
		wantOK(t, h.Begin())
		wantOK(t, h.Says(ledger.OutcomeRejected))
		if claim == "" {
			w.complete(s.Workflow.ID, s.RunID)
		} else {
			w.complete(s.Workflow.ID, s.RunID, telling(h.Operation, claim))
		}
		w.Advance(time.Minute)
		found(t, h)
		return h
	}
	kinds := func(h *ledgertest.Holder) (kinds []string) {
		for _, i := range h.Now().Incidents {
			kinds = append(kinds, i.Kind)
		}
		return kinds
	}
	if have := kinds(told(t, ledger.ClaimNotDone)); !slices.Contains(have, ledger.IncidentClaimContradicted) {
		t.Fatalf("the incidents are %q", have)
	}
	if have := kinds(told(t, "")); slices.Contains(have, ledger.IncidentClaimContradicted) {
		t.Fatalf("nothing was claimed of it, and the incidents are %q", have)
	}
}

// TestWhichLaterTruthsStandAgainstAClaim: what overturns it, and not what only goes on from there.
func TestWhichLaterTruthsStandAgainstAClaim(t *testing.T) {
	noop := func(t *testing.T, h *ledgertest.Holder) {
		wantOK(t, h.Begin())
		wantOK(t, h.Says(ledger.OutcomeNoop))
	}
	done := func(t *testing.T, h *ledgertest.Holder) {
		wantOK(t, h.Begin())
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	}
	undoes := func(t *testing.T, h *ledgertest.Holder) {
		refunded(t, h.World, h.Operation, "ch_1", ledger.OutcomeSucceeded)
		wantState(t, h.Now(), ledger.Compensated)
	}
	for name, c := range map[string]struct {
		before []func(*testing.T, *ledgertest.Holder)
		claim  ledger.ClaimedKind
		after  func(*testing.T, *ledgertest.Holder)
		now    ledger.State
		want   bool
	}{
		"so already, and an effect shows that is another's": {[]func(*testing.T, *ledgertest.Holder){noop}, ledger.ClaimDone, func(t *testing.T, h *ledgertest.Holder) {
			other := capture
			other.Key, other.Args = "payment:order_9", `{"order_id":"order_9"}`
			done(t, h.World.Execute(in(other, "wf_other", "run_1")))
			showsToo(t, h.World, h.Now(), "ch_1")
		}, ledger.UnknownOutcome, true},
		"so already, and its own effect shows": {[]func(*testing.T, *ledgertest.Holder){noop}, ledger.ClaimDone, found, ledger.CompletedSuccess, false},
		"done, and undone on purpose":          {[]func(*testing.T, *ledgertest.Holder){done}, ledger.ClaimDone, undoes, ledger.Compensated, false},
		"undone, and another effect shows": {[]func(*testing.T, *ledgertest.Holder){done, undoes}, ledger.ClaimUndone, func(t *testing.T, h *ledgertest.Holder) {
			showsToo(t, h.World, h.Now(), "ch_2")
		}, ledger.Compensating, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTasks(t)
			s := w.new()
			h := w.Execute(in(capture, s.Workflow.ID, s.RunID))
			for _, step := range c.before {
				step(t, h)
			}
			w.complete(s.Workflow.ID, s.RunID, telling(h.Operation, c.claim))
			w.Advance(time.Minute)
			c.after(t, h)
			wantState(t, h.Now(), c.now)
			raised := slices.ContainsFunc(h.Now().Incidents, func(i ledger.Incident) bool { return i.Kind == ledger.IncidentClaimContradicted })
			if raised != c.want {
				t.Errorf("the incidents are %+v", h.Now().Incidents)
			}
		})
	}
}

// found hands in that the effect exists after all.
func found(t *testing.T, h *ledgertest.Holder) {
	t.Helper()
	_, err := h.World.Do(&ledger.Reconcile{Namespace: h.Namespace, Principal: "kim", OperationID: h.Operation, Statement: &ledger.Statement{
		ID: "ev_1", Source: ledger.SourceWebhook, Says: ledger.SaysHappened, EffectID: "msg_1", ClientReference: h.Now().ClientReference,
	}})
	wantOK(t, err)
	wantState(t, h.Now(), ledger.CompletedSuccess)
}

func TestClaimsAreOfTheWorkflowsOwnOperations(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	other := w.Execute(in(email, "wf_other", "run_1"))
	mine := w.Execute(in(capture, s.Workflow.ID, s.RunID))
	refusedBy(t, w.World, w.completion(s.Workflow.ID, s.RunID, telling(other.Operation, ledger.ClaimOpen)), ledger.ReasonInvalidRequest)
	refusedBy(t, w.World, w.completion(s.Workflow.ID, s.RunID, telling("op_none", ledger.ClaimOpen)), ledger.ReasonOperationNotFound)
	twice := w.completion(s.Workflow.ID, s.RunID, telling(mine.Operation, ledger.ClaimOpen), telling(mine.Operation, ledger.ClaimDone))
	refusedBy(t, w.World, twice, ledger.ReasonInvalidRequest)
}

// TestClaimsAreHeldAgainstWhatTimeHasDecided: what the clock has decided of an operation decides of a claim, whether or not
// due work has written it down. Of a read that nobody reports no due work ever does.
func TestClaimsAreHeldAgainstWhatTimeHasDecided(t *testing.T) {
	begun := func(t *testing.T, w *tasks, c ledgertest.Call) *ledgertest.Holder {
		h := w.Execute(c)
		wantOK(t, h.Begin())
		return h
	}
	silent := func(_ *testing.T, w *tasks, c ledgertest.Call) *ledgertest.Holder { return w.Execute(c) }
	for name, tc := range map[string]struct {
		call  ledgertest.Call
		reach func(*testing.T, *tasks, ledgertest.Call) *ledgertest.Holder
		bears ledger.ClaimedKind
	}{
		"a permit that ended unbegun": {email, silent, ledger.ClaimNotDone},
		"a permit that ended begun":   {email, begun, ledger.ClaimOpen},
		"a read that nobody reported": {read, silent, ledger.ClaimNotDone},
		"a read whose permit is not out": {read, func(t *testing.T, w *tasks, c ledgertest.Call) *ledgertest.Holder {
			h := w.Execute(c)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			return h
		}, ledger.ClaimNotDone},
	} {
		for _, claim := range []ledger.ClaimedKind{ledger.ClaimDone, ledger.ClaimNotDone, ledger.ClaimOpen} {
			t.Run(name+" told "+string(claim), func(t *testing.T) {
				w := newTasks(t)
				s := w.new()
				h := tc.reach(t, w, in(tc.call, s.Workflow.ID, s.RunID))
				w.Now = w.Now.Add(tc.call.Tool.Terms.PermitDuration) // and no due work has run
				c := w.completion(s.Workflow.ID, s.RunID, telling(h.Operation, claim))
				_, err := w.Do(c)
				if claim == tc.bears {
					wantOK(t, err)
				} else {
					wantRefusal(t, err, ledger.ReasonClaimContradicted)
				}
			})
		}
	}
}

// TestAClaimReadsNoMoreThanItNeeds: what time has decided nothing of is one row, since a conclusion may claim of very many.
func TestAClaimReadsNoMoreThanItNeeds(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	h := w.Execute(in(capture, s.Workflow.ID, s.RunID))
	c := w.completion(s.Workflow.ID, s.RunID, telling(h.Operation, ledger.ClaimOpen))
	row := ledger.ReadOf(ledger.ReadOperation, ledgertest.North, string(h.Operation))
	want := []ledger.Read{ledger.WorkflowKey(ledgertest.North, s.Workflow.ID).Read(), row}
	known := ledger.NewView(w.Now)
	known.PutOperation(h.Now())
	for name, v := range map[string]*ledger.View{"before it is read": ledger.NewView(w.Now), "once it is read": known} {
		if have := c.Reads(v); !slices.Equal(have, want) {
			t.Errorf("%s: %v", name, have)
		}
	}
}

// TestARefusedEndTellsWhatWouldBeSo of each operation that it would have cancelled.
func TestARefusedEndTellsWhatWouldBeSo(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	var both []ledger.OperationID
	for _, call := range []ledgertest.Call{email, capture} {
		h := w.Execute(in(call, s.Workflow.ID, s.RunID))
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		both = append(both, h.Operation)
	}
	_, err := w.Do(w.completion(s.Workflow.ID, s.RunID, leaving(both...), telling(both[0], ledger.ClaimDone), telling(both[1], ledger.ClaimDone)))
	wantRefusal(t, err, ledger.ReasonClaimContradicted)
	var no *ledger.Refusal
	if errors.As(err, &no); len(no.Contradictions) != 2 {
		t.Fatalf("it names %+v", no.Contradictions)
	}
	for i, id := range both {
		if o := no.Contradictions[i].Operation; o.ID != id || o.State != ledger.FailedPermanent {
			t.Errorf("of %s it tells that %s is %s", id, o.ID, o.State)
		}
		wantState(t, w.Operation(ledgertest.North, id), ledger.FailedRetryable)
	}
}
