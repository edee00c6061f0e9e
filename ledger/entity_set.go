package ledger

import (
	"bytes"

	"github.com/opledger/opledger/locks"
)

// SetEntityState sets what guards read of an entity, from outside. It is a right of its own, held by nobody who proposes
// or executes: what a rule reads does not come from whom it restrains.
type SetEntityState struct {
	Namespace  Namespace
	Actor      Actor
	Entity     locks.Entity
	State      *string // nil: it is left as it is
	Attributes []byte  // a canonical JSON object, which replaces the old one whole; nil: they are left as they are
	Etag       string  // of the state that the caller saw; empty: any
	Reason     string
}

// Claims are none.
func (c *SetEntityState) Claims() []Claim { return nil }

// Reads are the entity's state.
func (c *SetEntityState) Reads(*View) []Read {
	return []Read{EntityKey(c.Namespace, c.Entity).Read()}
}

// Decide sets the state. The reply is the *Entity as it stands. What is said already, by the same principal for the same
// reason, is no change: a retry sees its own write, and a version tells apart what a proposal could have been reasoned from.
func (c *SetEntityState) Decide(v *View, _ Env) Decided {
	key := EntityKey(c.Namespace, c.Entity)
	have, exists := recordOf[Entity](v, key)
	seen := c.Etag == "" || c.Etag == have.Etag()
	if exists && c.said(have) && (seen || c.Etag == (&row{Version: have.Version - 1}).Etag()) {
		return Decided{Reply: have}
	}
	if !seen {
		return Decided{Err: refuse(CodeAborted, ReasonVersionSeenOutdated,
			"the state of %s has changed since it was read; read it again, and decide anew", c.Entity).with("entity", key.ID, "etag", have.Etag())}
	}
	next := *have
	next.Version++
	if c.State != nil {
		next.State = *c.State
	}
	if c.Attributes != nil {
		next.Attributes = bytes.Clone(c.Attributes)
	}
	next.UpdatedAt, next.OperationID = v.Now, ""
	next.Principal, next.Reason = string(c.Actor.Principal), c.Reason
	return Decided{Reply: &next, Changes: &Changes{Records: []Record{&next}}}
}

// said reports whether the entity's state is what this command would set.
func (c *SetEntityState) said(e *Entity) bool {
	return e.OperationID == "" && e.Principal == string(c.Actor.Principal) && e.Reason == c.Reason &&
		(c.State == nil || *c.State == e.State) && (c.Attributes == nil || bytes.Equal(c.Attributes, e.Attributes))
}
