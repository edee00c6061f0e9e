package rulefile

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/opledger/opledger/policy"
)

// Check checks the rule as the server does when it is applied, against every tool of the configuration in its scope.
func (s *Source) Check(c policy.Config) []Problem { return s.Locate(policy.CheckRule(c, s.Rule)) }

// Locate gives problems of the rule their places in the file. What is within an expression is found there as well, where
// YAML writes it as it is: on one line, or as a block. A setting that the file does not write has the place of the
// nearest one round it.
func (s *Source) Locate(problems []policy.Problem) []Problem {
	var located []Problem
	for _, p := range problems {
		key, value := s.find(p.Path)
		found := Problem{File: s.File, Line: key.Line, Column: key.Column, Rule: p.Rule, Path: p.Path, Code: p.Code, Message: p.Message}
		if p.Line > 0 && value != nil && value.Kind == yaml.ScalarNode {
			found.Line, found.Column = within(value, p.Line, p.Column)
		}
		located = append(located, found)
	}
	return located
}

// within gives the place in the file of a place within a text. The parser does not tell how far a block is indented, so
// of a block only the line is exact.
func within(value *yaml.Node, line, column int) (int, int) {
	switch {
	case value.Style&yaml.LiteralStyle != 0:
		return value.Line + line, column
	case value.Style&yaml.FoldedStyle != 0, line > 1, strings.Contains(value.Value, "\n"):
		return value.Line, value.Column
	case value.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return value.Line, value.Column + column
	}
	return value.Line, value.Column + column - 1
}

// step is one step of a path such as scope.tools[0]: a field, and perhaps an index.
var step = regexp.MustCompile(`^([a-z_]+)((?:\[[0-9]+\])*)$`)

// find follows a path as far as the file writes it: the key of the last field found, and its value.
func (s *Source) find(path string) (key, value *yaml.Node) {
	key, value = s.root, s.root
	fields := s.Proto.ProtoReflect().Descriptor().Fields()
	for name := range strings.SplitSeq(path, ".") {
		m := step.FindStringSubmatch(name)
		if m == nil {
			return key, value
		}
		var field protoreflect.FieldDescriptor
		if fields != nil {
			field = fields.ByName(protoreflect.Name(m[1]))
		}
		k, v := member(value, m[1])
		if k == nil && field != nil {
			k, v = member(value, field.JSONName())
		}
		if k == nil {
			return key, nil
		}
		key, value, fields = k, v, nil
		if field != nil && field.Message() != nil {
			fields = field.Message().Fields()
		}
		for index := range strings.SplitSeq(strings.Trim(m[2], "[]"), "][") {
			i, err := strconv.Atoi(index)
			if err == nil && value.Kind == yaml.SequenceNode && i < len(value.Content) {
				key, value = value.Content[i], value.Content[i]
			}
		}
	}
	return key, value
}

// member finds a field of a mapping.
func member(node *yaml.Node, name string) (key, value *yaml.Node) {
	if node.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i], node.Content[i+1]
		}
	}
	return nil, nil
}
