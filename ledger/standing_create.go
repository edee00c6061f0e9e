package ledger

import (
	"reflect"
	"time"

	"github.com/opledger/opledger/policy"
)

// CreateStanding approves operations ahead, within bounds that were checked at the edge, and moves the namespace's
// configuration epoch.
type CreateStanding struct {
	Namespace Namespace
	Giver     Actor
	// ID is made from the request, so that a repeat of the request finds its own standing approval.
	ID string
	// Epoch is that of the configuration which the terms were checked against; at another one they are checked anew.
	Epoch int64
	// Terms are the bounds as the caller stated them. The id, the giver and the end are set here.
	Terms        policy.StandingTerms
	ExpiresAfter time.Duration
	Reason       string
	Definition   []byte // opaque to the core
}

// StandingKept is the reply of every command on a standing approval: the standing approval as it stands.
type StandingKept struct{ Standing *Standing }

// StandingKey names a standing approval.
func StandingKey(ns Namespace, id string) RecordKey { return RecordKey{RecordStanding, ns, id} }

// Claims are none.
func (c *CreateStanding) Claims() []Claim { return nil }

// Reads are the standing approval, the epoch and the tool.
func (c *CreateStanding) Reads(*View) []Read {
	return []Read{StandingKey(c.Namespace, c.ID).Read(), ReadOf(ReadEpoch, c.Namespace, ""), ReadOf(ReadTool, c.Namespace, c.Terms.Tool)}
}

// Decide gives the standing approval. One of that id is this request's own, and is answered as it stands by now.
func (c *CreateStanding) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Standing](v, StandingKey(c.Namespace, c.ID))
	terms := c.Terms
	terms.ID, terms.GivenBy, terms.GivenByPerson = c.ID, string(c.Giver.Principal), c.Giver.Person
	terms.ExpiresAt = v.Now.Add(c.ExpiresAfter)
	given := &Standing{row: have.next(), Terms: terms, GiverTeams: c.Giver.Teams, Reason: c.Reason, Definition: c.Definition, CreatedAt: v.Now}
	if exists {
		if !have.saysAs(given) {
			return Decided{Err: refuse(CodeFailedPrecondition, ReasonRequestReused,
				"the request id came before with another standing approval; make a new UUID for each new request")}
		}
		return Decided{Reply: &StandingKept{Standing: have}}
	}
	if now := v.Epoch(c.Namespace); now != c.Epoch {
		return Decided{Err: &EpochMovedError{Have: c.Epoch, Now: now}}
	}
	if _, known := v.Tool(c.Namespace, terms.Tool); !known {
		return Decided{Err: refuse(CodeNotFound, ReasonToolNotFound, "there is no tool %s in this namespace; list the tools, or apply its definition", terms.Tool)}
	}
	if terms.Proposer != "" && terms.Proposer == terms.GivenBy && !c.Giver.Local {
		return Decided{Err: refuse(CodePermissionDenied, ReasonRolesNotApart, "a standing approval is for another than its giver; another person has to give it")}
	}
	return Decided{Reply: &StandingKept{Standing: given}, Changes: configured(v, c.Namespace, given)}
}

// saysAs reports whether two standing approvals were asked for in the same words.
func (s *Standing) saysAs(other *Standing) bool {
	mine, others := s.Terms, other.Terms
	same := mine.ExpiresAt.Sub(s.CreatedAt) == others.ExpiresAt.Sub(other.CreatedAt)
	mine.ExpiresAt, others.ExpiresAt = time.Time{}, time.Time{}
	return same && s.Reason == other.Reason && reflect.DeepEqual(mine, others)
}
