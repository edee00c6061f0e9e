package template

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/opledger/opledger/canon"
)

// JSON is a checked template of a JSON value. A string that is one reference and nothing else takes the value's own JSON
// type; within a longer string a value stands as text.
type JSON struct {
	value *canon.Value
	texts map[string]*Text // by the pointers of strings that hold references
	refs  []Reference
}

// ParseJSON reads a template of a JSON value. Names of members are constants.
func ParseJSON(text string) (*JSON, *Fault) {
	value, faults := canon.Parse([]byte(text), canon.Limits{})
	if len(faults) > 0 {
		return nil, &Fault{At: faults[0].Pointer, Message: faults[0].Message}
	}
	j := &JSON{value: value, texts: map[string]*Text{}}
	if fault := j.read(value, nil); fault != nil {
		return nil, fault
	}
	if n := len(j.refs); n > MaxReferences {
		return nil, &Fault{Message: fmt.Sprintf("The template has %d references; at most %d are allowed.", n, MaxReferences)}
	}
	return j, nil
}

// read finds the references in the strings of a value.
func (j *JSON) read(v *canon.Value, at canon.Pointer) *Fault {
	for i, item := range v.Items() {
		if fault := j.read(item, append(at[:len(at):len(at)], strconv.Itoa(i))); fault != nil {
			return fault
		}
	}
	for _, m := range v.Members() {
		here := append(at[:len(at):len(at)], m.Name)
		if strings.ContainsAny(m.Name, "{}") {
			return &Fault{At: here.String(), Message: "Names of members are constants and hold no braces."}
		}
		if fault := j.read(m.Value, here); fault != nil {
			return fault
		}
	}
	text, ok := v.Text()
	if !ok || !strings.ContainsAny(text, "{}") {
		return nil
	}
	t, fault := ParseText(text)
	if fault != nil {
		fault.At = at.String()
		return fault
	}
	if len(t.parts) == 1 && t.parts[0].ref != nil {
		t.parts[0].ref.Whole = true
	}
	for i := range t.parts {
		if r := t.parts[i].ref; r != nil {
			r.At = at.String()
			j.refs = append(j.refs, *r)
		}
	}
	j.texts[at.String()] = t
	return nil
}

// References lists the references with their places.
func (j *JSON) References() []Reference { return j.refs }

// Kind is the kind of the value that the template makes, as far as its text tells.
func (j *JSON) Kind() canon.Kind { return j.value.Kind() }

// Sets reports whether the template writes something at a place, or something that has no such place beneath it.
func (j *JSON) Sets(p canon.Pointer) bool {
	for i := range p {
		v, ok := j.value.At(p[:i])
		if !ok {
			return false
		}
		if v.Kind() != canon.KindObject {
			return true
		}
	}
	_, ok := j.value.At(p)
	return ok
}

// Fill makes the value. A member or item with an optional reference to what is absent is left out; a reference to null
// that is a whole value gives null. The whole template being left out gives null as well.
func (j *JSON) Fill(values Values) (*canon.Value, error) {
	v, there, err := j.fill(j.value, nil, values)
	if err != nil {
		return nil, err
	}
	if !there {
		return canon.Null(), nil
	}
	return v, nil
}

func (j *JSON) fill(v *canon.Value, at canon.Pointer, values Values) (filled *canon.Value, there bool, err error) {
	switch v.Kind() {
	case canon.KindArray:
		var items []*canon.Value
		for i, item := range v.Items() {
			f, there, err := j.fill(item, append(at[:len(at):len(at)], strconv.Itoa(i)), values)
			if err != nil {
				return nil, false, err
			}
			if there {
				items = append(items, f)
			}
		}
		return canon.Array(items...), true, nil
	case canon.KindObject:
		members := map[string]*canon.Value{}
		for _, m := range v.Members() {
			f, there, err := j.fill(m.Value, append(at[:len(at):len(at)], m.Name), values)
			if err != nil {
				return nil, false, err
			}
			if there {
				members[m.Name] = f
			}
		}
		return canon.Object(members), true, nil
	case canon.KindString:
		if t := j.texts[at.String()]; t != nil {
			return t.value(values)
		}
	}
	return v, true, nil
}

// value is what a string of a JSON template becomes.
func (t *Text) value(values Values) (v *canon.Value, there bool, err error) {
	if len(t.parts) == 1 && t.parts[0].ref != nil {
		r := t.parts[0].ref
		if v = values(*r); v != nil {
			return v, true, nil
		}
		if r.Optional {
			return nil, false, nil
		}
		return nil, false, fmt.Errorf("{%s} has no value", r.Text)
	}
	text, there, err := t.Fill(values)
	return canon.String(text), there, err
}

// With gives the value with a text put at a place, and the objects on the way to it. It reports false where something
// stands there already, or something else than an object stands in the way.
func With(v *canon.Value, p canon.Pointer, text string) (*canon.Value, bool) {
	if v == nil {
		v = canon.Object(nil)
	}
	if len(p) == 0 || v.Kind() != canon.KindObject {
		return nil, false
	}
	members := map[string]*canon.Value{}
	for _, m := range v.Members() {
		members[m.Name] = m.Value
	}
	below, there := members[p[0]]
	switch {
	case len(p) == 1 && there:
		return nil, false
	case len(p) == 1:
		members[p[0]] = canon.String(text)
	default:
		filled, ok := With(below, p[1:], text)
		if !ok {
			return nil, false
		}
		members[p[0]] = filled
	}
	return canon.Object(members), true
}
