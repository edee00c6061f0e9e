package callers

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/opledger/opledger/ledger"
)

// ReasonRolesNotApart is the stable reason of a line that mixes roles which one credential may not hold together.
const ReasonRolesNotApart = "ROLES_NOT_APART"

// LineError says what is wrong with one line of a file of tokens. No part of a hash is in it.
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

// entry is one line: a hash, and who bears the token.
type entry struct {
	hash   tokenHash
	caller Caller
	line   int
}

// names of namespaces, principals and persons appear in logs, metrics and events, and are kept readable there.
var (
	namespacePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)
	namePattern      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@/+-]{0,127}$`)
)

// parseLine reads one line that is neither empty nor a comment.
func parseLine(text string) (entry, string, error) {
	text, _, _ = strings.Cut(text, " #")
	words := strings.Fields(text)
	hash, err := parseHash(words[0])
	if err != nil {
		return entry{}, "", err
	}
	fields := map[string]string{}
	for _, word := range words[1:] {
		name, value, found := strings.Cut(word, "=")
		if !found || value == "" {
			return entry{}, "", fmt.Errorf("%q is not of the form name=value", word)
		}
		if _, twice := fields[name]; twice {
			return entry{}, "", fmt.Errorf("%s is stated twice", name)
		}
		fields[name] = value
	}
	caller, reason, err := callerOf(fields)
	return entry{hash: hash, caller: caller}, reason, err
}

// callerOf turns the fields of a line into a caller. A field that is not known is refused, because a misspelt one would
// otherwise be a right or a bound that silently is not there.
func callerOf(fields map[string]string) (c Caller, reason string, err error) {
	for name, value := range fields {
		switch name {
		case "namespace":
			if !namespacePattern.MatchString(value) {
				return c, "", fmt.Errorf("the namespace %q has to match %s", value, namespacePattern)
			}
			c.Namespace = ledger.Namespace(value)
		case "principal":
			if !namePattern.MatchString(value) {
				return c, "", fmt.Errorf("the principal %q has to match %s", value, namePattern)
			}
			c.Principal = ledger.Principal(value)
		case "person":
			if !namePattern.MatchString(value) {
				return c, "", fmt.Errorf("the person %q has to match %s", value, namePattern)
			}
			c.Person = value
		case "roles":
			if c.Roles, err = parseRoles(value); err != nil {
				return c, "", err
			}
		default:
			return c, "", fmt.Errorf("%q is not known; a line has namespace, principal, roles and perhaps person", name)
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
	if acts, decides, both := mixed(c.Roles); both {
		return c, ReasonRolesNotApart, fmt.Errorf("a credential that may %s never may %s as well; give the person a token of their own", acts, decides)
	}
	if role := firstOf(personal, c.Roles); role != "" && c.Person == "" {
		return c, "", fmt.Errorf("the role %s is used by a person; say who with person=", role)
	}
	return c, "", nil
}

// FormatLine is the line of a file of tokens that lets the bearer of a token in as the caller. It refuses what a file
// would refuse.
func FormatLine(token string, c Caller) (string, error) {
	words := []string{HashToken(token), "namespace=" + string(c.Namespace), "principal=" + string(c.Principal), "roles=" + strings.ReplaceAll(joinRoles(c.Roles), " ", "")}
	if c.Person != "" {
		words = append(words, "person="+c.Person)
	}
	line := strings.Join(words, " ")
	read, reason, err := parseLine(line)
	if err != nil {
		if reason != "" {
			err = fmt.Errorf("%s: %w", reason, err)
		}
		return "", err
	}
	if read.caller.Namespace != c.Namespace || read.caller.Principal != c.Principal || read.caller.Person != c.Person {
		return "", fmt.Errorf("names may not hold spaces")
	}
	return line, nil
}
