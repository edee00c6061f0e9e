package ledger

import (
	"slices"
	"time"
)

// hear weighs an event as its operation's evidence.
func (d *draft) hear(e *InboundEvent) {
	s := &Statement{
		ID: e.EvidenceID, Source: SourceWebhook, Says: e.Says, Sender: e.Source, EventID: e.EventID, ObservedAt: e.observedAt(),
		VendorKey: e.VendorKey, ClientReference: e.ClientReference, EffectID: e.EffectID, ObjectID: e.ObjectID, ResultJSON: e.ResultJSON,
	}
	if s.EffectID == "" && d.op.Terms.makesObjects() {
		s.EffectID = e.ObjectID
	}
	r := &Reconcile{Namespace: d.op.Namespace, Principal: e.By, OperationID: d.op.ID, Statement: s, Jitter: d.jitter}
	_, _ = r.take(d, d.op.Version) // refuses only an evidence id that came with another statement: that one stands
}

// refers reports whether a webhook's statement carries a reference of the operation, as its source spells them.
func (o *Operation) refers(s *Statement) bool {
	own := o.References()
	e := InboundEvent{Source: s.Sender, ClientReference: s.ClientReference, VendorKey: s.VendorKey, EffectID: s.EffectID, ObjectID: s.ObjectID}
	return slices.ContainsFunc(e.references(), func(reference string) bool { return slices.Contains(own, reference) })
}

// observedAt is when the source observed what the event says, at the latest: as it says itself, and never after the event
// was here.
func (e *InboundEvent) observedAt() time.Time {
	if e.EventTime.IsZero() || e.EventTime.After(e.ReceivedAt) {
		return e.ReceivedAt
	}
	return e.EventTime
}

// observed says of which attempts a webhook's "no" speaks: of those that existed when it was observed. Where there is but
// one the event can be about no other, since it carries this revision's own reference: a source whose clock counts whole
// seconds would otherwise seem to speak of the time before it.
func (o *Operation) observed(at time.Time) (attempts int64) {
	if len(o.Attempts) == 1 && o.Supersedes == "" {
		return 1
	}
	for i := range o.Attempts {
		if !o.Attempts[i].GrantedAt.After(at) {
			attempts = o.Attempts[i].Number
		}
	}
	return attempts
}

// hearLastWord lets a webhook's "no" that came before the acknowledgement finish it, once no permit is out.
func (d *draft) hearLastWord() {
	if d.op.State != Acknowledged {
		return
	}
	for i := range d.op.Evidence {
		if e := &d.op.Evidence[i]; e.Says == SaysNot && !e.Counted {
			d.finishTakenOn(e)
		}
	}
	d.settleAfterAbsence()
}

// finishTakenOn: the provider's last word on what it took on. An acknowledgement bars "not found", not this: it comes
// from the provider itself, of a request that had arrived, so neither flight nor propagation is to be waited for. It
// speaks for the attempt whose object it names, or, where that is nobody's, for the only one that may have had the effect,
// if no other object is known to be that one's: a provider may make several under one reference, of which one fails and
// another goes on.
func (d *draft) finishTakenOn(e *Evidence) {
	if e.Source != SourceWebhook || e.AskedAt.IsZero() { // it has a time only where it is the operation's own
		return
	}
	sole := d.soleOpenAttempt()
	named := e.EffectID != "" && slices.ContainsFunc(d.op.Attempts, func(a Attempt) bool { return a.EffectID == e.EffectID })
	for i := range d.op.Attempts {
		a := &d.op.Attempts[i]
		if !a.Acknowledged || a.Verdict != VerdictOpen || a.Number > e.Attempts {
			continue
		}
		speaks := a.EffectID == e.EffectID
		if !named {
			speaks = a.Number == sole && (e.EffectID == "" || a.EffectID == "")
		}
		if speaks {
			d.clear(a, "the provider's last word, by its event")
			e.Counted, e.Why = true, "the provider's last word on what it took on"
		}
	}
}
