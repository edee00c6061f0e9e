package canon

import (
	"slices"
	"strconv"
)

// Kind says what a JSON value is.
type Kind uint8

// The kinds of JSON values.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

var kindNames = [...]string{"null", "boolean", "number", "string", "array", "object"}

// String names the kind as JSON Schema does.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// Value is a JSON value that never changes once it is made. Numbers keep the literal that they were written with, so
// that money can be read from its digits; members are held in the order of RFC 8785.
type Value struct {
	kind    Kind
	truth   bool
	text    string // the characters of a string, the literal of a number
	items   []*Value
	members []Member
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value *Value
}

// Null makes null.
func Null() *Value { return &Value{kind: KindNull} }

// Bool makes true or false.
func Bool(b bool) *Value { return &Value{kind: KindBool, truth: b} }

// String makes a string. It takes any text; Check finds what JSON or this package does not admit.
func String(s string) *Value { return &Value{kind: KindString, text: s} }

// Int makes a whole number. Beyond ±(2^53-1) a JSON number is not safe, and Check refuses it: send a string.
func Int(n int64) *Value { return &Value{kind: KindNumber, text: strconv.FormatInt(n, 10)} }

// Number makes a number from a JSON literal, under the rules by which Parse takes one.
func Number(literal string) (*Value, Faults) {
	v, faults := Parse([]byte(literal), Limits{})
	if len(faults) == 0 && v.kind != KindNumber {
		faults = Faults{{Reason: ReasonWrongType, Message: "This is no JSON number."}}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return v, nil
}

// Array makes an array.
func Array(items ...*Value) *Value { return &Value{kind: KindArray, items: slices.Clone(items)} }

// Object makes an object.
func Object(members map[string]*Value) *Value {
	list := make([]Member, 0, len(members))
	for name, value := range members {
		list = append(list, Member{Name: name, Value: value})
	}
	return newObject(list)
}

// newObject takes over the list, whose names must differ, and sorts it.
func newObject(list []Member) *Value {
	slices.SortFunc(list, func(a, b Member) int { return compareUTF16(a.Name, b.Name) })
	return &Value{kind: KindObject, members: list}
}

// Kind says what the value is.
func (v *Value) Kind() Kind { return v.kind }

// IsNull reports whether the value is null.
func (v *Value) IsNull() bool { return v.kind == KindNull }

// Bool gives the truth of a boolean; ok is false for any other kind.
func (v *Value) Bool() (truth, ok bool) { return v.truth, v.kind == KindBool }

// Text gives the characters of a string; ok is false for any other kind.
func (v *Value) Text() (text string, ok bool) {
	if v.kind != KindString {
		return "", false
	}
	return v.text, true
}

// Literal gives the literal of a number as it was written; ok is false for any other kind.
func (v *Value) Literal() (literal string, ok bool) {
	if v.kind != KindNumber {
		return "", false
	}
	return v.text, true
}

// Items gives a copy of an array's items, in order; nil for any other kind.
func (v *Value) Items() []*Value { return slices.Clone(v.items) }

// Members gives a copy of an object's members, sorted as RFC 8785 sorts them; nil for any other kind.
func (v *Value) Members() []Member { return slices.Clone(v.members) }

// Len counts the items of an array or the members of an object; it is zero for any other kind.
func (v *Value) Len() int { return len(v.items) + len(v.members) }

// Member finds a member by its exact name.
func (v *Value) Member(name string) (*Value, bool) {
	i, found := slices.BinarySearchFunc(v.members, name, func(m Member, name string) int { return compareUTF16(m.Name, name) })
	if !found {
		return nil, false
	}
	return v.members[i].Value, true
}

// Clone makes a deep copy.
func (v *Value) Clone() *Value {
	c := *v
	c.items, c.members = nil, nil
	for _, item := range v.items {
		c.items = append(c.items, item.Clone())
	}
	for _, m := range v.members {
		c.members = append(c.members, Member{m.Name, m.Value.Clone()})
	}
	return &c
}

// Equal reports whether two values have one canonical form.
func (v *Value) Equal(other *Value) bool { return string(v.Canonical()) == string(other.Canonical()) }

// empty reports whether a value says nothing: an empty string, array or object. Null is not empty but null.
func (v *Value) empty() bool {
	switch v.kind {
	case KindString:
		return v.text == ""
	case KindArray, KindObject:
		return v.Len() == 0
	}
	return false
}

// Check finds in a value that was put together from parts what Parse would have refused in a text.
func Check(v *Value, limits Limits) Faults {
	_, faults := Parse(v.Canonical(), limits)
	return faults
}
