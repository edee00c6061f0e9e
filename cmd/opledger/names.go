package main

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
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
	return strings.ToLower(strings.TrimPrefix(name, yamlproto.EnumPrefix(d)))
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
	name := yamlproto.EnumPrefix(d) + strings.ToUpper(strings.ReplaceAll(word, "-", "_"))
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

	claimKindEnum        = pb.ClaimKind_CLAIM_KIND_UNSPECIFIED.Descriptor()
	workflowStateEnum    = pb.Workflow_STATE_UNSPECIFIED.Descriptor()
	approvalStateEnum    = pb.Approval_STATE_UNSPECIFIED.Descriptor()
	decisionEnum         = pb.Decision_DECISION_UNSPECIFIED.Descriptor()
	deliveryStateEnum    = pb.Delivery_STATE_UNSPECIFIED.Descriptor()
	grantKindEnum        = pb.GrantKind_GRANT_KIND_UNSPECIFIED.Descriptor()
	notificationKindEnum = pb.NotificationKind_NOTIFICATION_KIND_UNSPECIFIED.Descriptor()
)

// parseWords reads the words of a flag that takes several.
func parseWords[E ~int32](flag string, d protoreflect.EnumDescriptor, list []string) ([]E, error) {
	var values []E
	for _, word := range list {
		n, err := parseWord(flag, d, word)
		if err != nil {
			return nil, err
		}
		values = append(values, E(n))
	}
	return values, nil
}

// parseStates reads --state.
func parseStates(list []string) ([]pb.Operation_State, error) {
	return parseWords[pb.Operation_State]("state", stateEnum, list)
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

// parseEntityArgument reads the argument ENTITY, which is required.
func parseEntityArgument(text string) (*pb.Entity, error) {
	kind, id, found := strings.Cut(text, "/")
	if !found || kind == "" || id == "" {
		return nil, usagef("%q is no entity: it is of the form type/id, such as order/order_123", text)
	}
	return &pb.Entity{Type: kind, Id: id}, nil
}

// parseEntityArguments reads the arguments ENTITY...
func parseEntityArguments(texts []string) ([]*pb.Entity, error) {
	var list []*pb.Entity
	for _, text := range texts {
		e, err := parseEntityArgument(text)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

func entityName(e *pb.Entity) string {
	if e == nil {
		return ""
	}
	return e.Type + "/" + e.Id
}
