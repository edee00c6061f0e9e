package toolfile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"buf.build/go/protovalidate"
	"buf.build/go/protoyaml"
	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/canon"
	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/registry"
)

// The bounds of a file.
const (
	// MaxFileBytes is room for a few hundred tools; a longer file is no tool file.
	MaxFileBytes = 4 << 20
	// MaxDepth bounds how deep a file nests. A definition nests as deep as its schema, which is bounded by the same number.
	MaxDepth = 80
)

// Codes of a file that cannot be read as definitions.
const (
	CodeSyntax    registry.Code = "bad_yaml"
	CodeTwice     registry.Code = "field_twice" // readers disagree on which one counts
	CodeAlias     registry.Code = "alias"
	CodeNumber    registry.Code = "unclear_number"
	CodeMessage   registry.Code = "bad_field" // an unknown field, or a value of the wrong kind
	CodeViolation registry.Code = "bad_value" // a value that the API's own rules refuse
)

// Problem is a problem of a definition with its place in the file. Line and Column count from 1; zero: not known.
type Problem struct {
	registry.Problem
	File         string
	Line, Column int
}

// Error writes the problem as compilers do, so that editors can jump to it.
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Problem.Error()
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Problem.Error())
}

// Source is one tool of a file.
type Source struct {
	File       string
	Line       int // where the tool begins
	Proto      *opledgerv1.ToolDefinition
	Definition registry.Definition

	root *yaml.Node
}

// Parse reads a file of one tool or several. An unknown field, one that comes twice and a value that the API's own rules
// refuse are problems; a tool that has one is not among the sources. The name of the file is for messages only.
func Parse(file string, text []byte) ([]Source, []Problem) {
	if len(text) > MaxFileBytes {
		return nil, []Problem{{File: file, Problem: registry.Problem{Code: registry.CodeBounds,
			Message: fmt.Sprintf("The file has more than %d bytes.", MaxFileBytes)}}}
	}
	var sources []Source
	var problems []Problem
	for _, part := range split(text) {
		source, found := parseOne(file, part)
		problems = append(problems, found...)
		if source != nil && len(found) == 0 {
			sources = append(sources, *source)
		}
	}
	if len(sources) == 0 && len(problems) == 0 {
		problems = append(problems, Problem{File: file, Problem: registry.Problem{Code: CodeSyntax, Message: "The file holds no tool."}})
	}
	return sources, append(problems, twiceNamed(sources)...)
}

// twiceNamed finds tools that a file defines twice: which one would count is anybody's guess.
func twiceNamed(sources []Source) []Problem {
	var problems []Problem
	first := map[string]int{}
	for i := range sources {
		s := &sources[i]
		if line, seen := first[s.Definition.Name]; seen {
			problems = append(problems, s.Locate([]registry.Problem{{Path: "name", Code: CodeTwice,
				Message: fmt.Sprintf("The file defines %s in line %d already; a file holds one version of a tool.", s.Definition.Name, line)}})...)
			continue
		}
		first[s.Definition.Name] = s.Line
	}
	return problems
}

// split divides a file at its lines of three dashes. Each part keeps its place by empty lines in front of it, so that the
// lines of messages are those of the file.
func split(text []byte) [][]byte {
	var parts [][]byte
	var current bytes.Buffer
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		if bare := bytes.TrimRight(line, " \t\r\n"); bytes.Equal(bare, []byte("---")) || bytes.HasPrefix(line, []byte("--- #")) {
			parts = append(parts, bytes.Clone(current.Bytes()))
			current.Reset()
			current.Write(bytes.Repeat([]byte("\n"), i+1))
			continue
		}
		current.Write(line)
	}
	return append(parts, current.Bytes())
}

