package main

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// enum is an enum of the API.
type enum interface {
	protoreflect.Enum
	fmt.Stringer
}

// short is an enum's value as people write it: STATE_UNKNOWN_OUTCOME is "unknown_outcome". Empty where it is not set.
func short(e enum) string {
	if e.Number() == 0 {
		return ""
	}
	return shortName(e.Descriptor(), e.String())
}

func shortName(d protoreflect.EnumDescriptor, name string) string {
	return strings.ToLower(strings.TrimPrefix(name, enumPrefix(d)))
}

// enumPrefix is what all values of an enum begin with, by the name of the value zero.
func enumPrefix(d protoreflect.EnumDescriptor) string {
	return strings.TrimSuffix(string(d.Values().ByNumber(0).Name()), "UNSPECIFIED")
}

// words are an enum's values as people write them.
func words(d protoreflect.EnumDescriptor) []string {
	var list []string
	for i := range d.Values().Len() {
		if v := d.Values().Get(i); v.Number() != 0 {
			list = append(list, shortName(d, string(v.Name())))
		}
	}
	return list
}

// parseWord reads a value as people write it.
func parseWord(flag string, d protoreflect.EnumDescriptor, word string) (protoreflect.EnumNumber, error) {
	name := enumPrefix(d) + strings.ToUpper(strings.ReplaceAll(word, "-", "_"))
	if v := d.Values().ByName(protoreflect.Name(name)); v != nil && v.Number() != 0 {
		return v.Number(), nil
	}
	return 0, usagef("--%s %q is none of %s", flag, word, strings.Join(words(d), ", "))
}

var (
	stateEnum    = pb.Operation_STATE_UNSPECIFIED.Descriptor()
	classEnum    = pb.ToolClass_TOOL_CLASS_UNSPECIFIED.Descriptor()
	verdictEnum  = pb.Verdict_VERDICT_UNSPECIFIED.Descriptor()
	lookupByEnum = pb.LookupBy_LOOKUP_BY_UNSPECIFIED.Descriptor()
)

// parseStates reads --state.
func parseStates(list []string) ([]pb.Operation_State, error) {
	var states []pb.Operation_State
	for _, word := range list {
		n, err := parseWord("state", stateEnum, word)
		if err != nil {
			return nil, err
		}
		states = append(states, pb.Operation_State(n))
	}
	return states, nil
}

// parseEntity reads "type/id".
func parseEntity(text string) (*pb.Entity, error) {
	if text == "" {
		return nil, nil
	}
	kind, id, found := strings.Cut(text, "/")
	if !found || kind == "" || id == "" {
		return nil, usagef("--entity %q is not of the form type/id", text)
	}
	return &pb.Entity{Type: kind, Id: id}, nil
}

func entityName(e *pb.Entity) string {
	if e == nil {
		return ""
	}
	return e.Type + "/" + e.Id
}
