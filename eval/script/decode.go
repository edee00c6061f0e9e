package script

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/internal/yamlproto"
)

// decoder writes nodes into messages. What a node says replaces what the message holds: members of a message one by one,
// a list as a whole, a map entry by entry. Null clears a field or an entry. While a file is checked, what references stand for is not known; then names and
// places are checked and such values left out.
type decoder struct {
	resolve  resolver
	checking bool
}

func (d decoder) into(node *yaml.Node, m protoreflect.Message) error {
	if err := mapping(node); err != nil {
		return err
	}
	for k, v := range pairs(node) {
		if err := d.field(k, v, m); err != nil {
			return err
		}
	}
	return nil
}

// field sets the field that a name stands for.
func (d decoder) field(k, v *yaml.Node, m protoreflect.Message) error {
	f := yamlproto.FieldOf(m.Descriptor().Fields(), k.Value)
	if f == nil {
		return unknown(k, "field of "+string(m.Descriptor().Name()), fieldNames(m.Descriptor()))
	}
	switch {
	case v.Tag == "!!null":
		m.Clear(f)
		return nil
	case f.IsMap():
		return d.entries(v, f, m)
	case f.IsList():
		return d.items(v, f, m)
	case f.Message() != nil && !wellKnown(f.Message()):
		return d.into(v, m.Mutable(f).Message())
	}
	value, known, err := d.value(v, f, func() protoreflect.Value { return m.NewField(f) })
	if err == nil && known {
		m.Set(f, value)
	}
	return err
}

func (d decoder) items(node *yaml.Node, f protoreflect.FieldDescriptor, m protoreflect.Message) error {
	if node.Kind != yaml.SequenceNode {
		return at(node, "a list is wanted for %s", f.Name())
	}
	m.Clear(f)
	list := m.Mutable(f).List()
	for _, item := range node.Content {
		value, known, err := d.value(item, f, list.NewElement)
		if err != nil {
			return err
		}
		if known {
			list.Append(value)
		}
	}
	return nil
}

func (d decoder) entries(node *yaml.Node, f protoreflect.FieldDescriptor, m protoreflect.Message) error {
	if err := mapping(node); err != nil {
		return err
	}
	entries := m.Mutable(f).Map()
	for k, v := range pairs(node) {
		if v.Tag == "!!null" {
			entries.Clear(protoreflect.ValueOfString(k.Value).MapKey())
			continue
		}
		value, known, err := d.value(v, f.MapValue(), entries.NewValue)
		if err != nil {
			return err
		}
		if known {
			entries.Set(protoreflect.ValueOfString(k.Value).MapKey(), value)
		}
	}
	return nil
}

// value reads one value; known is false where it hangs on a reference that has no value yet.
func (d decoder) value(node *yaml.Node, f protoreflect.FieldDescriptor, fresh func() protoreflect.Value) (v protoreflect.Value, known bool, err error) {
	if f.Message() != nil {
		v = fresh()
		if wellKnown(f.Message()) {
			return v, true, d.wellKnown(node, v.Message())
		}
		return v, true, d.into(node, v.Message())
	}
	if node.Kind != yaml.ScalarNode && f.Kind() == protoreflect.StringKind && strings.HasSuffix(string(f.Name()), "_json") {
		document, err := jsonOf(node, d.resolve)
		return protoreflect.ValueOfString(document), true, err
	}
	raw, err := text(node)
	if err != nil {
		return v, false, err
	}
	resolved, err := d.resolve(node, raw)
	if err != nil || d.checking && strings.Contains(raw, "${") {
		return v, false, err
	}
	v, err = scalar(node, f, resolved)
	return v, err == nil, err
}

// scalar reads a text as what a field holds.
func scalar(node *yaml.Node, f protoreflect.FieldDescriptor, s string) (protoreflect.Value, error) {
	wrong := func() (protoreflect.Value, error) {
		return protoreflect.Value{}, at(node, "%q is no %s, which %s is", s, f.Kind(), f.Name())
	}
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(s), nil
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(s)), nil
	case protoreflect.BoolKind:
		if b, err := strconv.ParseBool(s); err == nil {
			return protoreflect.ValueOfBool(b), nil
		}
	case protoreflect.Int32Kind:
		if n, err := strconv.ParseInt(s, 10, 32); err == nil {
			return protoreflect.ValueOfInt32(int32(n)), nil
		}
	case protoreflect.Int64Kind:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return protoreflect.ValueOfInt64(n), nil
		}
	case protoreflect.DoubleKind:
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			return protoreflect.ValueOfFloat64(x), nil
		}
	case protoreflect.EnumKind:
		word := strings.TrimPrefix(s, yamlproto.EnumPrefix(f.Enum()))
		value := f.Enum().Values().ByName(protoreflect.Name(yamlproto.EnumPrefix(f.Enum()) + word))
		if value == nil {
			return protoreflect.Value{}, unknown(node, "value of "+string(f.Enum().Name()), enumWords(f.Enum()))
		}
		return protoreflect.ValueOfEnum(value.Number()), nil
	}
	return wrong()
}

// wellKnown reports whether a message is one of protobuf's own, which have a form of their own.
func wellKnown(m protoreflect.MessageDescriptor) bool {
	return strings.HasPrefix(string(m.FullName()), "google.protobuf.")
}

func (d decoder) wellKnown(node *yaml.Node, m protoreflect.Message) error {
	if m.Descriptor().FullName() == "google.protobuf.Duration" {
		raw, err := text(node)
		if err != nil {
			return err
		}
		length, err := time.ParseDuration(raw)
		if err != nil {
			return at(node, "%q is no length of time, such as 30s or 24h", raw)
		}
		proto.Merge(m.Interface(), durationpb.New(length))
		return nil
	}
	var b strings.Builder
	if err := writeJSON(&b, node, d.resolve); err != nil {
		return err
	}
	if err := protojson.Unmarshal([]byte(b.String()), m.Interface()); err != nil {
		return at(node, "this is no %s", m.Descriptor().Name())
	}
	return nil
}

func fieldNames(m protoreflect.MessageDescriptor) []string {
	var names []string
	for i := range m.Fields().Len() {
		names = append(names, string(m.Fields().Get(i).Name()))
	}
	return names
}

func enumWords(e protoreflect.EnumDescriptor) []string {
	var words []string
	for i := range e.Values().Len() {
		words = append(words, strings.TrimPrefix(string(e.Values().Get(i).Name()), yamlproto.EnumPrefix(e)))
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "UNSPECIFIED" })
}
