package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestAnAcknowledgementAfterItsEnd: what the provider took on and has finished may be told once more, by the same report or
// in another's words. It is a repeat, and nothing new.
func TestAnAcknowledgementAfterItsEnd(t *testing.T) {
	for name, id := range map[string]ledger.EvidenceID{"the same report": "rep_ack", "another that says the same": "rep_other"} {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		acknowledged := h.Report(ledger.OutcomeAcknowledge, func(r *ledger.Report) { r.ReportID = "rep_ack" })
		_, err := w.Do(acknowledged)
		wantOK(t, err)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		before := h.Now().Version
		acknowledged.ReportID = id
		reply, err := w.Do(acknowledged)
		if err != nil || !reply.(*ledger.Reported).Repeated || h.Now().Version != before {
			t.Errorf("%s: %+v, %v, and the version goes from %d to %d", name, reply, err, before, h.Now().Version)
		}
	}
}

// TestWhatAnAttemptSaid is kept with it where it said anything beside its outcome.
func TestWhatAnAttemptSaid(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeNotSent, func(r *ledger.Report) { r.Code = "dns" }))
	if said := h.Now().Attempts[0].Said; said == nil || said.Code != "dns" {
		t.Errorf("it said that %+v", said)
	}
	w.Advance(time.Hour)
	h = w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	if said := h.Now().Attempts[1].Said; said != nil {
		t.Errorf("one that said nothing more said that %+v", said)
	}
}

// TestAReportWithTheProvidersIDIsAReceipt, whichever of the two ids it is, and without one it is a claim.
func TestAReportWithTheProvidersIDIsAReceipt(t *testing.T) {
	for name, c := range map[string]struct {
		effect, object string
		want           ledger.Grade
	}{
		"none":       {"", "", ledger.GradeClaim},
		"the effect": {"ch_1", "", ledger.GradeReceipt},
		"the object": {"", "order_1", ledger.GradeReceipt},
		"both":       {"ch_1", "order_1", ledger.GradeReceipt},
	} {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, func(r *ledger.Report) { r.EffectID, r.ObjectID = c.effect, c.object }))
		if got := h.Now().Result.Grade; got != c.want {
			t.Errorf("%s: the grade is %d", name, got)
		}
	}
}

// TestWhatALateSuccessLeavesOfTheFirstReport: the first report of an attempt stands beside it, except of what the provider
// had only taken on. That the provider replayed is kept either way.
func TestWhatALateSuccessLeavesOfTheFirstReport(t *testing.T) {
	for first, want := range map[ledger.Outcome]ledger.Outcome{
		ledger.OutcomeAmbiguous:   ledger.OutcomeAmbiguous,
		ledger.OutcomeAcknowledge: ledger.OutcomeSucceeded,
		"":                        ledger.OutcomeSucceeded,
	} {
		for _, replayed := range []bool{false, true} {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			if first != "" {
				wantOK(t, h.Says(first))
			}
			w.Advance(10 * time.Minute) // the permit is over, and so is the time to finish
			w.RunDue()
			wantState(t, h.Now(), ledger.UnknownOutcome)
			err := h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1"), func(r *ledger.Report) { r.Replayed = replayed })
			wantRefusal(t, err, ledger.ReasonStaleAttempt)
			wantState(t, h.Now(), ledger.CompletedSuccess)
			if a := h.Now().Attempts[0]; a.Outcome != want || a.ProviderReplay != replayed {
				t.Errorf("%q, then a late success: the outcome is %s, want %s; that it was a replay: %t, want %t", first, a.Outcome, want, a.ProviderReplay, replayed)
			}
		}
	}
}

