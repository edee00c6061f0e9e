package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// InboundEvent is an event that a provider or another system sent, stored once for each (source, event id). Of its body
// the ledger keeps what it uses and a digest: bodies hold customers' data, and the source keeps them.
type InboundEvent struct {
	row
	Source    string `json:"source"`
	EventID   string `json:"event_id"`
	EventType string `json:"event_type,omitempty"`
	// Says is what the source's settings make of the event; empty: it says nothing of an effect.
	Says Says `json:"says,omitempty"`
	// ClientReference, VendorKey and ObjectID are the references that the event carries; any of them names its operation.
	ClientReference string `json:"client_reference,omitempty"`
	VendorKey       string `json:"vendor_key,omitempty"`
	ObjectID        string `json:"object_id,omitempty"`
	// EffectID is the effect's own id, where that is not the object's.
	EffectID   string      `json:"effect_id,omitempty"`
	ResultJSON []byte      `json:"result_json,omitempty"`
	Digest     string      `json:"digest,omitempty"` // "sha256:" and the hex hash of the body as it came
	EvidenceID EvidenceID  `json:"evidence_id"`      // of the statement that it is to its operation
	By         Principal   `json:"by"`               // who handed it in
	EventTime  time.Time   `json:"event_time,omitzero"`
	ReceivedAt time.Time   `json:"received_at"`
	Operation  OperationID `json:"operation_id,omitempty"` // that it was matched to; empty: none
}

// The statuses of inbound events.
const (
	InboundMatched = "matched"
	InboundWaiting = "waiting" // for an operation that has one of its references
	InboundNoted   = "noted"   // it says nothing of an effect, or carries no reference: nothing more comes of it
)

// InboundKey names an event by its source and its id there. The id has a length before its source, so that no two pairs
// are spelled alike; a pair that is too long for a row's name is named by its hash.
func InboundKey(ns Namespace, source, eventID string) RecordKey {
	return RecordKey{RecordInbound, ns, nameOf(source, eventID)}
}

// Key names it.
func (e *InboundEvent) Key() RecordKey { return e.key(RecordInbound) }

// Index lists events by the operation that they were matched to, and by whether they wait for one.
func (e *InboundEvent) Index() RecordIndex {
	return RecordIndex{Status: e.Status(), Subject: string(e.Operation), At: e.ReceivedAt}
}

// Status says whether the event was matched, waits, or is only noted.
func (e *InboundEvent) Status() string {
	switch {
	case e.Operation != "":
		return InboundMatched
	case e.Says != "" && len(e.references()) > 0:
		return InboundWaiting
	}
	return InboundNoted
}

// references are those that the event carries, the surest first: what the ledger itself gave to the provider, then what
// the provider made.
func (e *InboundEvent) references() []string {
	return distinct(
		referenceOf(e.Source, byClientReference, e.ClientReference), referenceOf(e.Source, byVendorKey, e.VendorKey),
		referenceOf(e.Source, byObject, e.EffectID), referenceOf(e.Source, byObject, e.ObjectID),
	)
}

// AwaitedReference lists inbound events that came before the operation that they are about. Its id is the reference.
type AwaitedReference struct {
	row
	Events []AwaitedEvent `json:"events"`
	At     time.Time      `json:"at"` // of the last event that joined
}

// AwaitedEvent is an event that waits.
type AwaitedEvent struct {
	ID   string `json:"id"` // of RecordInbound
	Says Says   `json:"says"`
}

// maxAwaited bounds the events that wait under one reference. The oldest that does not say that the effect exists makes
// room, so that no babbling source keeps a presence out.
const maxAwaited = 100

// AwaitedKey names the events that wait for an operation with a reference.
func AwaitedKey(ns Namespace, reference string) RecordKey {
	return RecordKey{RecordAwaited, ns, reference}
}

// Key names it.
func (a *AwaitedReference) Key() RecordKey { return a.key(RecordAwaited) }

// Index is that of a kind which is found by its key alone.
func (a *AwaitedReference) Index() RecordIndex { return RecordIndex{At: a.At} }

// join lets an event wait.
func (a *AwaitedReference) join(e *InboundEvent) {
	events := append([]AwaitedEvent(nil), a.Events...)
	if len(events) >= maxAwaited {
		oldest := 0
		for i := range events {
			if events[i].Says != SaysHappened {
				oldest = i
				break
			}
		}
		events = append(events[:oldest], events[oldest+1:]...)
	}
	a.Events, a.At = append(events, AwaitedEvent{ID: e.ID, Says: e.Says}), e.ReceivedAt
}

// The kinds of references, each with values of its own: a vendor key never names what an object's id does.
const (
	byClientReference = "client_reference"
	byVendorKey       = "vendor_key"
	byObject          = "object"
)

// referenceOf is a reference as rows and claims spell it; empty where there is no value. It is one source's own: a source
// sends the events of one account at one provider, and two of them may number their objects alike.
func referenceOf(source, kind, value string) string {
	if value == "" {
		return ""
	}
	return nameOf(source, kind, value)
}

// longestName is the longest text that names a row; row names have at most 600 bytes.
const longestName = 500

// nameOf joins parts so that they keep their borders: each but the last has its length before it. What is too long is
// named by its hash, which no joined name looks like, since those begin with a number.
func nameOf(parts ...string) string {
	name := ""
	for i, p := range parts {
		if i < len(parts)-1 {
			name += strconv.Itoa(len(p)) + ":" + p + "/"
			continue
		}
		name += p
	}
	if len(name) <= longestName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// distinct leaves out empty texts and repeats.
func distinct(texts ...string) []string {
	var all []string
	for _, t := range texts {
		repeated := t == ""
		for _, have := range all {
			repeated = repeated || have == t
		}
		if !repeated {
			all = append(all, t)
		}
	}
	return all
}
