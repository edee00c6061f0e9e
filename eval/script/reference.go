package script

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
)

// resolver replaces the references of a text: ${first.operation_id} is the operation of the step that is labelled "first",
// ${first.permit.attempt_id} a field of its answer, ${first.request.request_id} one of its request.
type resolver func(node *yaml.Node, text string) (string, error)

var reference = regexp.MustCompile(`\$\{([a-z][a-z0-9_]*)((?:\.[a-z0-9_]+)+)\}`)

// labels are what earlier steps left, by their labels. While a file is checked they hold empty messages.
type labels struct {
	checking bool
	steps    map[string]*outcome
}

// find gives a label's step.
func (l *labels) find(node *yaml.Node, label string) (*outcome, error) {
	if o := l.steps[label]; o != nil {
		return o, nil
	}
	return nil, at(node, "no earlier step is labelled %q", label)
}

// named gives the step whose label a node holds.
func (l *labels) named(node *yaml.Node) (*outcome, error) {
	label, err := text(node)
	if err != nil {
		return nil, err
	}
	return l.find(node, label)
}

// resolve is the labels' resolver.
func (l *labels) resolve(node *yaml.Node, s string) (string, error) {
	var failed error
	replaced := reference.ReplaceAllStringFunc(s, func(whole string) string {
		parts := reference.FindStringSubmatch(whole)
		value, err := l.lookup(node, parts[1], strings.Split(parts[2][1:], "."))
		if err != nil && failed == nil {
			failed = err
		}
		return value
	})
	if failed == nil && strings.Contains(reference.ReplaceAllString(s, ""), "${") {
		failed = at(node, "a reference is ${label.field}, such as ${first.operation_id}")
	}
	return replaced, failed
}

func (l *labels) lookup(node *yaml.Node, label string, path []string) (string, error) {
	o, err := l.find(node, label)
	if err != nil {
		return "", err
	}
	if len(path) == 1 && path[0] == "operation_id" {
		return o.operationID(), nil
	}
	m := o.answer
	if path[0] == "request" {
		m, path = o.request, path[1:]
	}
	if m == nil {
		return "", at(node, "the step %q has no answer to refer to", label)
	}
	v, f, err := walk(node, protoreflect.ValueOfMessage(m.ProtoReflect()), path, l.checking)
	if err != nil {
		return "", err
	}
	return written(v, f), nil
}

// walk follows a path of names and numbers into a message. In a file that is being checked, lists have every item.
func walk(node *yaml.Node, v protoreflect.Value, path []string, checking bool) (protoreflect.Value, protoreflect.FieldDescriptor, error) {
	var f protoreflect.FieldDescriptor
	for _, name := range path {
		if n, err := strconv.Atoi(name); err == nil && f != nil && f.IsList() {
			list, isList := v.Interface().(protoreflect.List)
			switch {
			case isList && n < list.Len():
				v = list.Get(n)
			case isList && checking:
				v = list.NewElement()
			default:
				return v, f, at(node, "there is no item %d", n)
			}
			continue
		}
		m, isMessage := v.Interface().(protoreflect.Message)
		if !isMessage {
			return v, f, at(node, "there is nothing below %s", f.Name())
		}
		if f = yamlproto.FieldOf(m.Descriptor().Fields(), name); f == nil {
			return v, f, at(node, "%s has no field %q", m.Descriptor().Name(), name)
		}
		v = m.Get(f)
	}
	return v, f, nil
}

// written is a value as a scenario writes it.
func written(v protoreflect.Value, f protoreflect.FieldDescriptor) string {
	if e, isEnum := v.Interface().(protoreflect.EnumNumber); isEnum && f.Enum() != nil {
		if value := f.Enum().Values().ByNumber(e); value != nil {
			return strings.TrimPrefix(string(value.Name()), yamlproto.EnumPrefix(f.Enum()))
		}
	}
	if b, isBytes := v.Interface().([]byte); isBytes {
		return string(b)
	}
	return v.String()
}

// operationID is the operation that an answer is about, or empty.
func (o *outcome) operationID() string {
	switch m := o.answer.(type) {
	case *pb.ProposeOperationResponse:
		if id := m.GetResult().GetOperationId(); id != "" {
			return id
		}
		return m.GetPermit().GetOperationId()
	case *pb.PollWorkResponse:
		for _, item := range m.GetItems() {
			if item.GetLookup() != nil {
				return item.GetLookup().OperationId
			}
			return item.GetDispatch().GetOperationId()
		}
	case interface{ GetOperation() *pb.Operation }:
		return m.GetOperation().GetOperationId()
	}
	return ""
}

// permit is the first permit that an answer brought, or nil.
func (o *outcome) permit() *pb.Permit {
	for _, p := range permitsIn(o.answer) {
		return p
	}
	return nil
}

// permits are those of every answer, of a step that was done several times at once.
func (o *outcome) permits() (all []*pb.Permit) {
	for _, r := range o.all {
		all = append(all, permitsIn(r.answer)...)
	}
	return all
}

func permitsIn(answer proto.Message) (all []*pb.Permit) {
	switch m := answer.(type) {
	case *pb.ProposeOperationResponse:
		if m.GetPermit() != nil {
			all = append(all, m.Permit)
		}
	case *pb.PollWorkResponse:
		for _, item := range m.GetItems() {
			if item.GetDispatch() != nil {
				all = append(all, item.GetDispatch())
			}
		}
	}
	return all
}
