package callers

import (
	"bytes"
	"fmt"
	"strings"
)

// maxLines bounds a file of callers, as maxFileBytes does: some ten thousand credentials.
const maxLines = 10_000

// entry is one line: the credential that it is about, and whom its holder is let in as.
type entry[S comparable] struct {
	subject S
	caller  Caller
	line    int
}

// lineForm is how a kind of file writes its lines. Everything after the first word is the same in all of them.
type lineForm[S comparable] struct {
	// subject reads the first word.
	subject func(word string) (S, error)
	// principal is who a line means that names no principal; nil where a line has to name one.
	principal func(S) string
	empty     string // what to say of a file without a line
}

// parseLines reads every line and checks them against each other: one credential stands in one line, and one principal
// has the same rights in all of its lines.
func parseLines[S comparable](path string, data []byte, form lineForm[S]) ([]entry[S], error) {
	var entries []entry[S]
	subjects := map[S]int{}
	holders := map[string]entry[S]{}
	for i, raw := range bytes.Split(data, []byte("\n")) {
		text := strings.TrimSpace(string(raw))
		if text == "" || text[0] == '#' {
			continue
		}
		fail := func(reason, format string, args ...any) error {
			return &LineError{Path: path, Line: i + 1, Reason: reason, Message: fmt.Sprintf(format, args...)}
		}
		e, reason, err := parseLine(text, form)
		if err != nil {
			return nil, fail(reason, "%v", err)
		}
		e.line = i + 1
		if first, twice := subjects[e.subject]; twice {
			return nil, fail("", "the same credential stands in line %d", first)
		}
		subjects[e.subject] = e.line
		holder := string(e.caller.Namespace) + " " + string(e.caller.Principal)
		if first, known := holders[holder]; !known {
			holders[holder] = e
		} else if !first.caller.sameRights(e.caller) {
			return nil, fail("", "the principal %s has other roles, teams or tools or another person in line %d; give a second bearer a name of its own", e.caller.Principal, first.line)
		}
		if len(entries) == maxLines {
			return nil, fail("", "a file of callers has at most %d lines", maxLines)
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s %s", path, form.empty)
	}
	return entries, nil
}

func parseLine[S comparable](text string, form lineForm[S]) (e entry[S], reason string, err error) {
	word, fields, err := splitLine(text)
	// The first word is judged first: a token pasted in place of its hash is told before anything beside it.
	subject, wrong := form.subject(word)
	if wrong != nil {
		return e, "", wrong
	}
	if err != nil {
		return e, "", err
	}
	if _, named := fields["principal"]; !named && form.principal != nil {
		fields["principal"] = form.principal(subject)
	}
	caller, reason, err := callerOf(fields)
	return entry[S]{subject: subject, caller: caller}, reason, err
}
