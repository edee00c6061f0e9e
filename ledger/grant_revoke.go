package ledger

import "time"

// RevokeGrant ends a grant that is not used yet.
type RevokeGrant struct {
	Namespace Namespace
	Principal Principal
	ID        string
	Reason    string
	Etag      string // the grant as the caller saw it; empty: whatever it is by now
}

// Claims are none.
func (r *RevokeGrant) Claims() []Claim { return nil }

// Reads are the grant.
func (r *RevokeGrant) Reads(*View) []Read { return []Read{GrantKey(r.Namespace, r.ID).Read()} }

// Decide ends the grant. One that the same principal revoked for the same reason is this command's own write.
func (r *RevokeGrant) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Grant](v, GrantKey(r.Namespace, r.ID))
	switch {
	case !exists:
		return Decided{Err: refuse(CodeNotFound, ReasonPolicyNotFound, "there is no grant %s in this namespace; list the grants", r.ID)}
	case !have.RevokedAt.IsZero() && have.RevokedBy == r.Principal && have.RevokeReason == r.Reason:
		return Decided{Reply: &GrantKept{Grant: have}}
	case !have.RevokedAt.IsZero():
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonGrantNotUsable, "the grant %s was revoked by %s at %s; nothing is left to revoke",
			r.ID, have.RevokedBy, have.RevokedAt.Format(time.RFC3339))}
	case have.UsedBy != "":
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonGrantNotUsable, "the grant %s was used already, by operation %s; nothing is left to revoke",
			r.ID, have.UsedBy).with("operation_id", string(have.UsedBy))}
	case r.Etag != "" && r.Etag != have.Etag():
		return Decided{Err: etagMismatch("the grant", r.ID)}
	}
	next := *have
	next.row = have.next()
	next.RevokedAt, next.RevokedBy, next.RevokeReason = v.Now, r.Principal, r.Reason
	return Decided{Reply: &GrantKept{Grant: &next}, Changes: &Changes{Records: []Record{&next}}}
}
