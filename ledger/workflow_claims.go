package ledger

import (
	"fmt"
	"slices"
	"time"
)

// ClaimedKind is what a user can be told of an operation. The words are the API's.
type ClaimedKind string

// The kinds of claims.
const (
	ClaimDone    ClaimedKind = "done"     // it was done, or was so already
	ClaimNotDone ClaimedKind = "not_done" // it was not done
	ClaimOpen    ClaimedKind = "open"     // it is being confirmed
	ClaimUndone  ClaimedKind = "undone"   // it was done and has been undone
)

// MaxConclusionClaims bounds the claims of one conclusion, which are held against their operations in one transaction.
const MaxConclusionClaims = 1000

// Conclusion is what the user was told in the end.
type Conclusion struct {
	UserMessage string     `json:"user_message,omitempty"`
	Claims      []ToldUser `json:"claims,omitempty"`
	At          time.Time  `json:"at"`
}

// ToldUser is what the user was told of one operation.
type ToldUser struct {
	OperationID OperationID `json:"operation_id"`
	Kind        ClaimedKind `json:"kind"`
}

// claimOf finds what the user was told of an operation. One that was left out was claimed open.
func (c *Conclusion) claimOf(id OperationID) ClaimedKind {
	if i := slices.IndexFunc(c.Claims, func(t ToldUser) bool { return t.OperationID == id }); i >= 0 {
		return c.Claims[i].Kind
	}
	return ClaimOpen
}

// borneOutBy reports whether what the ledger knows bears the claim out. Of an operation that has not ended only ClaimOpen
// can be said.
func (k ClaimedKind) borneOutBy(s State) bool {
	switch k {
	case ClaimDone:
		return s == CompletedSuccess || s == CompletedNoop
	case ClaimNotDone:
		return s == FailedPermanent
	case ClaimUndone:
		return s == Compensated
	}
	return !s.Ended()
}

// contradictedBy reports whether what is known later stands against the claim. What was done stays done when it is undone
// on purpose, and that it was done so already is the one thing of it that can turn out unknown; that something was open is
// outlived by its end, and not contradicted.
func (k ClaimedKind) contradictedBy(s State) bool {
	switch k {
	case ClaimDone:
		return s == UnknownOutcome
	case ClaimNotDone:
		return s != FailedPermanent
	case ClaimUndone:
		return s != Compensated
	}
	return false
}

// Contradiction is one claim that the ledger does not bear out, with the operation as it stands.
type Contradiction struct {
	Claim     ToldUser
	Operation *Operation
	Told      Told
}

// contradictedError refuses a conclusion, and names each claim that is not so.
func contradictedError(list []Contradiction) *Refusal {
	first := list[0]
	r := refuse(CodeFailedPrecondition, ReasonClaimContradicted,
		"the user is not to be told %q of operation %s, which is %s; say what the ledger says: %s", first.Claim.Kind, first.Operation.ID, first.Operation.State, first.Told.SafeUser)
	r.Contradictions = list
	return r
}

// againstClaim raises an incident where the operation's new state stands against what the user was told of it in the end.
// It is asked where an end is overturned alone, so that nothing else reads the workflow.
func (d *draft) againstClaim(from, to State, contradicts bool) {
	if !contradicts && !from.Ended() {
		return
	}
	w := workflowOf(d.view, d.op.Namespace, d.op.WorkflowID)
	if w == nil || w.Conclusion == nil {
		return
	}
	if claim := w.Conclusion.claimOf(d.op.ID); claim.contradictedBy(to) {
		d.incident(IncidentClaimContradicted, fmt.Sprintf("workflow %s ended with the user told %q of it, and it is %s by now", w.ID, claim, to))
	}
}
