package ledger

import (
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/registry"
)

// MaxEvidence bounds how many statements are kept with one operation. The oldest that did not count makes room, so that
// a babbling source never keeps a person's word out; all of them stay events.
const MaxEvidence = 200

// keep keeps a statement with the operation.
func (d *draft) keep(e Evidence) *Evidence {
	d.event(EventEvidence, e.Attempt, "evidence_id", string(e.ID), "source", string(e.Source), "says", string(e.Says),
		"effect_id", e.EffectID, "why", e.Why)
	if len(d.op.Evidence) >= MaxEvidence {
		oldest := max(0, slices.IndexFunc(d.op.Evidence, func(e Evidence) bool { return !e.Counted }))
		d.op.Evidence = slices.Delete(d.op.Evidence, oldest, oldest+1)
	}
	d.op.Evidence = append(d.op.Evidence, e)
	return &d.op.Evidence[len(d.op.Evidence)-1]
}

// weigh weighs every kept "no" that has not counted yet, once no permit is out. While one is, a "no" from anyone but its
// holder waits here until the attempt ends.
func (d *draft) weigh() {
	if d.op.Live != 0 {
		return
	}
	for i := len(d.op.Evidence) - 1; i >= 0; i-- { // the newest first, so that it is the one that counts
		e := &d.op.Evidence[i]
		if e.Says == SaysNot && !e.Counted && e.Attempt == 0 {
			d.weighAbsence(e)
		}
	}
}

// emptyAnswers counts the clean empty answers of one way of looking that are like this one, by their questions: two
// answers under one ticket are one. It also says how many the provider's profile asks for. Other sources are heard once.
func (d *draft) emptyAnswers(like *Evidence) (have, need int) {
	o := d.op
	way := o.Terms.way(like.AskedBy)
	if like.Source != SourceLookup || way == nil {
		return 1, 1
	}
	quiet := o.quietAt(like.Attempts, d.env, o.stallCounts())
	asked := map[time.Time]bool{}
	for i := range o.Evidence {
		e := &o.Evidence[i]
		if e.Source == SourceLookup && e.Says == SaysNot && e.AskedBy == like.AskedBy && e.Attempts >= like.Attempts &&
			!e.AskedAt.IsZero() && !e.AskedAt.Before(quiet) {
			asked[e.AskedAt] = true
		}
	}
	return len(asked), max(1, way.EmptyAnswers)
}

func fewAnswers(have, need int) string {
	return fmt.Sprintf("it is %d of the %d clean empty answers that the provider's profile asks for", have, need)
}

// weighAbsence lets one "no" clear what it speaks for: the attempts that existed when it was asked, if it was asked after
// all of them could still send, fly and show.
func (d *draft) weighAbsence(e *Evidence) {
	d.finishTakenOn(e)
	o := d.op
	switch {
	case e.Counted:
		return
	case e.AskedAt.IsZero():
		e.Why = first(e.Why, "it does not say when it was asked")
		return
	case e.AskedAt.Before(o.quietAt(e.Attempts, d.env, false)):
		e.Why = "asked before the effect of the last attempt must show"
		return
	}
	if e.Source == SourcePerson && o.PresenceSaid && !e.Overrules {
		e.Why = "somebody has said that the effect exists, which outranks a word against it; a recorded decision overrules it: state overrule"
		return
	}
	counts := !e.AskedAt.Before(o.quietAt(e.Attempts, d.env, o.stallCounts() || e.Source == SourcePerson))
	if counts && e.Source == SourcePerson && e.Became != BecameContradicts {
		e.Counted, e.Why = true, "a person's decision"
	}
	have, need := d.emptyAnswers(e)
	for i := range o.Attempts {
		a := &o.Attempts[i]
		if a.Verdict != VerdictOpen || a.Number > e.Attempts {
			continue
		}
		switch {
		case counts && have < need:
			e.Became, e.Why = BecameWaiting, fewAnswers(have, need)
		case counts && (o.clearable(a) || e.Source == SourcePerson):
			d.clear(a, "not found by "+string(e.Source))
			e.Counted, e.Why = true, "it cleared what it speaks for"
		case !counts && o.Terms.Class == registry.ExternalIdempotentWrite && e.Attempts == int64(len(o.Attempts)):
			// A silent attempt may still wake: the same request may be sent under the same key, and nothing more.
			o.ResendCleared = true
			e.Why = "it permits a resend under the same key, not an end"
		case !counts:
			e.Why = "asked within the stall allowance of an attempt that never reported"
		default:
			e.Why = "absence never clears this attempt; its provider's last word or a person does"
		}
	}
	if e.Attempts == int64(len(o.Attempts)) && o.Terms.Class == registry.ExternalIdempotentWrite {
		o.ResendCleared = true
	}
}

// happened takes a statement that the effect exists.
func (d *draft) happened(e *Evidence, attempt int64) {
	o := d.op
	switch {
	case e.Source == SourcePerson:
		if !d.attribute(attempt, e.EffectID) {
			return // even a person cannot give one object to two operations
		}
		d.effectBeside(0, e.EffectID)
		if !o.effectKnown() {
			o.Settled = &Settled{By: e.By, At: d.now, Note: first(e.Reason, e.Note)}
		}
		e.Attributed, e.Counted = true, true
	case !e.Attributed:
		e.Why = "it carries neither this operation's vendor key nor its client reference nor a known object: neither presence nor absence"
		return
	default:
		if e.EffectID == "" && !o.effectKnown() {
			// Attributed by its reference, though no object was named.
			o.Settled = &Settled{By: e.By, At: d.now, Note: "found by " + string(e.Source)}
		}
		if !d.attribute(attempt, e.EffectID) {
			return
		}
		d.effectBeside(0, e.EffectID)
		e.Counted = true
	}
	o.PresenceSaid = true
	o.FinishBy = time.Time{}
}
