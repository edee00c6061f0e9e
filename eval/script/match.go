package script

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/internal/yamlproto"
)

// matcher holds messages against what a scenario expects of them. What it does not name may be anything. Tags say more
// than "equal": !present, !absent, !contains, !lacks, !not, !at_least, !at_most, !length, !has.
type matcher struct {
	resolve  resolver
	checking bool
}

// mismatch is an expectation that did not come true.
type mismatch struct{ Fault }

func (m *mismatch) Error() string { return m.Message }

func differs(node *yaml.Node, format string, args ...any) error {
	return &mismatch{Fault{Line: node.Line, Message: fmt.Sprintf(format, args...)}}
}

// message matches a message. A mismatch is a *mismatch; any other error is the file's fault.
func (x matcher) message(node *yaml.Node, m protoreflect.Message, path string) error {
	if err := mapping(node); err != nil {
		return err
	}
	for k, v := range pairs(node) {
		f := yamlproto.FieldOf(m.Descriptor().Fields(), k.Value)
		if f == nil {
			return unknown(k, "field of "+string(m.Descriptor().Name()), fieldNames(m.Descriptor()))
		}
		if err := x.field(v, f, m, path+k.Value); err != nil {
			return err
		}
	}
	return nil
}

func (x matcher) field(node *yaml.Node, f protoreflect.FieldDescriptor, m protoreflect.Message, path string) error {
	there := m.Has(f)
	switch node.Tag {
	case "!present", "!absent":
		if x.checking || there == (node.Tag == "!present") {
			return nil
		}
		return differs(node, "%s is %s, want %s", path, shown(m.Get(f), f), node.Tag[1:])
	}
	switch {
	case f.IsList():
		return x.list(node, f, m.Get(f).List(), path)
	case f.IsMap():
		return x.entries(node, f, m.Get(f).Map(), path)
	case f.Message() != nil && !wellKnown(f.Message()):
		if !there && !x.checking {
			return differs(node, "%s is absent", path)
		}
		return x.message(node, m.Get(f).Message(), path+".")
	}
	return x.scalar(node, f, m.Get(f), path)
}