func parseOne(file string, text []byte) (*Source, []Problem) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, []Problem{syntax(file, err)}
	}
	if document.Kind == 0 || len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
		return nil, nil // comments only
	}
	root := document.Content[0]
	s := &Source{File: file, Line: root.Line, Proto: &opledgerv1.ToolDefinition{}, root: root}
	if problems := s.tidy(root, 0); len(problems) > 0 {
		return nil, problems
	}
	if root.Kind != yaml.MappingNode {
		return nil, []Problem{s.at(root, CodeMessage, "", "A tool is a mapping, such as name: payment.capture.")}
	}
	options := protoyaml.UnmarshalOptions{CustomUnmarshaler: yamlproto.ShortNames{}}
	if err := options.Unmarshal(text, s.Proto); err != nil {
		return nil, s.unmarshalProblems(err)
	}
	var invalid *protovalidate.ValidationError
	if err := protovalidate.Validate(s.Proto); errors.As(err, &invalid) {
		var problems []registry.Problem
		for _, v := range invalid.Violations {
			problems = append(problems, registry.Problem{Path: protovalidate.FieldPathString(v.Proto.GetField()), Code: CodeViolation, Message: sentence(v.Proto.GetMessage())})
		}
		return nil, s.Locate(problems)
	} else if err != nil {
		return nil, []Problem{s.at(root, CodeViolation, "", sentence(err.Error()))}
	}
	definition, problems := FromProto(s.Proto)
	s.Definition = definition
	return s, s.Locate(problems)
}

func sentence(message string) string {
	if message == "" {
		return "The value is refused."
	}
	message = strings.ToUpper(message[:1]) + message[1:]
	return strings.TrimSuffix(message, ".") + "."
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

// syntax takes the line out of a YAML error.
func syntax(file string, err error) Problem {
	p := Problem{File: file, Problem: registry.Problem{Code: CodeSyntax, Message: sentence(strings.TrimPrefix(err.Error(), "yaml: "))}}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		p.Line, _ = strconv.Atoi(m[1])
		p.Column, p.Message = 1, sentence(m[2])
	}
	return p
}

func (s *Source) at(node *yaml.Node, code registry.Code, path, message string) Problem {
	return Problem{File: s.File, Line: node.Line, Column: node.Column, Problem: registry.Problem{Path: path, Code: code, Message: message}}
}

// tidy refuses what YAML allows and a contract does not need: fields that come twice, aliases, endless nesting, and
// numbers that readers take differently (010 is eight to some and ten to others).
func (s *Source) tidy(node *yaml.Node, depth int) []Problem {
	switch {
	case depth > MaxDepth:
		return []Problem{s.at(node, registry.CodeBounds, "", fmt.Sprintf("The file nests more than %d levels deep.", MaxDepth))}
	case node.Kind == yaml.AliasNode:
		return []Problem{s.at(node, CodeAlias, "", "Aliases are not read; write it out, so that a tool can be read by itself.")}
	case node.Tag == "!!int" || node.Tag == "!!float":
		if _, faults := canon.Number(node.Value); len(faults) > 0 {
			return []Problem{s.at(node, CodeNumber, "", "The number "+node.Value+" is not one that every reader takes for the same (an octal, one with _, or a whole number at or beyond 2^53); write it as JSON does, or in quotes where a text is meant.")}
		}
	}
	var problems []Problem
	if node.Kind == yaml.MappingNode {
		first := map[string]int{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if line, twice := first[key.Value]; twice {
				problems = append(problems, s.at(key, CodeTwice, key.Value, fmt.Sprintf("The field stands in line %d already, and readers disagree on which one counts.", line)))
			}
			first[key.Value] = key.Line
		}
	}
	for _, child := range node.Content {
		problems = append(problems, s.tidy(child, depth+1)...)
	}
	return problems
}

var nodeError = regexp.MustCompile(`(?m)^:(\d+):(\d+) (.*)$`)

// unmarshalProblems takes the places out of the errors of protoyaml, which tells them as text only.
func (s *Source) unmarshalProblems(err error) []Problem {
	var problems []Problem
	for _, m := range nodeError.FindAllStringSubmatch(err.Error(), -1) {
		p := Problem{File: s.File, Problem: registry.Problem{Code: CodeMessage, Message: sentence(m[3])}}
		p.Line, _ = strconv.Atoi(m[1])
		p.Column, _ = strconv.Atoi(m[2])
		problems = append(problems, p)
	}
	if len(problems) == 0 {
		problems = append(problems, s.at(s.root, CodeMessage, "", sentence(err.Error())))
	}
	return problems
}
