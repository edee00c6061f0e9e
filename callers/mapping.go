package callers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/opledger/opledger/ledger"
)

// Mapping says which claims of a token make what of a caller. A claim is named as it stands in the token, or by a path
// through objects: "realm_access.roles".
type Mapping struct {
	// Namespace is the namespace of every bearer. Exactly one of it and NamespaceClaim is set.
	Namespace ledger.Namespace
	// NamespaceClaim is the claim that names the bearer's namespace.
	NamespaceClaim string
	// PrincipalClaim names the bearer; empty: sub.
	PrincipalClaim string
	// PersonClaim names the human being behind the bearer; empty: email. The claim email counts only where email_verified
	// is true, since at many issuers anybody can state any address.
	PersonClaim string
	// RolesClaim lists the bearer's roles, as a list or as words in one string; empty: roles.
	RolesClaim string
	// RoleOf gives the roles that a value of RolesClaim stands for. Where it is empty, values count that are roles' names.
	RoleOf map[string][]Role
	// GroupPrefix is what the values of RolesClaim and TeamsClaim begin with that are meant for Opledger. It is cut off,
	// and values without it are passed over.
	GroupPrefix string
	// TeamsClaim lists the bearer's teams; empty: no teams.
	TeamsClaim string
	// ToolsClaim lists the tools that the bearer may propose; empty: all of them. Where it is set, a token without the
	// claim reaches no tool.
	ToolsClaim string
}

// check refuses a mapping that can let nobody in, or whom nobody meant.
func (m Mapping) check() error {
	switch {
	case (m.Namespace == "") == (m.NamespaceClaim == ""):
		return fmt.Errorf("either a namespace for all bearers of an issuer's tokens or the claim that names it has to be given, and not both")
	case m.Namespace != "" && !namespacePattern.MatchString(string(m.Namespace)):
		return fmt.Errorf("the namespace %q has to match %s", m.Namespace, namespacePattern)
	}
	for value, roles := range m.RoleOf {
		for _, role := range roles {
			if !slices.Contains(Roles, role) {
				return fmt.Errorf("the value %q stands for %q, which is no role; the roles are %s", value, role, joinRoles(Roles))
			}
		}
	}
	return nil
}

// caller is whom verified claims let in. Values that mean nothing here are passed over, since a directory has groups for
// everything; a bearer without a role is let in and may do nothing, so that the refusal names the role that is missing.
func (m Mapping) caller(c claims) (Caller, error) {
	caller := Caller{
		Namespace: m.Namespace, Principal: ledger.Principal(c.text(or(m.PrincipalClaim, "sub"))), Person: m.person(c),
		Roles: m.roles(c), Teams: m.teams(c),
	}
	if m.NamespaceClaim != "" {
		caller.Namespace = ledger.Namespace(c.text(m.NamespaceClaim))
		if !namespacePattern.MatchString(string(caller.Namespace)) {
			return Caller{}, refuseJWT(FaultUnusableName, "the claim "+m.NamespaceClaim+" names no namespace")
		}
	}
	if !namePattern.MatchString(string(caller.Principal)) {
		return Caller{}, refuseJWT(FaultUnusableName, "the claim "+or(m.PrincipalClaim, "sub")+" names no principal")
	}
	if m.ToolsClaim != "" {
		caller.Tools = choose(c.words(m.ToolsClaim), isTools)
	}
	if fault, err := checkApart(caller.Roles, caller.Person); err != nil {
		return Caller{}, &UnauthenticatedError{Message: "the token is not taken: " + err.Error(), Fault: fault, Detail: "the roles come from the claim " + or(m.RolesClaim, "roles")}
	}
	return caller, nil
}

// person is empty where the token names nobody in a way that counts.
func (m Mapping) person(c claims) string {
	claim := or(m.PersonClaim, "email")
	if claim == "email" && c["email_verified"] != any(true) && c["email_verified"] != any("true") { // some issuers write it as text
		return ""
	}
	if name := c.text(claim); namePattern.MatchString(name) {
		return strings.ToLower(name)
	}
	return ""
}

func (m Mapping) roles(c claims) []Role {
	var roles []Role
	for _, value := range m.meant(c.words(or(m.RolesClaim, "roles"))) {
		if len(m.RoleOf) > 0 {
			roles = append(roles, m.RoleOf[value]...)
		} else if slices.Contains(Roles, Role(value)) {
			roles = append(roles, Role(value))
		}
	}
	slices.Sort(roles)
	return slices.Compact(roles)
}

func (m Mapping) teams(c claims) []string {
	if m.TeamsClaim == "" {
		return nil
	}
	return choose(m.meant(c.words(m.TeamsClaim)), isTeam)
}

// meant are the values that begin with the prefix, without it.
func (m Mapping) meant(values []string) []string {
	var meant []string
	for _, v := range values {
		if rest, ok := strings.CutPrefix(v, m.GroupPrefix); ok {
			meant = append(meant, rest)
		}
	}
	return meant
}

// choose are the valid words, sorted and each once; never nil.
func choose(words []string, valid func(string) bool) []string {
	chosen := []string{}
	for _, word := range words {
		if valid(word) {
			chosen = append(chosen, word)
		}
	}
	slices.Sort(chosen)
	return slices.Compact(chosen)
}

func or(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}
