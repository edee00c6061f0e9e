package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// rejected makes an operation that the provider refused for good.
func rejected(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
	t.Helper()
	h := acting(t, c, w.Execute(c))
	wantOK(t, h.Says(ledger.OutcomeRejected, func(r *ledger.Report) { r.Code = "card_declined" }))
	wantState(t, h.Now(), ledger.FailedPermanent)
	return h
}

func revising(c ledgertest.Call, h *ledgertest.Holder) ledgertest.Call {
	c.Revise = h.Operation
	return c
}

func TestRevise(t *testing.T) {
	w := ledgertest.New(t)
	first := rejected(t, w, capture)
	wantDecision(t, w.Propose(capture), ledger.DecisionReplayed)

	corrected := revising(capture, first)
	corrected.Key, corrected.Args = "payment:order_123:capture:4900:EUR", `{"amount":4900,"currency":"EUR","order_id":"order_123"}`
	second := w.Execute(corrected)
	o := second.Now()
	if o.Revision != 2 || o.Supersedes != first.Operation || first.Now().SupersededBy != second.Operation || len(o.Keys) != 2 {
		t.Fatalf("the revision is %d of %s under %v", o.Revision, o.Supersedes, o.Keys)
	}
	if o.VendorKey == first.Now().VendorKey || o.ClientReference == first.Now().ClientReference {
		t.Fatal("a refusal by the provider may be recorded under the old vendor key")
	}

	again := w.Propose(corrected)
	wantDecision(t, again, ledger.DecisionInFlight)
	if again.Operation.ID != second.Operation {
		t.Fatal("twice gives the same revision")
	}
	plain := corrected
	plain.Revise = ""
	if a := w.Propose(plain); a.Operation.ID != second.Operation {
		t.Fatal("a plain proposal of the corrected arguments meets it")
	}
	late := w.Propose(capture)
	wantDecision(t, late, ledger.DecisionReplayed)
	if late.Operation.ID != first.Operation || late.Successor != second.Operation {
		t.Fatalf("the late repeat of the first is answered from %s, succeeded by %s", late.Operation.ID, late.Successor)
	}
}

func TestReviseRefused(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, w *ledgertest.World) *ledgertest.Holder{
		"dispatched": func(t *testing.T, w *ledgertest.World) *ledgertest.Holder { return w.Execute(capture) },
		"retryable": func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			return h
		},
		"unknown": func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeAmbiguous))
			return h
		},
		"succeeded": func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeSucceeded))
			return h
		},
		"cancelled, which was somebody's decision": func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			_, err := w.Do(&ledger.CancelOperation{Namespace: ledgertest.North, Principal: "kim", OperationID: h.Operation})
			wantOK(t, err)
			return h
		},
		"contradicted": func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			h := rejected(t, w, capture)
			w.Found(h.Now(), "ch_1")
			return h
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := make(t, w)
			_, err := w.Do(w.Command(revising(capture, h)))
			wantRefusal(t, err, ledger.ReasonRevisionNotAllowed)
		})
	}
}

func TestReviseOverAnotherHolderOfTheKey(t *testing.T) {
	w := ledgertest.New(t)
	first := rejected(t, w, capture)
	other := capture
	other.Key, other.Args = "payment:order_9", `{"order_id":"order_9"}`
	w.Execute(other)
	clash := revising(other, first)
	_, err := w.Do(w.Command(clash))
	wantRefusal(t, err, ledger.ReasonRevisionNotAllowed)
}

func TestReviseBlockedLeavesThePredecessor(t *testing.T) {
	w := ledgertest.New(t)
	c := email
	c.Order = "order_123"
	first := rejected(t, w, c)
	other := c
	other.Key = "email:other"
	w.Execute(other)
	wantDecision(t, w.Propose(revising(c, first)), ledger.DecisionBlocked)
	if first.Now().SupersededBy != "" {
		t.Fatal("the predecessor has a successor that was never made")
	}
}

