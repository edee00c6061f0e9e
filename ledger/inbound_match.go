package ledger

import (
	"slices"

	"github.com/opledger/opledger/registry"
)

// References are what an operation is known by at the source of its provider's events, as claims spell them: its client
// reference and vendor key from its creation on, and the ids of what it made as soon as they are known, also from an
// acknowledgement. None where its tool names no source.
func (o *Operation) References() []string {
	source := o.Terms.WebhookSource
	if source == "" || !o.Terms.Mutates() {
		return nil
	}
	all := []string{referenceOf(source, byClientReference, o.ClientReference), referenceOf(source, byVendorKey, o.VendorKey)}
	object := func(id string) { all = append(all, referenceOf(source, byObject, id)) }
	for i := range o.Effects {
		object(o.Effects[i].EffectID)
	}
	for i := range o.Attempts {
		object(o.Attempts[i].EffectID)
	}
	for i := range o.Evidence {
		if e := &o.Evidence[i]; e.Attributed && e.Source != SourcePerson {
			object(e.EffectID)
		}
	}
	if o.Terms.makesObjects() { // an object that is only changed is many operations'
		if o.Result != nil {
			object(o.Result.ProviderObjectID)
		}
		if o.Failure != nil {
			object(o.Failure.ProviderObjectID)
		}
	}
	return distinct(all...)
}

// makesObjects reports whether the tool's effect is an object that its call creates, so that the object's id is the
// effect's.
func (t *Terms) makesObjects() bool {
	return t.Effect == "" || t.Effect == registry.EffectCreatedObject
}

// referenceClaim is the claim by which a reference belongs to one operation of its namespace.
func referenceClaim(ns Namespace, reference string) ClaimID {
	return ClaimID{Namespace: ns, Kind: ClaimReference, Value: reference}
}

// named finds the operation that a reference names, or nil. A revision that keeps its predecessor's vendor key and client
// reference is meant by them from then on.
func named(v *View, ns Namespace, reference string) *Operation {
	held := v.Claims(referenceClaim(ns, reference))
	if len(held) == 0 {
		return nil
	}
	o := v.Operation(ns, held[0].OperationID)
	for o != nil && o.SupersededBy != "" {
		next := v.Operation(ns, o.SupersededBy)
		if next == nil || !slices.Contains(next.References(), reference) {
			break
		}
		o = next
	}
	return o
}

// maxLearned bounds the references that one decision learns, each of which may bring others by the events that wait under
// it. An operation has three as a rule; one with so many objects is an incident that a person sorts out.
const maxLearned = 20

// learnReferences claims the references that the operation has got since it was loaded, and weighs the events that came
// before it had them. What an event brings may be a reference again.
func (d *draft) learnReferences() {
	if d.op.Terms.WebhookSource == "" {
		return
	}
	for reference := d.newReference(); reference != "" && len(d.learned) < maxLearned; reference = d.newReference() {
		d.learned = append(d.learned, reference)
		id := referenceClaim(d.op.Namespace, reference)
		if held, ok := d.view.ClaimIfKnown(id); ok && held.OperationID != d.op.ID {
			continue // another's; the object itself is weighed where effects are attributed
		}
		d.claims = append(d.claims, Claim{ClaimID: id, OperationID: d.op.ID})
		d.hearAwaited(reference)
	}
	d.hearLastWord()
}

// newReference is a reference that is not claimed yet; empty where there is none.
func (d *draft) newReference() string {
	var before []string
	switch o := d.op; {
	case !d.created:
		before = d.view.Operation(o.Namespace, o.ID).References()
	case o.Supersedes != "":
		before = d.view.Operation(o.Namespace, o.Supersedes).References() // of the same request, which its events go on to name
	}
	for _, reference := range d.op.References() {
		if !slices.Contains(before, reference) && !slices.Contains(d.learned, reference) {
			return reference
		}
	}
	return ""
}

// hearAwaited weighs the events that wait under a reference.
func (d *draft) hearAwaited(reference string) {
	ns := d.op.Namespace
	waiting, _ := drafted[AwaitedReference](d, AwaitedKey(ns, reference))
	if len(waiting.Events) == 0 {
		return
	}
	var reads []Read
	for _, w := range waiting.Events {
		reads = append(reads, RecordKey{RecordInbound, ns, w.ID}.Read())
	}
	d.view.needAll(reads)
	for _, w := range waiting.Events {
		e, found := drafted[InboundEvent](d, RecordKey{RecordInbound, ns, w.ID})
		if !found || e.Operation != "" {
			continue // matched by another of its references
		}
		e.Operation = d.op.ID
		d.put(e)
		d.hear(e)
	}
	waiting.Events = nil
	d.put(waiting)
}

// awaited reports whether events wait for the operation.
func (d *draft) awaited() bool {
	for _, reference := range d.op.References() {
		if waiting, _ := recordOf[AwaitedReference](d.view, AwaitedKey(d.op.Namespace, reference)); len(waiting.Events) > 0 {
			return true
		}
	}
	return false
}

// heard gives a new operation what its provider told of it before it was made, as happens after a loss of the ledger's
// tail: its references are derived, so the same come again. It answers where that leaves no permit to give, else nil.
func (s *proposal) heard(d *draft) *Answer {
	if !d.awaited() {
		return nil
	}
	d.move(Planned)
	d.learnReferences()
	if d.op.State == Planned {
		return nil
	}
	a := s.answerFrom(d)
	a.Created = true
	return a
}
