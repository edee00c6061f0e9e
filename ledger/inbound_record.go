package ledger

import "time"

// RecordEvent takes in one event: it is stored, matched to its operation and weighed, in one transaction, once for each
// (source, event id). There is no state between: an event is either not here, or all that it causes is.
type RecordEvent struct {
	Namespace Namespace
	Principal Principal
	Source    string // whose event it is; only operations whose tool names the same source are met
	EventID   string
	EventType string
	Says      Says // empty: the event says nothing of an effect
	// ClientReference, VendorKey, ObjectID and EffectID are what the event carries. Empty: it does not.
	ClientReference, VendorKey, ObjectID, EffectID string
	EventTime                                      time.Time // by the source's clock; zero: it does not say
	ResultJSON                                     []byte
	Digest                                         string // of the body as it came
	NewEvidence                                    EvidenceID
	Jitter                                         float64
}

// EventRecorded is the reply.
type EventRecorded struct {
	// Deduplicated: the same event came before, and nothing was done again.
	Deduplicated bool
	Event        *InboundEvent
	Operation    *Operation // that the event changed now; nil: none
}

// Claims are none: references are claimed by operations.
func (r *RecordEvent) Claims() []Claim { return nil }

// Reads are the event, whoever holds its references, and what waits under them with it.
func (r *RecordEvent) Reads(v *View) []Read {
	reads := []Read{r.key().Read()}
	for _, reference := range r.event(v.Now).references() {
		claim := referenceClaim(r.Namespace, reference).Read()
		reads = append(reads, claim)
		for _, held := range v.claims[claim] {
			reads = append(reads, readsOf(v, r.Namespace, held.OperationID)...)
		}
	}
	return reads
}

func (r *RecordEvent) key() RecordKey { return InboundKey(r.Namespace, r.Source, r.EventID) }

// event is the event as it is to be kept.
func (r *RecordEvent) event(now time.Time) *InboundEvent {
	e := &InboundEvent{
		Source: r.Source, EventID: r.EventID, EventType: r.EventType, Says: r.Says, ClientReference: r.ClientReference,
		VendorKey: r.VendorKey, ObjectID: r.ObjectID, EffectID: r.EffectID, ResultJSON: r.ResultJSON, Digest: r.Digest,
		EvidenceID: r.NewEvidence, By: r.Principal, EventTime: r.EventTime, ReceivedAt: now,
	}
	e.place(r.Namespace, r.key().ID, 1)
	return e
}

// Decide stores the event and weighs it, or lets it wait for its operation.
func (r *RecordEvent) Decide(v *View, env Env) Decided {
	if kept, found := recordOf[InboundEvent](v, r.key()); found {
		own := kept.EvidenceID == r.NewEvidence // a retry that sees its own write
		return Decided{Reply: &EventRecorded{Event: kept, Deduplicated: !own}}
	}
	e := r.event(v.Now)
	for _, reference := range e.references() {
		if o := named(v, r.Namespace, reference); o != nil {
			return r.matched(v, env, e, o)
		}
	}
	changes := &Changes{Records: []Record{e}}
	if e.Status() == InboundWaiting {
		for _, reference := range e.references() {
			key := AwaitedKey(r.Namespace, reference)
			have, _ := recordOf[AwaitedReference](v, key)
			next := *have
			next.place(key.Namespace, key.ID, have.RowVersion()+1)
			next.join(e)
			changes.Records = append(changes.Records, &next)
		}
	}
	return Decided{Reply: &EventRecorded{Event: e}, Changes: changes}
}

// matched weighs the event for the operation that it names. Where its references name several the surest decides: that
// its object is another's is found out when it is weighed.
func (r *RecordEvent) matched(v *View, env Env, e *InboundEvent, o *Operation) Decided {
	e.Operation = o.ID
	reply := &EventRecorded{Event: e}
	if e.Says == "" {
		return Decided{Reply: reply, Changes: &Changes{Records: []Record{e}}}
	}
	d := change(v, env, o, r.Principal, r.Jitter)
	d.tick()
	d.hear(e)
	changes := d.changes()
	if changes == nil {
		changes = &Changes{} // the very statement was handed in before, as evidence
	}
	changes.Records = append(changes.Records, e)
	reply.Operation = d.op
	return Decided{Reply: reply, Changes: changes}
}
