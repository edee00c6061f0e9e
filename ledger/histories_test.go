package ledger_test

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// histories are those of testdata/histories.txt: each shows how the promise of section 6 is broken where one rule is
// missing. Here the core goes along each, up to the step at which the missing rule would have gone wrong.
var histories = map[string]func(*testing.T, *ledgertest.World){
	// grant; grant
	"two_permits": func(t *testing.T, w *ledgertest.World) {
		w.Execute(unbegun)
		wantDecision(t, w.Propose(unbegun), ledger.DecisionInFlight)
	},
	// grant; the same permit to another process
	"permit_handed_out_again": func(t *testing.T, w *ledgertest.World) {
		c := unbegun
		c.Request = "r-1"
		w.Execute(c)
		wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
	},
	// grant; process 0 sends: committed; tick; tick; permit ends
	"expiry_is_not_sent": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(email)
		wantOK(t, h.Begin())
		w.Advance(time.Minute)
		w.RunDue()
		wantState(t, h.Now(), ledger.UnknownOutcome)
		wantDecision(t, w.Propose(email), ledger.DecisionReconciling)
	},
	// grant; process 0 sends: committed; tick; tick; permit ends
	"unbegun_without_requirement": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(unbegun)
		w.Advance(time.Minute)
		w.RunDue()
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; tick; tick; permit ends; tick; tick; lookup asked; lookup answers
	"begin_after_deadline": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(email)
		w.Advance(time.Minute)
		w.RunDue()
		wantState(t, h.Now(), ledger.FailedRetryable)
		wantRefusal(t, h.Begin(), ledger.ReasonPermitExpired)
	},
	// grant; the same permit to another process; process 0 begins; process 0 sends: committed; process 1 begins
	"begin_without_nonce": func(t *testing.T, w *ledgertest.World) {
		c := email
		c.Request = "r-1"
		h := w.Execute(c)
		wantDecision(t, w.Propose(c), ledger.DecisionExecute)
		second := h.Copy()
		wantOK(t, h.Begin())
		wantRefusal(t, second.Begin(), ledger.ReasonNonceMismatch)
	},
	// grant; the same permit to another process; process 0 gives up unsent; process 1 begins; process 0 reports not_sent
	"any_copy_speaks": func(t *testing.T, w *ledgertest.World) {
		c := email
		c.Request = "r-1"
		h := w.Execute(c)
		wantDecision(t, w.Propose(c), ledger.DecisionExecute)
		second := h.Copy()
		wantOK(t, second.Begin())
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		wantState(t, h.Now(), ledger.Dispatched)
	},
	// grant; process 0 sends: in flight; process 0 reports ambiguous
	"retry_on_ambiguous": func(t *testing.T, w *ledgertest.World) {
		h := ambiguously(t, w, email)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; process 0 sends: in flight; process 0 reports ambiguous, and an outer layer is about to report; process 0 reports not_sent
	"second_report_overrides": func(t *testing.T, w *ledgertest.World) {
		h := ambiguously(t, w, email)
		wantRefusal(t, h.Says(ledger.OutcomeNotSent), ledger.ReasonStaleAttempt)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; process 0 is given up by an outer layer, which reports ambiguous; tick; process 0 sends; tick; lookup asked; lookup answers
	"outer_report_ends_sending": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(unbegun)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous, ledgertest.StillRunning))
		w.Advance(time.Minute) // after flight and propagation from the report, not from the deadline
		w.NotFound(h.Now(), 0)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; process 0 gives up unsent; permit ends; lookup asked; lookup answers; grant; process 0 reports not_sent
	"stale_report_moves": func(t *testing.T, w *ledgertest.World) {
		first := silently(t, w, email)
		w.Advance(late)
		w.NotFound(first.Now(), 0)
		w.Advance(time.Minute)
		second := w.Execute(email)
		wantRefusal(t, first.Says(ledger.OutcomeNotSent), ledger.ReasonStaleAttempt)
		wantState(t, second.Now(), ledger.Dispatched)
	},
	// grant; sends: in flight; reports ambiguous; grant; process 1 gives up unsent; process 1 reports not_sent
	"attempt_speaks_for_operation": func(t *testing.T, w *ledgertest.World) {
		_, second := resent(t, w, capture)
		wantOK(t, second.Says(ledger.OutcomeNotSent))
		wantState(t, second.Now(), ledger.UnknownOutcome)
	},
	// grant; begins; sends: committed; permit ends; lookup asked, will miss it; answers; grant; process 0 reports succeeded; process 1 begins
	"late_success_unheeded": func(t *testing.T, w *ledgertest.World) {
		first := silently(t, w, email)
		w.Advance(late)
		w.NotFound(first.Now(), 0)
		w.Advance(time.Minute)
		second := w.Execute(email)
		wantRefusal(t, first.Says(ledger.OutcomeSucceeded), ledger.ReasonStaleAttempt)
		wantRefusal(t, second.Begin(), ledger.ReasonPermitWithdrawn)
	},
	// grant; sends: in flight; reports ambiguous; lookup asked; lookup answers
	"not_found_at_once": func(t *testing.T, w *ledgertest.World) {
		h := ambiguously(t, w, email)
		w.NotFound(h.Now(), 0)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; tick; sends: in flight; reports ambiguous; tick; lookup asked; lookup answers
	"delay_from_dispatch": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(email)
		wantOK(t, h.Begin())
		w.Advance(50 * time.Second)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		w.Advance(50 * time.Second) // more than flight and propagation after the begin, less after the report
		w.NotFound(h.Now(), 0)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; sends: in flight; request arrives late; reports ambiguous; lookup asked; tick; tick; lookup answers
	"lookup_counted_from_its_answer": func(t *testing.T, w *ledgertest.World) {
		h := ambiguously(t, w, email)
		w.NotFound(h.Now(), time.Hour)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; sends; never arrives; reports ambiguous; tick; tick; lookup asked; grant; process 1 sends: in flight; reports ambiguous; lookup answers
	"lookup_without_stamp": func(t *testing.T, w *ledgertest.World) {
		h := ambiguously(t, w, capture)
		w.Advance(time.Minute)
		ticket := w.Ask(h.Now()).Ticket
		second := w.Execute(capture)
		wantOK(t, second.Says(ledger.OutcomeAmbiguous))
		w.Advance(time.Hour)
		w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Ticket = ticket }))
		wantState(t, h.Now(), ledger.UnknownOutcome)
		if v := h.Now().Attempts[1].Verdict; v != ledger.VerdictOpen {
			t.Fatalf("the second attempt is %s", v)
		}
	},
	// grant; tick; tick; permit ends; tick; tick; lookup asked; lookup answers
	"absence_clears_silent": func(t *testing.T, w *ledgertest.World) {
		h := silently(t, w, revoke)
		w.Advance(20 * time.Hour)
		w.NotFound(h.Now(), 0)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; begins; sends: taken on; reports acknowledged; its time to finish is over; tick; tick; lookup asked; lookup answers
	"absence_clears_acknowledged": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(email)
		wantOK(t, h.Begin())
		wantOK(t, h.Says(ledger.OutcomeAcknowledge))
		w.Advance(20 * time.Hour)
		w.NotFound(h.Now(), 0)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	// grant; sends: in flight; request arrives late; reports ambiguous; grant
	"resend_without_key": func(t *testing.T, w *ledgertest.World) {
		ambiguously(t, w, email)
		w.Advance(20 * time.Hour)
		wantDecision(t, w.Propose(email), ledger.DecisionReconciling)
	},
	// grant; sends: in flight; request arrives late; reports ambiguous; grant; process 1 sends: committed
	"fresh_vendor_key": func(t *testing.T, w *ledgertest.World) {
		first := w.Propose(capture)
		wantOK(t, w.HolderOf(first).Says(ledger.OutcomeAmbiguous))
		w.Advance(time.Hour)
		if again := w.Propose(capture); again.Permit.VendorKey != first.Permit.VendorKey || first.Permit.VendorKey == "" {
			t.Fatalf("%q, then %q", first.Permit.VendorKey, again.Permit.VendorKey)
		}
	},
	// grant; sends: committed; tick; tick; permit ends; tick; tick; tick; grant
	"retention_from_last_moment": func(t *testing.T, w *ledgertest.World) {
		first := w.Execute(capture)
		w.Advance(time.Minute)
		w.RunDue()
		w.Advance(11 * time.Hour)
		second := w.Execute(capture)
		wantOK(t, second.Says(ledger.OutcomeAmbiguous))
		w.Advance(13 * time.Hour) // 13 hours after the last attempt, 24 after the first
		wantDecision(t, w.Propose(capture), ledger.DecisionReconciling)
		wantState(t, first.Now(), ledger.UnknownOutcome)
	},
	// grant; sends: committed; permit ends; tick; tick; grant; tick; process 1 sends: in flight; tick; request arrives late
	"retention_without_flight": func(t *testing.T, w *ledgertest.World) {
		ambiguously(t, w, capture)
		terms := capture.Tool.Terms
		w.Advance(terms.Retention - terms.PermitDuration - terms.StallAllowance - terms.TimeToFinish) // all but the flight
		wantDecision(t, w.Propose(capture), ledger.DecisionReconciling)
	},
	// grant; begins; tick; tick; permit ends; process 0 sends: taken on; tick; tick; lookup asked; lookup answers
	//
	// How an executor counts its time is its own part (the clients' tests hold it). The ledger's part: one that counts
	// wrongly by less than the stall allowance is not cleared by a lookup made meanwhile.
	"duration_from_receipt": func(t *testing.T, w *ledgertest.World) {
		h := silently(t, w, email)
		w.Advance(5 * time.Minute)
		w.NotFound(h.Now(), 0)
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
}

func TestHistory(t *testing.T) {
	text, err := os.ReadFile("testdata/histories.txt")
	wantOK(t, err)
	names := regexp.MustCompile(`(?m)^caught +(\w+):`).FindAllSubmatch(text, -1)
	if len(names) != len(histories) {
		t.Errorf("the file has %d histories, %d are tested", len(names), len(histories))
	}
	for _, m := range names {
		name := string(m[1])
		t.Run(name, func(t *testing.T) {
			run, ok := histories[name]
			if !ok {
				t.Fatal("this history has no test")
			}
			run(t, ledgertest.New(t))
		})
	}
}