// TestOfAnothersEffect: a report of an object that is another operation's ends the permit once its sender has returned.
func TestOfAnothersEffect(t *testing.T) {
	other := capture
	other.Key, other.Args = "payment:order_9", `{"order_id":"order_9"}`
	for returned, want := range map[bool]ledger.State{true: ledger.UnknownOutcome, false: ledger.Dispatched} {
		w := ledgertest.New(t)
		wantOK(t, w.Execute(capture).Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		h := w.Execute(other)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1"), func(r *ledger.Report) { r.SenderReturned = returned }))
		o := h.Now()
		wantState(t, o, want)
		if out := o.Live != 0; out == returned {
			t.Errorf("the sender has returned: %t, and its permit is out: %t", returned, out)
		}
	}
}

// TestTheTimeToFinishGrows by what the provider states later, and never shrinks.
func TestTheTimeToFinishGrows(t *testing.T) {
	for name, c := range map[string]struct {
		more, want time.Duration // from the second statement; from the first
	}{
		"no time":     {0, 10 * time.Minute},
		"less than":   {time.Minute, 10 * time.Minute},
		"as much as":  {9 * time.Minute, 10 * time.Minute},
		"more time":   {20 * time.Minute, 21 * time.Minute},
		"nonsense":    {-time.Minute, 10 * time.Minute},
		"just beyond": {9*time.Minute + time.Second, 10*time.Minute + time.Second},
	} {
		w := ledgertest.New(t)
		call := capture
		call.Tool = call.Tool.With(func(t *ledger.Terms) { t.TimeToFinish = time.Hour })
		h := w.Execute(call)
		since := w.Now
		wantOK(t, h.Says(ledger.OutcomeAcknowledge, func(r *ledger.Report) { r.FinishWithin = 10 * time.Minute }))
		w.Advance(time.Minute)
		wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1"), func(r *ledger.Report) { r.FinishWithin = c.more }))
		wantState(t, h.Now(), ledger.Acknowledged)
		if got := h.Now().FinishBy.Sub(since); got != c.want {
			t.Errorf("%s: it is to finish within %s, want %s", name, got, c.want)
		}
	}
}

// TestWhichOfTwoResultsStands: the stronger, else the first one of an effect, else the later. The other fills in what it lacks.
func TestWhichOfTwoResultsStands(t *testing.T) {
	for name, c := range map[string]struct {
		first, then ledger.Outcome
		ids         [2]string
		want        string
	}{
		"the later is stronger":                 {ledger.OutcomeAcknowledge, ledger.OutcomeSucceeded, [2]string{"", "ch_1"}, "then"},
		"the first is stronger":                 {ledger.OutcomeAcknowledge, ledger.OutcomeSucceeded, [2]string{"ch_1", ""}, "first"},
		"alike, the first only under way":       {ledger.OutcomeAcknowledge, ledger.OutcomeSucceeded, [2]string{"ch_1", "ch_1"}, "then"},
		"alike, the first of an effect":         {ledger.OutcomeSucceeded, ledger.OutcomeSucceeded, [2]string{"ch_1", "ch_2"}, "first"},
		"of an effect, the later is stronger":   {ledger.OutcomeSucceeded, ledger.OutcomeSucceeded, [2]string{"", "ch_1"}, "then"},
		"alike, both without the provider's id": {ledger.OutcomeAcknowledge, ledger.OutcomeSucceeded, [2]string{"", ""}, "then"},
	} {
		for _, artifact := range []string{"first", "then"} { // whose there is
			w := ledgertest.New(t)
			h := w.Execute(capture)
			for i, outcome := range []ledger.Outcome{c.first, c.then} {
				name := []string{"first", "then"}[i]
				_, _ = w.Do(h.Report(outcome, ledgertest.Effect(c.ids[i]), func(r *ledger.Report) {
					r.ResultJSON = []byte(name)
					if name == artifact {
						r.Artifacts = []ledger.Artifact{{Name: artifact}}
					}
				}))
				w.Advance(time.Second)
			}
			r := h.Now().Result
			if string(r.JSON) != c.want || len(r.Artifacts) != 1 || r.Artifacts[0].Name != artifact {
				t.Errorf("%s: it is %s, with the artifacts %v; want %s, with the %s", name, r.JSON, r.Artifacts, c.want, artifact)
			}
		}
	}
}
