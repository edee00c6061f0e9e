package rulefile

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

const unspecified = "UNSPECIFIED"

// enumPrefix gives what the names of an enum's values begin with: TOOL_CLASS_.
func enumPrefix(d protoreflect.EnumDescriptor) string {
	zero := d.Values().ByNumber(0)
	if zero == nil {
		return ""
	}
	return strings.TrimSuffix(string(zero.Name()), unspecified)
}

// word gives a value's name without its prefix. Not set is the empty word; a number that this release does not know is a
// word that policy does not know either, and refuses by name.
func word[T ~string](e protoreflect.Enum) T {
	if e.Number() == 0 {
		return ""
	}
	v := e.Descriptor().Values().ByNumber(e.Number())
	if v == nil {
		return T(fmt.Sprintf("VALUE_%d", e.Number()))
	}
	return T(strings.TrimPrefix(string(v.Name()), enumPrefix(e.Descriptor())))
}

// value gives the number of a word. The empty word, and one that the API does not know, is zero.
func value[E interface {
	~int32
	protoreflect.Enum
}, T ~string](w T) E {
	var zero E
	d := zero.Descriptor()
	if v := d.Values().ByName(protoreflect.Name(enumPrefix(d) + string(w))); w != "" && v != nil {
		return E(v.Number())
	}
	return zero
}
