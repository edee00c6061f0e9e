package policy

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// template is a text with references in braces, such as "{entity}/{args.customer_id}".
type template struct {
	text  string
	parts []part
}

// part is a stretch of a template: literal text, or a reference.
type part struct {
	literal string
	ref     string   // "args", "entity.id" ...; empty: literal
	path    []string // below args or result
	column  int      // from 1, of the brace
}

// maxParts bounds a template's references.
const maxParts = 16

// plainRefs are the references beside args and result.
var plainRefs = []string{"entity", "entity.type", "entity.id", "principal", "principal.person", "workflow", "tool", "intent"}

// reference is what may stand within braces.
var reference = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$`)

// fault is what is wrong with a template, and in which column.
type fault struct {
	column  int
	message string
}

// parseTemplate takes a template apart. It cannot nest, and has no escapes: a brace is always a reference's.
func parseTemplate(text string) (*template, *fault) {
	t := &template{text: text}
	column := func(at int) int { return utf8.RuneCountInString(text[:at]) + 1 }
	if len(text) > MaxTemplate {
		return nil, &fault{1, fmt.Sprintf("The template has more than %d bytes; shorten it.", MaxTemplate)}
	}
	refs := 0
	for at := 0; at < len(text); {
		next := strings.IndexAny(text[at:], "{}")
		if next < 0 {
			t.parts = append(t.parts, part{literal: text[at:], column: column(at)})
			break
		}
		if next > 0 {
			t.parts = append(t.parts, part{literal: text[at : at+next], column: column(at)})
		}
		at += next
		if text[at] == '}' {
			return nil, &fault{column(at), "This brace closes nothing; a brace stands round a reference only, such as {args.customer_id}."}
		}
		end := strings.IndexAny(text[at+1:], "{}")
		if end < 0 {
			return nil, &fault{column(at), "This brace is never closed; close it after the reference."}
		}
		end += at + 1
		if text[end] == '{' {
			return nil, &fault{column(end), "References do not nest; close the one before this brace first."}
		}
		name := text[at+1 : end]
		if !reference.MatchString(name) {
			return nil, &fault{column(at), fmt.Sprintf("%q is no reference; write one such as {args.customer_id} or {entity}.", name)}
		}
		if refs++; refs > maxParts {
			return nil, &fault{column(at), fmt.Sprintf("The template has more than %d references.", maxParts)}
		}
		p := part{ref: name, column: column(at)}
		if head, path, below := strings.Cut(name, "."); (head == "args" || head == "result") && below {
			p.ref, p.path = head, strings.Split(path, ".")
		}
		t.parts, at = append(t.parts, p), end+1
	}
	return t, nil
}

// values are what a template is filled from.
type values struct {
	facts  *Facts
	args   map[string]any // as parsed, numbers by their literals
	result map[string]any
}

// find gives the value of a reference as text. What is absent or null has none.
func (v *values) find(p part) (text string, there bool) {
	switch p.ref {
	case "args":
		return scalar(below(v.args, p.path))
	case "result":
		return scalar(below(v.result, p.path))
	case "entity":
		return v.facts.Entity.String(), !v.facts.Entity.IsZero()
	case "entity.type":
		text = v.facts.Entity.Type
	case "entity.id":
		text = v.facts.Entity.ID
	case "principal":
		text = v.facts.Principal
	case "principal.person":
		text = v.facts.Person
	case "workflow":
		text = v.facts.WorkflowID
	case "tool":
		text = v.facts.Tool
	case "intent":
		text = v.facts.Intent
	}
	return text, text != ""
}

func below(value any, path []string) any {
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}

// scalar writes a JSON value as text: a string as it is, anything else as JSON.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", false
	case string:
		return v, true
	case json.Number:
		return string(v), true
	}
	text, err := json.Marshal(v)
	return string(text), err == nil
}

// id fills the template for the id of a history: its values alone, escaped and separated, so that no value can move the
// border to the next one. What is absent is a value of its own, so that leaving a field out escapes no limit.
func (t *template) id(v *values) string {
	var list []string
	for _, p := range t.parts {
		if p.ref == "" {
			continue
		}
		text, there := v.find(p)
		if !there {
			list = append(list, absent)
			continue
		}
		list = append(list, escape(text))
	}
	return readable(strings.Join(list, "/"))
}

// fill writes the template out; there is nothing to write where a value is absent.
func (t *template) fill(v *values) (string, bool) {
	var b strings.Builder
	for _, p := range t.parts {
		if p.ref == "" {
			b.WriteString(p.literal)
			continue
		}
		text, there := v.find(p)
		if !there {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}
