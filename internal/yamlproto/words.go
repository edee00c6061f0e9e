// Package yamlproto writes protobuf messages as YAML that people like to read, and reads it back: values of enums by
// their short names, durations as 24h. Files of tools and files of rules share it.
package yamlproto

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

const unspecified = "UNSPECIFIED"

// EnumPrefix gives what the names of an enum's values begin with: TOOL_CLASS_.
func EnumPrefix(d protoreflect.EnumDescriptor) string {
	zero := d.Values().ByNumber(0)
	if zero == nil {
		return ""
	}
	return strings.TrimSuffix(string(zero.Name()), unspecified)
}

// Word gives a value's name without its prefix. Not set is the empty word; a number that this release does not know is a
// word that nobody else knows either, and is refused by name.
func Word[T ~string](e protoreflect.Enum) T {
	if e.Number() == 0 {
		return ""
	}
	v := e.Descriptor().Values().ByNumber(e.Number())
	if v == nil {
		return T(fmt.Sprintf("VALUE_%d", e.Number()))
	}
	return T(strings.TrimPrefix(string(v.Name()), EnumPrefix(e.Descriptor())))
}

// Value gives the number of a word. The empty word, and one that the API does not know, is zero.
func Value[E interface {
	~int32
	protoreflect.Enum
}, T ~string](w T) E {
	var zero E
	d := zero.Descriptor()
	if v := d.Values().ByName(protoreflect.Name(EnumPrefix(d) + string(w))); w != "" && v != nil {
		return E(v.Number())
	}
	return zero
}

// FieldOf finds a field by its name in the proto or in JSON.
func FieldOf(fields protoreflect.FieldDescriptors, name string) protoreflect.FieldDescriptor {
	if f := fields.ByTextName(name); f != nil {
		return f
	}
	return fields.ByJSONName(name)
}