func (x matcher) list(node *yaml.Node, f protoreflect.FieldDescriptor, list protoreflect.List, path string) error {
	if node.Tag == "!length" {
		n, err := strconv.Atoi(node.Value)
		if err != nil {
			return at(node, "!length takes a number")
		}
		if !x.checking && list.Len() != n {
			return differs(node, "%s has %d items, want %d", path, list.Len(), n)
		}
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		return at(node, "a list is wanted for %s", f.Name())
	}
	if node.Tag == "!has" {
		return x.has(node, f, list, path)
	}
	if !x.checking && list.Len() != len(node.Content) {
		return differs(node, "%s has %d items, want %d", path, list.Len(), len(node.Content))
	}
	for i, item := range node.Content {
		v := list.NewElement
		if i < list.Len() {
			v = func() protoreflect.Value { return list.Get(i) }
		}
		if err := x.element(item, f, v(), fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

// has matches a list that holds each of the stated items somewhere.
func (x matcher) has(node *yaml.Node, f protoreflect.FieldDescriptor, list protoreflect.List, path string) error {
	for _, item := range node.Content {
		if x.checking {
			if err := x.element(item, f, list.NewElement(), path); err != nil {
				return err
			}
			continue
		}
		nearest := differs(item, "%s is empty", path)
		for i := range list.Len() {
			if nearest = x.element(item, f, list.Get(i), fmt.Sprintf("%s[%d]", path, i)); nearest == nil {
				break
			}
		}
		if nearest != nil {
			return differs(item, "no item of %s is as wanted; of the last: %v", path, nearest)
		}
	}
	return nil
}

func (x matcher) element(node *yaml.Node, f protoreflect.FieldDescriptor, v protoreflect.Value, path string) error {
	if f.Message() != nil && !wellKnown(f.Message()) {
		return x.message(node, v.Message(), path+".")
	}
	return x.scalar(node, f, v, path)
}

func (x matcher) entries(node *yaml.Node, f protoreflect.FieldDescriptor, entries protoreflect.Map, path string) error {
	if err := mapping(node); err != nil {
		return err
	}
	for k, v := range pairs(node) {
		value := entries.Get(protoreflect.ValueOfString(k.Value).MapKey())
		if !value.IsValid() {
			if !x.checking {
				return differs(v, "%s has no %q", path, k.Value)
			}
			value = entries.NewValue()
		}
		if err := x.element(v, f.MapValue(), value, path+"."+k.Value); err != nil {
			return err
		}
	}
	return nil
}

// scalar matches one value.
func (x matcher) scalar(node *yaml.Node, f protoreflect.FieldDescriptor, v protoreflect.Value, path string) error {
	if node.Kind != yaml.ScalarNode && strings.HasSuffix(string(f.Name()), "_json") {
		want, err := jsonOf(node, x.resolve)
		if err == nil && !x.checking && !sameJSON(want, v.String()) {
			return differs(node, "%s is %s, want %s", path, v, want)
		}
		return err
	}
	if node.Kind != yaml.ScalarNode {
		return at(node, "one value is wanted for %s", f.Name())
	}
	want, err := x.resolve(node, node.Value)
	if err != nil {
		return err
	}
	if x.checking {
		return checkable(node, f)
	}
	got, holds := shown(v, f), false
	switch node.Tag {
	case "!contains":
		holds = strings.Contains(got, want)
	case "!lacks":
		holds = !strings.Contains(got, want)
	case "!not":
		holds = got != want
	case "!at_least":
		holds = compared(v, f, want) >= 0
	case "!at_most":
		holds = compared(v, f, want) <= 0
	default:
		holds = got == want || f.Message() != nil && compared(v, f, want) == 0
	}
	if !holds {
		if tag, ours := strings.CutPrefix(node.Tag, "!"); ours && !strings.HasPrefix(tag, "!") { // "!!" begins YAML's own
			want = tag + " " + want
		}
		return differs(node, "%s is %s, want %s", path, got, want)
	}
	return nil
}

// checkable refuses an expectation that no value of the field could meet.
func checkable(node *yaml.Node, f protoreflect.FieldDescriptor) error {
	if strings.Contains(node.Value, "${") {
		return nil
	}
	switch node.Tag {
	case "!contains", "!lacks", "!at_least", "!at_most":
		return nil
	}
	if f.Message() != nil {
		if _, err := time.ParseDuration(node.Value); err != nil && f.Message().FullName() == "google.protobuf.Duration" {
			return at(node, "%q is no length of time, such as 30s", node.Value)
		}
		return nil
	}
	_, err := scalar(node, f, node.Value)
	return err
}

// compared orders a number or a length of time against what is written.
func compared(v protoreflect.Value, f protoreflect.FieldDescriptor, want string) int {
	if f.Message() != nil {
		d, isDuration := v.Message().Interface().(*durationpb.Duration)
		length, err := time.ParseDuration(want)
		if !isDuration || err != nil {
			return -2
		}
		return cmp.Compare(d.AsDuration(), length)
	}
	got, err := strconv.ParseInt(v.String(), 10, 64)
	if err != nil {
		return -2
	}
	n, err := strconv.ParseInt(want, 10, 64)
	if err != nil {
		return -2
	}
	return cmp.Compare(got, n)
}

// shown is a value as a finding shows it.
func shown(v protoreflect.Value, f protoreflect.FieldDescriptor) string {
	if f.Message() == nil || f.IsList() || f.IsMap() {
		return written(v, f)
	}
	if d, isDuration := v.Message().Interface().(*durationpb.Duration); isDuration {
		return d.AsDuration().String()
	}
	return document(v.Message().Interface())
}
