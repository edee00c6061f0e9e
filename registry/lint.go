package registry

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/opledger/opledger/canon"
)

// Lint finds what is allowed and looks wrong: fields that would make each try of one call another operation, and
// settings that do nothing. A definition that Check refuses is linted as far as it can be.
func Lint(d Definition) []Problem {
	d = WithDefaults(d)
	var problems Problems
	c, _ := compile(d)
	if c.schema != nil && d.Class != PureRead {
		l := &linter{c: c, problems: &problems, open: map[*jsonschema.Schema]bool{}}
		l.fields(c.schema, nil)
	}
	if c.key != nil && c.key.Uses(canon.FromOccurrence) && d.Identity.Occurrence == OccurrenceNobody {
		problems.add("identity.key_template", CodeUnusedOccurrence, "The key has {occurrence}, but nobody may name one; remove it, or let someone.")
	}
	if d.Provider.readsItsWrites() && d.Provider.PropagationTime > 0 {
		problems.add(pathPropagation, CodeUnusedPropagation, "Every lookup shows a commit at once, and yet a propagation delay is stated; each lookup waits for it.")
	}
	lintPolicy(d, c, &problems)
	lintHTTP(d, &problems)
	return problems
}

// linter walks the fields of a schema.
type linter struct {
	c        *Compiled
	problems *Problems
	open     map[*jsonschema.Schema]bool // those on the way, so that a schema that holds itself ends
	places   int                         // so far
}

// maxLintPlaces ends the walk of a schema whose definitions refer to each other in very many ways.
const maxLintPlaces = 10_000

func (l *linter) fields(s *jsonschema.Schema, at canon.Pointer) {
	if l.places++; l.places > maxLintPlaces || len(at) > maxWalk {
		return
	}
	seen := map[string]bool{}
	for _, part := range spread(s) {
		if l.open[part] {
			continue
		}
		l.open[part] = true
		defer delete(l.open, part)
		for _, name := range slices.Sorted(maps.Keys(part.Properties)) {
			here := append(slices.Clip(at), name)
			if l.settled(here) {
				continue
			}
			if !seen[name] {
				seen[name] = true
				l.field(name, here, part.Properties[name])
			}
			l.fields(part.Properties[name], here)
		}
		for _, item := range items(part) {
			if here := append(slices.Clip(at), each); !l.settled(here) {
				l.fields(item, here)
			}
		}
	}
}

// settled reports whether the owner has said what the field means: by a rule on it, or by a template that reads it.
func (l *linter) settled(at canon.Pointer) bool {
	text := at.String()
	rule, ruled := l.c.Definition.Identity.Rules.Fields[text]
	if ruled && rule.Kind != canon.RuleList && rule.Kind != canon.RuleSet {
		return true
	}
	return l.c.key != nil && slices.Contains(l.c.key.Pointers(), text)
}

func (l *linter) field(name string, at canon.Pointer, s *jsonschema.Schema) {
	path := "arguments_schema"
	if word := plainName(name); callerKeys[word] {
		l.problems.add(path, CodeCallerKeyField, fmt.Sprintf("%s asks the caller for an idempotency key. A model makes a new one for each try, so that a retry %s; give the field the rule ignore, and let the ledger's key be the only one.", at, l.harm()))
		return
	}
	why := volatile(name)
	if why == "" && l.format(s) == "date-time" {
		why = "is a time by its format"
	}
	if why != "" {
		l.problems.add(path, CodeVolatileField, fmt.Sprintf("%s %s and has no rule. If it differs from try to try, a retry %s; give it the rule ignore. If it belongs to the operation, give it a rule that says how it compares, such as timestamp.", at, why, l.harm()))
	}
}

// harm says what a field that differs from try to try does.
func (l *linter) harm() string {
	if l.c.key == nil {
		return "is another operation and acts once more"
	}
	return "is refused as a reused key"
}

// format gives a place's format as it was written: the dialect takes formats for notes, and so the compiler drops them.
func (l *linter) format(s *jsonschema.Schema) string {
	for _, c := range certain(s, 0) {
		_, fragment, _ := strings.Cut(c.Location, "#")
		at, err := url.PathUnescape(fragment)
		if err != nil {
			continue
		}
		if format, ok := l.c.written.Lookup(at + "/format"); ok {
			name, _ := format.Text()
			return name
		}
	}
	return ""
}

func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[plainName(w)] = true
	}
	return m
}

// callerKeys are names of keys that a tool asks its caller for.
var callerKeys = set("idempotency_key idempotency_token idempotence_key idem_key dedupe_key dedup_key request_key client_token")

// volatileNames differ from one try of a call to the next, or are made anew by whoever sends it.
var volatileNames = set("timestamp ts time now date_time request_time requested_at created_at updated_at sent_at submitted_at " +
	"generated_at client_time current_time nonce random rand salt seed uuid guid ulid trace trace_id trace_parent traceparent " +
	"span_id correlation_id request_id client_request_id message_id turn_id call_id tool_call_id attempt attempt_id " +
	"attempt_number retry retries retry_count run_id session_id thread_id step_id checkpoint_id signature")

// volatile says why a name looks as if its value differed from try to try; empty: it does not.
func volatile(name string) string {
	if volatileNames[plainName(name)] {
		return "has a name of something that differs from try to try"
	}
	return ""
}
