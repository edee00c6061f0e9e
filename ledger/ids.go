package ledger

// Identifiers of different kinds are different types, so that one can never be passed for another. They are made
// outside the core (it has no randomness) and fixed before a command's first try.
type (
	// Namespace is the tenant. It comes from the caller's credential, never from a request.
	Namespace string
	// OperationID names one intended business effect: "op_…".
	OperationID string
	// AttemptID names one try at dispatching an operation: "att_…".
	AttemptID string
	// IdempotencyKey is the stable business identity, unique in its namespace.
	IdempotencyKey string
	// RequestID is a UUID made by the client before its first try, scoped to the principal.
	RequestID string
	// Principal is who asks, as the credential says.
	Principal string
	// EvidenceID names a statement about the outside world: "ev_…", or a report's own id.
	EvidenceID string
	// DecisionID names a recorded decision that made no operation: "dec_…".
	DecisionID string
	// Fingerprint is "sha256:" and the hex hash of canonical arguments.
	Fingerprint string
)
