package script

import (
	"bytes"
	"context"
	"crypto/sha256"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger"
)

// readCallers reads who is let in:
//
//	callers:
//	  agent: {roles: [propose, execute, read]}
//	  lead: {roles: [approve, read], person: ann@example.com, teams: [security], namespace: north}
func (s *Scenario) readCallers(node *yaml.Node) error {
	if err := mapping(node); err != nil {
		return err
	}
	for k, v := range pairs(node) {
		c := callers.Caller{Namespace: callers.LocalNamespace, Principal: ledger.Principal(k.Value)}
		if err := mapping(v); err != nil {
			return err
		}
		for name, value := range pairs(v) {
			words, err := texts(value)
			if err != nil {
				return err
			}
			switch name.Value {
			case "namespace":
				c.Namespace = ledger.Namespace(words[0])
			case "person":
				c.Person = words[0]
			case "teams":
				c.Teams = words
			case "tools":
				c.Tools = words
			case "roles":
				for _, word := range words {
					if !slices.Contains(callers.Roles, callers.Role(word)) {
						return at(value, "%q is no role; the roles are %v", word, callers.Roles)
					}
					c.Roles = append(c.Roles, callers.Role(word))
				}
			default:
				return unknown(name, "part of a caller", []string{"namespace", "person", "teams", "tools", "roles"})
			}
		}
		if _, err := callers.FormatLine(tokenOf(k.Value), c); err != nil {
			return at(k, "%s: %v", k.Value, err)
		}
		s.Callers = append(s.Callers, Credential{Name: k.Value, Caller: c})
	}
	return nil
}

// caller finds a credential by its name.
func (s *Scenario) caller(name string) (Credential, bool) {
	i := slices.IndexFunc(s.Callers, func(c Credential) bool { return c.Name == name })
	if i < 0 {
		return Credential{}, false
	}
	return s.Callers[i], true
}

// tokenOf makes the token of a scenario's caller from the name: it protects nothing, and is the same in each run.
func tokenOf(name string) string {
	secret := sha256.Sum256([]byte(name))
	token, _ := callers.NewToken(bytes.NewReader(secret[:])) // a reader of 32 bytes never fails
	return token
}

// store lets in a scenario's callers.
type store map[callers.TokenHash]callers.Caller

// LookupToken implements callers.Store.
func (s store) LookupToken(_ context.Context, hash callers.TokenHash) (callers.Caller, bool, error) {
	caller, found := s[hash]
	return caller, found, nil
}

// authenticator lets in the scenario's callers by their tokens; nil where it names none.
func (s *Scenario) authenticator() callers.Authenticator {
	if len(s.Callers) == 0 {
		return nil
	}
	known := store{}
	for _, c := range s.Callers {
		known[callers.TokenHash(sha256.Sum256([]byte(tokenOf(c.Name))))] = c.Caller
	}
	return callers.Tokens{known}
}
