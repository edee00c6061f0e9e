package callers

import (
	"context"
	"fmt"
	"slices"

	"github.com/opledger/opledger/ledger"
)

// Caller is who asks, as the credential says.
type Caller struct {
	Namespace ledger.Namespace
	Principal ledger.Principal
	// Person is the human being behind the principal, as far as the credential names one. Dual control compares persons.
	Person string
	Roles  []Role
	// Local marks the caller of a server without credentials. It holds every right, and whatever it decides was decided
	// by one and the same person.
	Local bool
}

// May reports whether the caller holds the role.
func (c Caller) May(role Role) bool { return slices.Contains(c.Roles, role) }

// Require answers a DeniedError where the caller lacks the role.
func (c Caller) Require(role Role) error {
	if c.May(role) {
		return nil
	}
	return &DeniedError{Principal: c.Principal, Role: role}
}

// Authenticator tells who sent a request. Its answers are safe for concurrent use.
type Authenticator interface {
	// Authenticate reads the credential from the context of a gRPC call ("authorization: Bearer ..."). Where nobody can
	// be told from it, the error is an UnauthenticatedError.
	Authenticate(ctx context.Context) (Caller, error)
}

// UnauthenticatedError says that a request bears no credential that counts. The message says what to do, and never which
// part of a credential was wrong.
type UnauthenticatedError struct{ Message string }

func (e *UnauthenticatedError) Error() string { return e.Message }

// DeniedError says that a caller lacks a role.
type DeniedError struct {
	Principal ledger.Principal
	Role      Role
}

func (e *DeniedError) Error() string {
	return fmt.Sprintf("the credential of %s does not have the role %s", e.Principal, e.Role)
}
