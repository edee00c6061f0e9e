package inbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/ledger"
)

// Problem is a fault of a file of sources, with its place as compilers write it.
type Problem struct {
	File         string
	Line, Column int
	Message      string
}

// Error writes the place and the message.
func (p Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Sources are those of one file.
type Sources struct {
	byName map[[2]string]*Source
	list   []*Source
}

// Find finds a source of a namespace; nil where there is none.
func (s *Sources) Find(ns ledger.Namespace, name string) *Source {
	if s == nil {
		return nil
	}
	return s.byName[[2]string{string(ns), name}]
}

// All lists the sources in the order of the file.
func (s *Sources) All() []*Source {
	if s == nil {
		return nil
	}
	return s.list
}

// maxSources bounds the sources of one file.
const maxSources = 1000

// Options say what a file may ask for.
type Options struct {
	// Unsigned lets a source go without a signature.
	Unsigned bool
}

// Parse reads a file of sources. What it does not know is a fault, so that a slip of the pen never leaves a check out.
func Parse(file string, text []byte, options Options) (*Sources, error) {
	p := &parser{file: file, options: options}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("it is empty")
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	all := &Sources{byName: map[[2]string]*Source{}}
	p.members(document.Content[0], map[string]func(*yaml.Node){"sources": func(n *yaml.Node) {
		if n.Kind != yaml.SequenceNode || len(n.Content) == 0 || len(n.Content) > maxSources {
			p.fail(n, "sources is a list of 1 to %d sources", maxSources)
			return
		}
		for _, item := range n.Content {
			p.source(item, all)
		}
	}}, "sources")
	if extra := decoder.Decode(&yaml.Node{}); !errors.Is(extra, io.EOF) {
		p.fail(&document, "the file holds more than one document")
	}
	return all, errors.Join(p.problems...)
}

// parser collects the faults of one file.
type parser struct {
	file     string
	options  Options
	problems []error
}

func (p *parser) fail(n *yaml.Node, format string, args ...any) {
	p.problems = append(p.problems, Problem{p.file, n.Line, n.Column, fmt.Sprintf(format, args...)})
}

// members reads a mapping by its known members; those that are required must be there.
func (p *parser) members(n *yaml.Node, known map[string]func(*yaml.Node), required ...string) {
	if n.Kind != yaml.MappingNode {
		p.fail(n, "a mapping is expected here")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		read := known[name.Value]
		switch {
		case read == nil:
			p.fail(name, "there is no %q here; there are %s", name.Value, strings.Join(sorted(known), ", "))
		case seen[name.Value]:
			p.fail(name, "%q stands here twice", name.Value)
		default:
			read(value)
		}
		seen[name.Value] = true
	}
	for _, name := range required {
		if !seen[name] {
			p.fail(n, "%s is missing", name)
		}
	}
}

func sorted[T any](known map[string]T) []string {
	var names []string
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// text reads a text into a field.
func (p *parser) text(to *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
			p.fail(n, "a text is expected here")
			return
		}
		*to = n.Value
	}
}

// duration reads a duration such as 5m.
func (p *parser) duration(to *time.Duration, least, most time.Duration) func(*yaml.Node) {
	return func(n *yaml.Node) {
		d, err := time.ParseDuration(n.Value)
		if n.Kind != yaml.ScalarNode || err != nil || d < least || d > most {
			p.fail(n, "a duration of %s to %s is expected here, such as 5m", least, most)
			return
		}
		*to = d
	}
}
