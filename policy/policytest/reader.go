package policytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/canon"
)

// Problem is something that is wrong with a file, so that its cases cannot be judged. Line and Column count from 1; zero:
// not known.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Error writes the problem as compilers do, so that editors can jump to it.
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// reader reads YAML strictly and collects what is wrong with it: a field that is misspelt would otherwise be a test that
// tests nothing.
type reader struct {
	name     string
	problems []Problem
}

func (r *reader) fault(n *yaml.Node, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.name, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)})
}

// required reports fields of a mapping that are not there.
func (r *reader) required(n *yaml.Node, seen map[string]bool, fields ...string) {
	for _, f := range fields {
		if n.Kind == yaml.MappingNode && !seen[f] {
			r.fault(n, "The field %s is required.", f)
		}
	}
}

// mapping reads the fields of a mapping and answers which there were. One that is not known, or comes twice, is a fault.
func (r *reader) mapping(n *yaml.Node, what string, fields map[string]func(*yaml.Node)) map[string]bool {
	seen := map[string]bool{}
	r.pairs(n, func(key, value *yaml.Node) {
		read, known := fields[key.Value]
		switch {
		case !known:
			names := make([]string, 0, len(fields))
			for name := range fields {
				names = append(names, name)
			}
			slices.Sort(names)
			r.fault(key, "%q is no field of %s; its fields are %s.", key.Value, what, strings.Join(names, ", "))
		case seen[key.Value]:
			r.fault(key, "The field %s comes twice.", key.Value)
		default:
			read(value)
		}
		seen[key.Value] = true
	})
	return seen
}

func (r *reader) pairs(n *yaml.Node, each func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fault(n, "A mapping is expected here, such as {a: b}.")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		each(n.Content[i], n.Content[i+1])
	}
}

func (r *reader) each(n *yaml.Node, item func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.fault(n, "A list is expected here, such as [a, b].")
		return
	}
	for _, c := range n.Content {
		item(c)
	}
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.fault(n, "A text is expected here.")
		return ""
	}
	return n.Value
}

// texts reads a list of texts; a single one stands for a list of one.
func (r *reader) texts(n *yaml.Node) (list []string) {
	if n.Kind == yaml.ScalarNode {
		return []string{r.text(n)}
	}
	r.each(n, func(item *yaml.Node) { list = append(list, r.text(item)) })
	return list
}

// word reads one of several words, in capitals or not.
func (r *reader) word(n *yaml.Node, words []string) string {
	word := strings.ToUpper(r.text(n))
	if word != "" && !slices.Contains(words, word) {
		r.fault(n, "%q is none of %s.", n.Value, strings.Join(words, ", "))
		return ""
	}
	return word
}

func (r *reader) integer(n *yaml.Node) int64 {
	i, err := strconv.ParseInt(n.Value, 10, 64)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil {
		r.fault(n, "A whole number is expected here.")
	}
	return i
}

func (r *reader) truth(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		r.fault(n, "true or false is expected here.")
	}
	return n.Value == "true"
}

func (r *reader) instant(n *yaml.Node) time.Time {
	t, err := time.Parse(time.RFC3339, n.Value)
	if err != nil {
		r.fault(n, "%q is no time; write one with its zone, such as 2026-03-02T09:00:00Z.", n.Value)
	}
	return t
}

var wholeDays = regexp.MustCompile(`^([0-9]{1,3})d$`)

func (r *reader) duration(n *yaml.Node) time.Duration {
	d, err := time.ParseDuration(n.Value)
	if m := wholeDays.FindStringSubmatch(n.Value); m != nil {
		days, _ := strconv.Atoi(m[1])
		d, err = time.Duration(days)*24*time.Hour, nil
	}
	if err != nil || d < 0 {
		r.fault(n, "%q is no duration; write one such as 30m, 24h or 7d.", n.Value)
	}
	return d
}

// json turns a value into JSON text. A text is taken to be JSON already. Numbers keep their digits; one that JSON writes
// otherwise (octal, hexadecimal, with _) is a fault, since two readers would take it for two numbers.
func (r *reader) json(n *yaml.Node) []byte {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		return []byte(n.Value)
	}
	var out bytes.Buffer
	r.write(&out, n)
	return out.Bytes()
}

func (r *reader) write(out *bytes.Buffer, n *yaml.Node) {
	switch {
	case n.Kind == yaml.MappingNode:
		out.WriteByte('{')
		first := true
		r.pairs(n, func(key, value *yaml.Node) {
			if !first {
				out.WriteByte(',')
			}
			first = false
			out.Write(quote(key.Value))
			out.WriteByte(':')
			r.write(out, value)
		})
		out.WriteByte('}')
	case n.Kind == yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			r.write(out, item)
		}
		out.WriteByte(']')
	case n.Kind != yaml.ScalarNode:
		r.fault(n, "Aliases are not read; write it out, so that a case can be read by itself.")
	case n.Tag == "!!null":
		out.WriteString("null")
	case n.Tag == "!!bool":
		out.WriteString(strconv.FormatBool(r.truth(n)))
	case n.Tag == "!!int" || n.Tag == "!!float":
		if _, faults := canon.Number(n.Value); len(faults) > 0 {
			r.fault(n, "The number %s is not one that every reader takes for the same; write it as JSON does, or in quotes where a text is meant.", n.Value)
		}
		out.WriteString(n.Value)
	default: // texts, and what YAML takes for dates
		out.Write(quote(n.Value))
	}
}

func quote(text string) []byte {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return data
}
