package ledger

import "time"

// RevokeStanding ends a standing approval. What it has approved and is begun goes on.
type RevokeStanding struct {
	Namespace Namespace
	Principal Principal
	ID        string
	Reason    string
	Etag      string // as the caller saw it; empty: whatever it is by now, so that stopping needs no reading
}

// Claims are none.
func (r *RevokeStanding) Claims() []Claim { return nil }

// Reads are the standing approval and the epoch.
func (r *RevokeStanding) Reads(*View) []Read {
	return []Read{StandingKey(r.Namespace, r.ID).Read(), ReadOf(ReadEpoch, r.Namespace, "")}
}

// Decide ends the standing approval. One that the same principal revoked for the same reason is this command's own write.
func (r *RevokeStanding) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Standing](v, StandingKey(r.Namespace, r.ID))
	switch {
	case !exists:
		return Decided{Err: refuse(CodeNotFound, ReasonPolicyNotFound, "there is no standing approval %s in this namespace; list the standing approvals", r.ID)}
	case !have.RevokedAt.IsZero() && have.RevokedBy == r.Principal && have.RevokedFor == r.Reason:
		return Decided{Reply: &StandingKept{Standing: have}}
	case !have.RevokedAt.IsZero():
		return Decided{Err: refuse(CodeNotFound, ReasonPolicyNotFound, "the standing approval %s was revoked by %s at %s; nothing is left to revoke",
			r.ID, have.RevokedBy, have.RevokedAt.Format(time.RFC3339))}
	case r.Etag != "" && r.Etag != have.Etag():
		return Decided{Err: etagMismatch("the standing approval", r.ID)}
	}
	next := *have
	next.row = have.next()
	next.RevokedAt, next.RevokedBy, next.RevokedFor = v.Now, r.Principal, r.Reason
	return Decided{Reply: &StandingKept{Standing: &next}, Changes: configured(v, r.Namespace, &next)}
}
