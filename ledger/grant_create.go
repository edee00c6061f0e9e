package ledger

import "time"

// CreateGrant gives a one-use grant.
type CreateGrant struct {
	Namespace Namespace
	Giver     Actor
	// ID is made from the request, so that a repeat of the request finds its own grant.
	ID           string
	Kind         GrantKind
	Tool         string
	Fingerprint  Fingerprint
	Occurrence   string
	Rule         string
	OperationID  OperationID
	ForPrincipal Principal
	ExpiresAfter time.Duration
	Reason       string
}

// GrantKept is the reply of every command on a grant: the grant as it stands.
type GrantKept struct{ Grant *Grant }

// GrantKey names a grant.
func GrantKey(ns Namespace, id string) RecordKey { return RecordKey{RecordGrant, ns, id} }

// Claims are none.
func (c *CreateGrant) Claims() []Claim { return nil }

// Reads are the grant, its tool, and the operation that may be succeeded.
func (c *CreateGrant) Reads(*View) []Read {
	reads := []Read{GrantKey(c.Namespace, c.ID).Read(), ReadOf(ReadTool, c.Namespace, c.Tool)}
	if c.OperationID != "" {
		reads = append(reads, ReadOf(ReadOperation, c.Namespace, string(c.OperationID)))
	}
	return reads
}

// Decide gives the grant. One of that id is this request's own, given by a commit or an answer that was lost, and is
// answered as it stands by now.
func (c *CreateGrant) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Grant](v, GrantKey(c.Namespace, c.ID))
	given := &Grant{
		row: have.next(), GrantKind: c.Kind, Tool: c.Tool, Fingerprint: c.Fingerprint, Occurrence: c.Occurrence, Rule: c.Rule,
		OperationID: c.OperationID, ForPrincipal: c.ForPrincipal, GivenBy: c.Giver.Principal, GivenByPerson: c.Giver.Person,
		GivenLocally: c.Giver.Local, Reason: c.Reason, CreatedAt: v.Now, ExpiresAt: v.Now.Add(c.ExpiresAfter),
	}
	if exists {
		if !have.saysAs(given) {
			return Decided{Err: refuse(CodeFailedPrecondition, ReasonRequestReused,
				"the request id came before with another grant; make a new UUID for each new request")}
		}
		return Decided{Reply: &GrantKept{Grant: have}}
	}
	if no := c.refused(v); no != nil {
		return Decided{Err: no}
	}
	return Decided{Reply: &GrantKept{Grant: given}, Changes: &Changes{Records: []Record{given}}}
}

// refused says why the grant cannot be given: what it is for does not exist, or its giver would use it.
func (c *CreateGrant) refused(v *View) *Refusal {
	if _, known := v.Tool(c.Namespace, c.Tool); !known {
		return refuse(CodeNotFound, ReasonToolNotFound, "there is no tool %s in this namespace; list the tools, or apply its definition", c.Tool)
	}
	if c.ForPrincipal != "" && c.ForPrincipal == c.Giver.Principal && !c.Giver.Local {
		return refuse(CodePermissionDenied, ReasonRolesNotApart, "a grant is for another than its giver; another person has to give it")
	}
	if c.OperationID == "" {
		return nil
	}
	o := v.Operation(c.Namespace, c.OperationID)
	switch {
	case o == nil:
		return notFound(c.OperationID)
	case o.Tool != c.Tool:
		return refuse(CodeFailedPrecondition, ReasonStateNotSuitable, "operation %s is one of the tool %s, not of %s; name its own tool", o.ID, o.Tool, c.Tool).about(o)
	}
	return nil
}

// saysAs reports whether two grants were asked for in the same words.
func (g *Grant) saysAs(other *Grant) bool {
	return g.GrantKind == other.GrantKind && g.Tool == other.Tool && g.Fingerprint == other.Fingerprint &&
		g.Occurrence == other.Occurrence && g.Rule == other.Rule && g.OperationID == other.OperationID &&
		g.ForPrincipal == other.ForPrincipal && g.Reason == other.Reason &&
		g.ExpiresAt.Sub(g.CreatedAt) == other.ExpiresAt.Sub(other.CreatedAt)
}

// Usable reports whether the grant can still be used at that time.
func (g *Grant) Usable(now time.Time) bool {
	return g.UsedBy == "" && g.RevokedAt.IsZero() && now.Before(g.ExpiresAt)
}
