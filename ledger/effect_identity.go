package ledger

import "github.com/opledger/opledger/registry"

// identified sorts what a report or a statement names as the effect and as the object, by what the tool says that its
// effect id is. An object that is only changed is many operations' object and nobody's effect; an effect without an id
// is known by its attempt alone.
func (t *Terms) identified(effectID, objectID string) (effect, object string) {
	switch {
	case effectID == "", t.Effect == registry.EffectNone:
		return "", first(objectID, effectID)
	case t.Effect == registry.EffectChange && effectID == objectID:
		return "", objectID // it is the object's id, and every other change of it would bear it too
	}
	return effectID, objectID
}

// identified is the report in the tool's own terms.
func (r *Report) identified(o *Operation) *Report {
	as := *r
	as.EffectID, as.ObjectID = o.Terms.identified(r.EffectID, r.ObjectID)
	return &as
}

// identified is the statement in the tool's own terms.
func (r *Reconcile) identified(o *Operation) *Reconcile {
	s := *r.Statement
	s.EffectID, s.ObjectID = o.Terms.identified(s.EffectID, s.ObjectID)
	as := *r
	as.Statement = &s
	return &as
}
