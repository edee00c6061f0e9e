package ledger

// Request is the caller's request behind a command on the configuration. Its repeat, however late, changes nothing and is
// answered with what stands by now: else a resumption that was asked for once, and whose answer was lost, could end the
// next person's pause.
type Request struct {
	Namespace Namespace
	Principal Principal
	ID        RequestID // empty: a repeat cannot be told from another request
	Hash      string    // of everything that makes the request what it is
}

// Claims are the request's id, where it has one.
func (r *Request) Claims() []Claim {
	if r.ID == "" {
		return nil
	}
	return []Claim{{
		ClaimID:     ClaimID{Namespace: r.Namespace, Kind: ClaimRequest, Value: RequestValue(r.Principal, r.ID)},
		Fingerprint: r.Hash,
	}}
}

// repeated reports whether the request was carried out before. Another one under the same id is refused.
func (r *Request) repeated(v *View) (bool, *Refusal) {
	for _, c := range r.Claims() {
		if before, came := v.Claim(c.ClaimID); came {
			if before.Fingerprint != r.Hash {
				return false, refuse(CodeFailedPrecondition, ReasonRequestReused,
					"request id %s came with another request before; make a new UUID for each new request", r.ID)
			}
			return true, nil
		}
	}
	return false, nil
}

// kept keeps that the request was carried out, with what it changed.
func (r *Request) kept(c *Changes) *Changes {
	c.Claims = append(c.Claims, r.Claims()...)
	return c
}
