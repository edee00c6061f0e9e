package smallworld

import (
	"slices"
	"time"

	"github.com/opledger/opledger/ledger"
)

// heard reports whether a report has come before.
func heard(o *ledger.Operation, id ledger.EvidenceID) bool {
	for i := range o.Attempts {
		if a := &o.Attempts[i]; a.ReportID == id || a.EarlierReportID == id {
			return true
		}
	}
	return slices.ContainsFunc(o.Evidence, func(e ledger.Evidence) bool { return e.ID == id })
}

// operation writes an operation as far as it decides anything.
func (e *encoder) operation(o *ledger.Operation, r rules) {
	if o == nil {
		return
	}
	e.text(string(o.State))
	e.numbers(int(o.Live), tickOf(o.FinishBy), len(o.Attempts), len(o.Effects))
	e.flags(o.PresenceSaid, o.Settled != nil, o.Cancel != nil, o.Human != nil, o.ResendCleared)
	e.flags(!o.BlockingSince.IsZero()) // the first to be kept waiting changes the operation, and makes claims of its work stale
	if r.keyed() {
		e.numbers(tickOf(o.VendorKeySince))
	}
	for i := range o.Attempts {
		e.attempt(&o.Attempts[i])
	}
	for i := range o.Effects {
		e.text(effectNumber(o.Effects[i].EffectID))
	}
	if l := o.Looking; l != nil {
		since := l.AskedAt
		if o.StateSince.After(since) {
			since = o.StateSince
		}
		e.numbers(l.Tries, l.Late, tickOf(since), soonest(l.NextAt))
	}
	if !o.CheckAt.IsZero() {
		e.numbers(soonest(o.CheckAt))
	}
	e.waiting(o)
}

func (e *encoder) attempt(a *ledger.Attempt) {
	if a.Verdict == ledger.VerdictOpen {
		e.numbers(tickOf(a.Deadline), tickOf(a.ReportedAt), tickOf(a.GreatestEnd))
	}
	e.flags(a.Begun(), a.Acknowledged, a.HandedAgain, a.ReportID != "", a.EarlierReportID != "", a.Extension != "", a.EndedAt.IsZero())
	e.text(a.NonceHash)
	e.text(string(a.Outcome))
	e.text(string(a.Verdict) + effectNumber(a.EffectID))
}

// waiting writes the "no" statements that have not counted and may: of those about the same attempts the latest does if
// any does.
func (e *encoder) waiting(o *ledger.Operation) {
	var asked [attempts + 1]int
	for i := range o.Evidence {
		if s := &o.Evidence[i]; s.Says == ledger.SaysNot && !s.Counted && s.Attempt == 0 && openUpTo(o, s.Attempts) {
			asked[s.Attempts] = max(asked[s.Attempts], tickOf(s.AskedAt))
		}
	}
	e.numbers(asked[:]...)
}

func openUpTo(o *ledger.Operation, n int64) bool {
	return slices.ContainsFunc(o.Attempts, func(a ledger.Attempt) bool { return a.Number <= n && a.Verdict == ledger.VerdictOpen })
}

// lease writes the lease that a workflow holds, and whether the live permit was given under it.
func (e *encoder) lease(w *world, i int) {
	held, under := 0, ""
	if o := w.operation(i); o != nil && o.Live != 0 {
		under = o.Attempts[o.Live-1].LeaseID
	}
	l := w.lease(i)
	if l != nil {
		held = int(l.ExpiresAt.Sub(timeOf(0))/time.Duration(tick)) + 1
	}
	e.numbers(held)
	e.flags(under != "", l != nil && l.ID == under)
}
