package ledger

import "fmt"

// Code groups refusals as gRPC does; the edge maps it one to one.
type Code string

// The codes of refusals.
const (
	CodeInvalidArgument    Code = "INVALID_ARGUMENT"
	CodeNotFound           Code = "NOT_FOUND"
	CodeFailedPrecondition Code = "FAILED_PRECONDITION"
	CodePermissionDenied   Code = "PERMISSION_DENIED"
	CodeAlreadyExists      Code = "ALREADY_EXISTS"
	CodeUnimplemented      Code = "UNIMPLEMENTED"
	CodeAborted            Code = "ABORTED"
)

// Reason is the stable reason of a refusal, a name of the API's ErrorReason enum.
type Reason string

// The reasons that the core gives.
const (
	ReasonOperationNotFound   Reason = "OPERATION_NOT_FOUND"
	ReasonAttemptNotFound     Reason = "ATTEMPT_NOT_FOUND"
	ReasonToolNotFound        Reason = "TOOL_NOT_FOUND"
	ReasonKeyReused           Reason = "IDEMPOTENCY_KEY_REUSED"
	ReasonRequestReused       Reason = "REQUEST_ID_REUSED"
	ReasonTokenMismatch       Reason = "ATTEMPT_TOKEN_MISMATCH"
	ReasonStaleAttempt        Reason = "STALE_ATTEMPT"
	ReasonPermitExpired       Reason = "PERMIT_EXPIRED"
	ReasonPermitWithdrawn     Reason = "PERMIT_WITHDRAWN"
	ReasonCancelWished        Reason = "CANCEL_WISHED"
	ReasonToolDisabled        Reason = "TOOL_DISABLED"
	ReasonGreatestAge         Reason = "GREATEST_AGE_REACHED"
	ReasonNonceMismatch       Reason = "BEGIN_NONCE_MISMATCH"
	ReasonRevisionNotAllowed  Reason = "REVISION_NOT_ALLOWED"
	ReasonVersionSeenOutdated Reason = "ETAG_MISMATCH"
	ReasonLookupTicketInvalid Reason = "LOOKUP_TICKET_INVALID"
	ReasonEvidenceReused      Reason = "EVIDENCE_ID_REUSED"
	ReasonToolVersionConflict Reason = "TOOL_VERSION_CONFLICT"
	ReasonGrantNotUsable      Reason = "GRANT_NOT_USABLE"
	ReasonLeaseLost           Reason = "LEASE_LOST"
	ReasonLeaseTokenMismatch  Reason = "LEASE_TOKEN_MISMATCH"
	ReasonLeaseRequired       Reason = "LEASE_REQUIRED"
	ReasonLeaseTooOld         Reason = "LEASE_TOO_OLD"
	ReasonLeaseNotFound       Reason = "LEASE_NOT_FOUND"
	ReasonRunSuperseded       Reason = "RUN_SUPERSEDED"
	ReasonApprovalNotFound    Reason = "APPROVAL_NOT_FOUND"
	ReasonApprovalNotOpen     Reason = "APPROVAL_NOT_OPEN"
	ReasonRolesNotApart       Reason = "ROLES_NOT_APART"
	ReasonPermissionDenied    Reason = "PERMISSION_DENIED"
	ReasonPolicyNotFound      Reason = "POLICY_OBJECT_NOT_FOUND"
	ReasonStateNotSuitable    Reason = "STATE_NOT_SUITABLE"
	ReasonEntityNotFound      Reason = "ENTITY_STATE_NOT_FOUND"
	ReasonInvalidRequest      Reason = "INVALID_REQUEST"
	ReasonOccurrenceRefused   Reason = "OCCURRENCE_NOT_ALLOWED"
	ReasonSubscription        Reason = "SUBSCRIPTION_NOT_FOUND"
	ReasonWorkflowNotFound    Reason = "WORKFLOW_NOT_FOUND"
	ReasonWorkflowEnded       Reason = "WORKFLOW_ENDED"
	ReasonClaimContradicted   Reason = "CLAIM_CONTRADICTED"
)

// Refusal is an error that a caller is meant to understand: what was refused, why, and what to do.
type Refusal struct {
	Code    Code
	Reason  Reason
	Message string
	// Metadata is for programs: fingerprints, identifiers, states. Never arguments or secrets.
	Metadata map[string]string
	// Pointers are the JSON pointers that the refusal is about.
	Pointers []string
	// Operation is the operation as it stands, where the caller may know it.
	Operation *Operation
	// Contradictions are the claims that the refusal is about.
	Contradictions []Contradiction
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Reason, r.Message) }

func refuse(code Code, reason Reason, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func (r *Refusal) with(pairs ...string) *Refusal {
	if r.Metadata == nil {
		r.Metadata = map[string]string{}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		r.Metadata[pairs[i]] = pairs[i+1]
	}
	return r
}

func (r *Refusal) about(o *Operation) *Refusal {
	r.Operation = o
	return r.with("operation_id", string(o.ID), "state", string(o.State))
}

// EpochMovedError says that the configuration changed between the reading of the tool and the decision. The caller of
// the core reads the tool anew and asks again with the same identifiers.
type EpochMovedError struct{ Have, Now int64 }

func (e *EpochMovedError) Error() string {
	return fmt.Sprintf("the configuration epoch is %d, the command was built at %d", e.Now, e.Have)
}

func notFound(id OperationID) *Refusal {
	return refuse(CodeNotFound, ReasonOperationNotFound, "there is no operation %s in this namespace; name one by the id that its answer gave, or propose it", id)
}
