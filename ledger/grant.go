package ledger

import (
	"time"

	"github.com/opledger/opledger/policy"
)

// GrantKind is what a one-use grant allows.
type GrantKind string

// The kinds of grants.
const (
	GrantOverride GrantKind = "override" // passing one window, limit, guard, deny or conflict once
	GrantRepeat   GrantKind = "repeat"   // naming one occurrence
	GrantRevise   GrantKind = "revise"   // revising one operation that its proposer may not revise
)

// Grant is a one-use permission for one proposal, given by another person than its proposer and bound to its fingerprint.
type Grant struct {
	row
	GrantKind     GrantKind   `json:"grant_kind"`
	Tool          string      `json:"tool"`
	Fingerprint   Fingerprint `json:"fingerprint"`
	Occurrence    string      `json:"occurrence,omitempty"`   // that it allows, of a repeat grant
	Rule          string      `json:"rule,omitempty"`         // that it overrides, of an override grant
	OperationID   OperationID `json:"operation_id,omitempty"` // that may be succeeded, of a revise grant
	ForPrincipal  Principal   `json:"for_principal,omitempty"`
	GivenBy       Principal   `json:"given_by"`
	GivenByPerson string      `json:"given_by_person,omitempty"`
	// GivenLocally: on a server without credentials, where giver and user are one person whatever they do.
	GivenLocally bool        `json:"given_locally,omitempty"`
	Reason       string      `json:"reason"`
	CreatedAt    time.Time   `json:"created_at"`
	ExpiresAt    time.Time   `json:"expires_at"`
	UsedBy       OperationID `json:"used_by,omitempty"`
	UsedAt       time.Time   `json:"used_at,omitzero"`
	RevokedAt    time.Time   `json:"revoked_at,omitzero"`
	RevokedBy    Principal   `json:"revoked_by,omitempty"`
	RevokeReason string      `json:"revoke_reason,omitempty"`
}

// Key names it.
func (g *Grant) Key() RecordKey { return g.key(RecordGrant) }

// Index lists grants by what has become of them.
func (g *Grant) Index() RecordIndex {
	status := "usable"
	switch {
	case g.UsedBy != "":
		status = "used"
	case !g.RevokedAt.IsZero():
		status = "revoked"
	}
	return RecordIndex{Status: status, Subject: string(g.UsedBy), Tool: g.Tool, At: g.CreatedAt}
}

// Standing is a standing approval: what it allows, and what has used it. Its terms are part of a namespace's
// configuration; its use is not.
type Standing struct {
	row
	Terms policy.StandingTerms `json:"terms"`
	// GiverTeams are the names by which approvals could ask its giver: it stands for that person's yes and for no other.
	GiverTeams []string      `json:"giver_teams,omitempty"`
	Reason     string        `json:"reason"`
	Definition []byte        `json:"definition,omitempty"` // as its edge package wrote it
	CreatedAt  time.Time     `json:"created_at"`
	UsedCount  int64         `json:"used_count"`           // reserved ones included
	UsedSum    int64         `json:"used_sum"`             // zero where no sum is bounded
	Operations []OperationID `json:"operations,omitempty"` // that have used it, newest first, at most 100
	RevokedAt  time.Time     `json:"revoked_at,omitzero"`
	RevokedBy  Principal     `json:"revoked_by,omitempty"`
	RevokedFor string        `json:"revoked_for,omitempty"` // why
}

// Key names it.
func (s *Standing) Key() RecordKey { return s.key(RecordStanding) }

// Index lists standing approvals by whether they hold.
func (s *Standing) Index() RecordIndex {
	status := "held"
	if !s.RevokedAt.IsZero() {
		status = "revoked"
	}
	return RecordIndex{Status: status, Tool: s.Terms.Tool, At: s.CreatedAt}
}
