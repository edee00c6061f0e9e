package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/opledger/opledger/eval"
)

// effect is something that the provider has done.
type effect struct {
	eval.Effect
	collection string
	undoes     string
	body       []byte
	finished   time.Time // until then it is pending
	shown      time.Time // from then on lookups find it
	byTurns    bool      // before that, some of the replicas show it
	downUntil  time.Time // until then lookups that concern it fail
}

// make makes the effect of a request.
func (p *Provider) make(r Request, b behaviour, k *key, at time.Time) *effect {
	a := p.account(r.BusinessKey)
	e := &effect{
		Effect: eval.Effect{
			ID: name(singular(r.Collection), r.Collection, r.BusinessKey, len(a.effects)), Key: r.BusinessKey, VendorKey: r.VendorKey,
			Reference: r.ClientReference, At: at,
		},
		collection: r.Collection, undoes: r.Undoes, body: r.Body, finished: at, shown: at, byTurns: b.shows == byTurns,
	}
	if b.makes == accept {
		e.finished = at.Add(p.profile.Finish)
	}
	if b.shows == afterLag || b.shows == byTurns {
		e.shown = at.Add(p.profile.Lag)
	}
	e.befall(b, p.profile, at)
	if k != nil {
		k.made = e
	}
	if undone := p.effects.byID[r.Undoes]; r.Method == Undo && undone != nil {
		undone.Undone = true
	}
	a.effects = append(a.effects, e)
	p.effects.add(e)
	p.announce(e, a, b)
	return e
}

// befall lets happen to lookups what the fault says, to a new effect or to one that a key stands for.
func (e *effect) befall(b behaviour, p Profile, now time.Time) {
	if b.lookupsDown {
		e.downUntil = now.Add(p.Outage)
	}
	if b.shows == afterLies {
		e.shown = now.Add(p.Lag + p.Overrun)
	}
}

// name makes the name of the n-th thing of a kind under a business key. It depends on nothing else, so that one run has the
// same names whatever else the provider does.
func name(prefix, kind, businessKey string, n int) string {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%s\x00%d", kind, businessKey, n)))
	return prefix + "_" + hex.EncodeToString(sum[:8])
}

// singular is what names of a collection's objects begin with: "charge" of "charges".
func singular(collection string) string {
	if n := len(collection); n > 1 && collection[n-1] == 's' {
		return collection[:n-1]
	}
	return collection
}

// Object is an effect as the provider shows it.
type Object struct {
	ID              string          `json:"id"`
	Collection      string          `json:"collection"`
	Status          string          `json:"status"` // Succeeded or Pending
	ClientReference string          `json:"client_reference,omitempty"`
	VendorKey       string          `json:"idempotency_key,omitempty"`
	Created         time.Time       `json:"created"`
	Undoes          string          `json:"undoes,omitempty"`
	Undone          bool            `json:"undone,omitempty"`
	Parameters      json.RawMessage `json:"parameters,omitempty"`
}

// What an object's status says. Failed is told by webhooks only, of a try that came before a good one.
const (
	Succeeded = "succeeded"
	Pending   = "pending"
	Failed    = "failed"
)

// object is the effect as it looks at a time.
func (e *effect) object(now time.Time) Object {
	o := Object{
		ID: e.ID, Collection: e.collection, Status: Succeeded, ClientReference: e.Reference, VendorKey: e.VendorKey, Created: e.At,
		Undoes: e.undoes, Undone: e.Undone,
	}
	if json.Valid(e.body) {
		o.Parameters = e.body
	}
	if e.finished.After(now) {
		o.Status = Pending
	}
	return o
}