func TestReviseKeepsTheVendorKey(t *testing.T) {
	for name, tc := range map[string]struct {
		after time.Duration
		args  string
		kept  bool
	}{
		"unchanged, within the retention": {time.Hour, capture.Args, true},
		"unchanged, after the retention":  {25 * time.Hour, capture.Args, false},
		"changed arguments":               {time.Hour, `{"amount":5000}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			c := capture
			c.Tool = capture.Tool.With(func(t *ledger.Terms) { t.RetryMaxAge = tc.after })
			h := w.Execute(c)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			w.Advance(tc.after)
			w.RunDue()
			if f := h.Now().Failure; f.Category != ledger.CategoryExpired {
				t.Fatalf("the failure is %+v", f)
			}
			c = revising(c, h)
			c.Args = tc.args
			next := w.Execute(c).Now()
			if kept := next.VendorKey == h.Now().VendorKey; kept != tc.kept || kept != (next.ClientReference == h.Now().ClientReference) {
				t.Fatalf("the vendor key is kept: %t, want %t", kept, tc.kept)
			}
			if tc.kept && !next.VendorKeySince.Equal(h.Now().VendorKeySince) {
				t.Fatal("the retention counts from the first dispatch under the key, in any revision")
			}
		})
	}
}

// TestReviseHeedsEveryRevision: once somebody says that the effect of any revision exists, no revision of its key gets a
// permit, begin or extension any more.
func TestReviseHeedsEveryRevision(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, w *ledgertest.World, second *ledgertest.Holder, c ledgertest.Call){
		"begin": func(t *testing.T, w *ledgertest.World, second *ledgertest.Holder, c ledgertest.Call) {
			wantRefusal(t, second.Begin(), ledger.ReasonPermitWithdrawn)
		},
		"extension": func(t *testing.T, w *ledgertest.World, second *ledgertest.Holder, c ledgertest.Call) {
			_, err := second.Extend(time.Hour)
			wantRefusal(t, err, ledger.ReasonPermitWithdrawn)
		},
		"permit": func(t *testing.T, w *ledgertest.World, second *ledgertest.Holder, c ledgertest.Call) {
			wantOK(t, second.Says(ledger.OutcomeNotSent))
			w.Advance(time.Hour)
			wantDecision(t, w.Propose(c), ledger.DecisionDenied)
		},
		"the same permit again": func(t *testing.T, w *ledgertest.World, second *ledgertest.Holder, c ledgertest.Call) {
			wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			first := rejected(t, w, email)
			c := revising(email, first)
			c.Request = "r-2"
			second := w.Execute(c)
			wantRefusal(t, first.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")), ledger.ReasonStaleAttempt)
			wantState(t, first.Now(), ledger.CompletedSuccess)
			wantIncidents(t, first.Now(), ledger.IncidentContradiction)
			then(t, w, second, c)
		})
	}
}

func TestReviseOfALaterRevisionWhoseFirstHadTheEffect(t *testing.T) {
	w := ledgertest.New(t)
	first := rejected(t, w, email)
	second := rejected(t, w, revising(email, first))
	wantRefusal(t, first.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")), ledger.ReasonStaleAttempt)
	_, err := w.Do(w.Command(revising(email, second)))
	wantRefusal(t, err, ledger.ReasonRevisionNotAllowed)
}

func TestReviseBound(t *testing.T) {
	w := ledgertest.New(t)
	h := rejected(t, w, capture)
	for range ledger.MaxRevisions - 1 {
		h = rejected(t, w, revising(capture, h))
	}
	_, err := w.Do(w.Command(revising(capture, h)))
	wantRefusal(t, err, ledger.ReasonRevisionNotAllowed)
}

func TestReviseRetriedAfterAmbiguousCommit(t *testing.T) {
	w := ledgertest.New(t)
	cmd := w.Command(revising(capture, rejected(t, w, capture)))
	one, err := w.Do(cmd)
	wantOK(t, err)
	two, err := w.Do(cmd)
	wantOK(t, err)
	if b := two.(*ledger.Answer); b.Permit == nil || b.Permit.Attempt.ID != one.(*ledger.Answer).Permit.Attempt.ID {
		t.Fatalf("the retry is answered %s", b.Decision)
	}
}

// TestTheNewestRevisionAnswers: of revisions with equal arguments the newest answers a plain proposal, also where all were
// made at one moment.
func TestTheNewestRevisionAnswers(t *testing.T) {
	w := ledgertest.New(t)
	newest := rejected(t, w, capture)
	for range 3 {
		newest = rejected(t, w, revising(capture, newest))
	}
	a := w.Propose(capture)
	wantDecision(t, a, ledger.DecisionReplayed)
	if a.Operation.ID != newest.Operation || a.Operation.Revision != 4 || a.Successor != "" {
		t.Fatalf("revision %d, %s, answers, succeeded by %q; want the newest, %s", a.Operation.Revision, a.Operation.ID, a.Successor, newest.Operation)
	}
}

// TestReuseSaysWhatToDo: a key that stands for other arguments is tried afresh only from an end without effect, and from the
// newest revision of it.
func TestReuseSaysWhatToDo(t *testing.T) {
	other := capture
	other.Args = `{"amount":5000,"currency":"USD","order_id":"order_123"}`
	const afresh, another = "propose with revise", "under its own identity"
	says := func(t *testing.T, w *ledgertest.World, want, never string) {
		t.Helper()
		_, err := w.Do(w.Command(other))
		wantRefusal(t, err, ledger.ReasonKeyReused)
		if m := err.Error(); !strings.Contains(m, want) || strings.Contains(m, never) {
			t.Errorf("it says %q; want %q and not %q", m, want, never)
		}
	}
	t.Run("ended without effect", func(t *testing.T) {
		w := ledgertest.New(t)
		first := rejected(t, w, capture)
		says(t, w, afresh, another)
		second := w.Execute(revising(capture, first))
		says(t, w, another, afresh) // the newest is open
		wantOK(t, second.Says(ledger.OutcomeRejected))
		says(t, w, afresh, another)
	})
	t.Run("done", func(t *testing.T) {
		w := ledgertest.New(t)
		wantOK(t, w.Execute(capture).Says(ledger.OutcomeSucceeded))
		says(t, w, another, afresh)
	})
}

// TestAnotherSuccessorIsRefused: who asks for a fresh try with other arguments than the one that was made is not answered
// from that one.
func TestAnotherSuccessorIsRefused(t *testing.T) {
	w := ledgertest.New(t)
	first := rejected(t, w, capture)
	w.Execute(revising(capture, first))
	other := revising(capture, first)
	other.Args = `{"amount":5000,"currency":"USD","order_id":"order_123"}`
	refusedBy(t, w, w.Command(other), ledger.ReasonRevisionNotAllowed)
}

// reviseGrant gives a grant to try the operation afresh.
func reviseGrant(t *testing.T, w *ledgertest.World, o *ledger.Operation) string {
	t.Helper()
	id := w.ID("gr")
	did[ledger.GrantKept](t, w, grant(func(g *ledger.CreateGrant) {
		g.ID, g.Kind, g.Rule, g.Tool, g.OperationID, g.Fingerprint = id, ledger.GrantRevise, "", o.Tool, o.ID, o.Fingerprint
	}))
	return id
}

// TestAReviseGrantIsForOneOperation: another one with the same arguments is not tried afresh by it.
func TestAReviseGrantIsForOneOperation(t *testing.T) {
	w := ledgertest.New(t)
	apply(t, w, capture.Tool.Name)
	twin := capture
	twin.Key = capture.Key + ":twin"
	a, b := rejected(t, w, capture), rejected(t, w, twin)
	mine, other := revising(capture, a), revising(twin, b)
	mine.ReviseGrant = "gr_none"
	refusedBy(t, w, w.Command(mine), ledger.ReasonGrantNotUsable)
	mine.ReviseGrant = reviseGrant(t, w, a.Now())
	other.ReviseGrant = mine.ReviseGrant
	refusedBy(t, w, w.Command(other), ledger.ReasonGrantNotUsable)
	w.Execute(mine)
}

// TestHowOftenAProposerTriesAfresh: as often as its tool admits; once more takes another person's grant.
func TestHowOftenAProposerTriesAfresh(t *testing.T) {
	w := ledgertest.New(t)
	apply(t, w, capture.Tool.Name)
	w.Policy(nil, capture.Tool.WithRules(func(r *policy.ToolRules) { r.MaxRevisions = 2 }))
	last := rejected(t, w, capture)
	for range 2 {
		last = rejected(t, w, revising(capture, last))
	}
	more := revising(capture, last)
	refusedBy(t, w, w.Command(more), ledger.ReasonRevisionNotAllowed)
	more.ReviseGrant = reviseGrant(t, w, last.Now())
	w.Execute(more)
}
