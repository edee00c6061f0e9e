package rulefile

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

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/policy"
)

// The bounds of a file.
const (
	// MaxFileBytes is room for a thousand rules; a longer file is no rule file.
	MaxFileBytes = 4 << 20
	// maxNesting bounds how deep a file nests. A rule nests three levels deep.
	maxNesting = 20
)

// Codes of a file that cannot be read as rules.
const (
	CodeYAML      policy.Code = "bad_yaml"
	CodeField     policy.Code = "bad_field"   // an unknown field, or a value of the wrong kind
	CodeViolation policy.Code = "bad_value"   // a value that the API's own rules refuse
	CodeTwice     policy.Code = "field_twice" // readers disagree on which one counts
	CodeAlias     policy.Code = "alias"
)

// Problem is a problem with its place in the file. Line and Column count from 1; zero: not known.
type Problem struct {
	File         string
	Line, Column int
	Rule, Path   string
	Code         policy.Code
	Message      string
}

// Error writes the problem as compilers do, so that editors can jump to it.
func (p Problem) Error() string {
	at := p.File
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
	if p.Path != "" {
		at += ": " + p.Path
	}
	return fmt.Sprintf("%s: %s [%s]", at, p.Message, p.Code)
}

// Source is one rule of a file.
type Source struct {
	File  string
	Line  int // where the rule begins
	Proto *opledgerv1.PolicyRule
	Rule  policy.Rule

	root *yaml.Node
}

// Parse reads a file of one rule or several, divided by lines of three dashes. Fields have the names of the API's
// PolicyRule; values of enums may be written without their prefix. An unknown field, one that comes twice and a value
// that the API refuses are problems; a rule that has one is not among the sources. Whether a rule fits the tools is for
// Source.Check to say. The name of the file is for messages only.
func Parse(file string, text []byte) ([]Source, []Problem) {
	if len(text) > MaxFileBytes {
		return nil, []Problem{{File: file, Code: policy.CodeBounds, Message: fmt.Sprintf("The file has more than %d bytes.", MaxFileBytes)}}
	}
	var sources []Source
	var problems []Problem
	first := map[string]int{}
	for _, part := range split(text) {
		var document yaml.Node
		if err := yaml.Unmarshal(part, &document); err != nil {
			problems = append(problems, syntax(file, err))
			continue
		}
		if len(document.Content) == 0 || document.Content[0].Tag == "!!null" {
			continue // comments only
		}
		source, found := read(file, document.Content[0], part)
		if problems = append(problems, found...); source == nil {
			continue
		}
		if line, twice := first[source.Rule.ID]; twice {
			problems = append(problems, source.Locate([]policy.Problem{{Rule: source.Rule.ID, Path: "rule_id", Code: policy.CodeTwice,
				Message: fmt.Sprintf("The file defines %s in line %d already; a file holds one version of a rule.", source.Rule.ID, line)}})...)
			continue
		}
		first[source.Rule.ID] = source.Line
		sources = append(sources, *source)
	}
	if len(sources)+len(problems) == 0 {
		problems = append(problems, Problem{File: file, Code: CodeYAML, Message: "The file holds no rule."})
	}
	return sources, problems
}

// FromNode reads a rule that is written out within another file, such as one of test cases.
func FromNode(file string, node *yaml.Node) (*Source, []Problem) {
	text, err := yaml.Marshal(node)
	if err != nil {
		return nil, []Problem{at(file, node, CodeYAML, "The rule cannot be read.")}
	}
	source, problems := read(file, node, text)
	for i := range problems {
		if problems[i].Code == CodeField {
			problems[i].Line, problems[i].Column = node.Line, node.Column // its place is that in the rule alone
		}
	}
	return source, problems
}

// read turns one document into a rule; nil where it has problems.
func read(file string, root *yaml.Node, text []byte) (*Source, []Problem) {
	s := &Source{File: file, Line: root.Line, Proto: &opledgerv1.PolicyRule{}, root: root}
	if root.Kind != yaml.MappingNode {
		return nil, []Problem{at(file, root, CodeField, "A rule is a mapping, such as rule_id: no-night-refunds.")}
	}
	if problems := tidy(file, root, 0); len(problems) > 0 {
		return nil, problems
	}
	if err := (protoyaml.UnmarshalOptions{CustomUnmarshaler: yamlproto.ShortNames{}}).Unmarshal(text, s.Proto); err != nil {
		return nil, fieldProblems(file, root, err)
	}
	var invalid *protovalidate.ValidationError
	if err := protovalidate.Validate(s.Proto); errors.As(err, &invalid) {
		var found []policy.Problem
		for _, v := range invalid.Violations {
			found = append(found, policy.Problem{Rule: s.Proto.GetRuleId(), Path: protovalidate.FieldPathString(v.Proto.GetField()), Code: CodeViolation, Message: sentence(v.Proto.GetMessage())})
		}
		return nil, s.Locate(found)
	} else if err != nil {
		return nil, []Problem{at(file, root, CodeViolation, sentence(err.Error()))}
	}
	rule, problems := FromProto(s.Proto)
	if len(problems) > 0 {
		return nil, s.Locate(problems)
	}
	s.Rule = rule
	return s, nil
}

// split divides a file at its lines of three dashes. Each part keeps its place by empty lines in front of it, so that the
// lines of messages are those of the file.
func split(text []byte) [][]byte {
	var parts [][]byte
	var part []byte
	for i, line := range bytes.SplitAfter(text, []byte("\n")) {
		if bare := bytes.TrimRight(line, " \t\r\n"); bytes.Equal(bare, []byte("---")) || bytes.HasPrefix(line, []byte("--- #")) {
			parts, part = append(parts, part), bytes.Repeat([]byte("\n"), i+1)
			continue
		}
		part = append(part, line...)
	}
	return append(parts, part)
}

func at(file string, node *yaml.Node, code policy.Code, message string) Problem {
	return Problem{File: file, Line: node.Line, Column: node.Column, Code: code, Message: message}
}

var (
	yamlLine  = regexp.MustCompile(`line (\d+): (.*)`)
	nodeError = regexp.MustCompile(`(?m)^:(\d+):(\d+) (.*)$`)
)

// syntax takes the line out of a YAML error.
func syntax(file string, err error) Problem {
	p := Problem{File: file, Code: CodeYAML, Message: sentence(strings.TrimPrefix(err.Error(), "yaml: "))}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		p.Line, _ = strconv.Atoi(m[1])
		p.Column, p.Message = 1, sentence(m[2])
	}
	return p
}

// fieldProblems takes the places out of the errors of protoyaml, which tells them as text only.
func fieldProblems(file string, root *yaml.Node, err error) []Problem {
	var problems []Problem
	for _, m := range nodeError.FindAllStringSubmatch(err.Error(), -1) {
		p := Problem{File: file, Code: CodeField, Message: sentence(m[3])}
		p.Line, _ = strconv.Atoi(m[1])
		p.Column, _ = strconv.Atoi(m[2])
		problems = append(problems, p)
	}
	if len(problems) == 0 {
		problems = append(problems, at(file, root, CodeField, sentence(err.Error())))
	}
	return problems
}

func sentence(message string) string {
	if message == "" {
		return "The value is refused."
	}
	return strings.ToUpper(message[:1]) + strings.TrimSuffix(message[1:], ".") + "."
}
