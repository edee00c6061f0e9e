package callers

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/opledger/opledger/ledger"
)

// ReasonRolesNotApart is the stable reason of a line that mixes roles which one credential may not hold together.
const ReasonRolesNotApart = "ROLES_NOT_APART"

// LineError says what is wrong with one line of a file of callers. No part of a hash is in it.
type LineError struct {
	Path    string
	Line    int
	Reason  string // ReasonRolesNotApart, or empty
	Message string
}

func (e *LineError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("%s:%d: %s: %s", e.Path, e.Line, e.Reason, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message)
}

// Names of namespaces, principals and persons appear in logs, metrics and events, and are kept readable there. Issuers of
// tokens have principals such as "auth0|65f0" and persons such as o'brien@example.com.
var (
	namespacePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)
	namePattern      = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._:@/+|~'-]{0,254}$`)
)

// splitLine takes a line apart that is neither empty nor a comment: whom it lets in, and its fields.
func splitLine(text string) (subject string, fields map[string]string, err error) {
	text, _, _ = strings.Cut(text, " #")
	words := strings.Fields(text)
	fields = map[string]string{}
	for _, word := range words[1:] {
		name, value, found := strings.Cut(word, "=")
		if !found || value == "" {
			return words[0], nil, fmt.Errorf("%q is not of the form name=value", word)
		}
		if _, twice := fields[name]; twice {
			return words[0], nil, fmt.Errorf("%s is stated twice", name)
		}
		fields[name] = value
	}
	return words[0], fields, nil
}

// callerOf turns the fields of a line into a caller. A field that is not known is refused, because a misspelt one would
// otherwise be a right or a bound that silently is not there.
func callerOf(fields map[string]string) (c Caller, reason string, err error) {
	for name, value := range fields {
		if err := c.setField(name, value); err != nil {
			return c, "", err
		}
	}
	switch {
	case c.Namespace == "":
		return c, "", fmt.Errorf("the line names no namespace")
	case c.Principal == "":
		return c, "", fmt.Errorf("the line names no principal")
	case len(c.Roles) == 0:
		return c, "", fmt.Errorf("the line names no roles; they are %s", joinRoles(Roles))
	}
	fault, err := checkApart(c.Roles, c.Person)
	if fault == FaultRolesNotApart {
		reason = ReasonRolesNotApart
	}
	if fault == FaultNoPerson {
		err = fmt.Errorf("%w with person=", err)
	}
	return c, reason, err
}

func (c *Caller) setField(name, value string) (err error) {
	switch name {
	case "namespace":
		if !namespacePattern.MatchString(value) {
			return fmt.Errorf("the namespace %q has to match %s", value, namespacePattern)
		}
		c.Namespace = ledger.Namespace(value)
	case "principal":
		if !namePattern.MatchString(value) {
			return fmt.Errorf("the principal %q has to match %s", value, namePattern)
		}
		c.Principal = ledger.Principal(value)
	case "person":
		if !namePattern.MatchString(value) {
			return fmt.Errorf("the person %q has to match %s", value, namePattern)
		}
		c.Person = strings.ToLower(value)
	case "roles":
		c.Roles, err = parseRoles(value)
	case "teams":
		c.Teams, err = parseTeams(value)
	case "tools":
		c.Tools, err = parseTools(value)
	default:
		err = fmt.Errorf("%q is not known; a line has namespace, principal, roles and perhaps person, teams, tools", name)
	}
	return err
}

// FormatLine is the line of a file of tokens that lets the bearer of a token in as the caller. It refuses what a file
// would refuse.
func FormatLine(token string, c Caller) (string, error) {
	words := []string{HashToken(token), "namespace=" + string(c.Namespace), "principal=" + string(c.Principal), "roles=" + strings.ReplaceAll(joinRoles(c.Roles), " ", "")}
	if c.Person != "" {
		words = append(words, "person="+c.Person)
	}
	if len(c.Teams) > 0 {
		words = append(words, "teams="+strings.Join(c.Teams, ","))
	}
	if len(c.Tools) > 0 {
		words = append(words, "tools="+strings.Join(c.Tools, ","))
	}
	for _, word := range words {
		if strings.ContainsFunc(word, unicode.IsSpace) {
			return "", fmt.Errorf("names may not hold spaces")
		}
	}
	line := strings.Join(words, " ")
	_, fields, err := splitLine(line)
	if err != nil {
		return "", err
	}
	if _, reason, err := callerOf(fields); err != nil {
		if reason != "" {
			err = fmt.Errorf("%s: %w", reason, err)
		}
		return "", err
	}
	return line, nil
}
