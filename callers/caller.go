package callers

import (
	"context"
	"slices"

	"github.com/opledger/opledger/ledger"
)

// Caller is who asks, as the credential says.
type Caller struct {
	Namespace ledger.Namespace
	Principal ledger.Principal
	// Person is the human being behind the principal, as far as the credential names one, in lower case: dual control
	// compares persons, and Ann@example.com is nobody else than ann@example.com.
	Person string
	Roles  []Role
	// Teams are names that rules and approvals know the caller by, such as finance-lead. They carry no right of their own.
	Teams []string
	// Tools are the tools that the caller reaches, to propose their operations or to decide about them, by name or as
	// "payment.*". Nil: all of them; empty: none.
	Tools []string
	// Local marks the caller of a server without credentials. It holds every right, and whatever it decides was decided
	// by one and the same person.
	Local bool
}

// May reports whether the caller holds the role.
func (c Caller) May(role Role) bool { return slices.Contains(c.Roles, role) }

// MayTool reports whether the caller's credential reaches the tool. The role that a call needs is asked for beside it.
func (c Caller) MayTool(name string) bool {
	return c.Tools == nil || slices.ContainsFunc(c.Tools, func(pattern string) bool { return toolMatches(pattern, name) })
}

// InTeam reports whether a rule that asks for the team means this caller. The caller of a server without credentials is
// in every team.
func (c Caller) InTeam(team string) bool { return c.Local || slices.Contains(c.Teams, team) }

// Require answers a DeniedError where the caller lacks the role.
func (c Caller) Require(role Role) error {
	if c.May(role) {
		return nil
	}
	return &DeniedError{Principal: c.Principal, Role: role}
}

// sameRights reports whether two credentials make the same of their bearer.
func (c Caller) sameRights(d Caller) bool {
	return c.Person == d.Person && slices.Equal(c.Roles, d.Roles) && slices.Equal(c.Teams, d.Teams) &&
		(c.Tools == nil) == (d.Tools == nil) && slices.Equal(c.Tools, d.Tools)
}

// Authenticator tells who sent a request. Its answers are safe for concurrent use.
type Authenticator interface {
	// Authenticate reads the credential from the context of a gRPC call ("authorization: Bearer ..."). Where nobody can
	// be told from it, the error is an UnauthenticatedError; any other error says that the credential could not be
	// checked, so that asking again may help.
	Authenticate(ctx context.Context) (Caller, error)
}
