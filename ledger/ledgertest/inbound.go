package ledgertest

import (
	"fmt"
	"slices"

	"github.com/opledger/opledger/ledger"
)

// Event makes the taking in of an event.
func (w *World) Event(source, id string, says ledger.Says, change ...func(*ledger.RecordEvent)) *ledger.RecordEvent {
	r := &ledger.RecordEvent{
		Namespace: North, Principal: "hooks", Source: source, EventID: id, Says: says,
		NewEvidence: ledger.EvidenceID(w.ID("ev")), Jitter: 0.5,
	}
	for _, c := range change {
		c(r)
	}
	return r
}

// Hear takes in an event and expects it to be taken.
func (w *World) Hear(r *ledger.RecordEvent) *ledger.EventRecorded {
	w.t.Helper()
	reply, err := w.Do(r)
	if err != nil {
		w.t.Fatalf("event %s of %s: %v", r.EventID, r.Source, err)
	}
	return reply.(*ledger.EventRecorded)
}

// auditReferences checks that each reference of an operation is claimed, by it or by another that had it first, and that
// no event waits under a reference that somebody has.
func (w *World) auditReferences(o *ledger.Operation) error {
	for _, reference := range o.References() {
		id := ledger.ClaimID{Namespace: o.Namespace, Kind: ledger.ClaimReference, Value: reference}
		if _, claimed := w.rows.claims[id]; !claimed {
			return fmt.Errorf("nobody claims its reference %q", reference)
		}
		waiting, _ := w.Record(ledger.AwaitedKey(o.Namespace, reference)).(*ledger.AwaitedReference)
		if waiting != nil && len(waiting.Events) > 0 {
			return fmt.Errorf("%d events wait under its reference %q", len(waiting.Events), reference)
		}
	}
	return nil
}

// auditReference checks that an operation has the reference that it claims.
func auditReference(id ledger.ClaimID, o *ledger.Operation) error {
	if !slices.Contains(o.References(), id.Value) {
		return fmt.Errorf("operation %s does not have it", o.ID)
	}
	return nil
}
