package canon

import (
	"slices"
	"strconv"
)

// Normalized is a document after the rules.
type Normalized struct {
	Identity *Value         // what takes part in identity; sensitive values by their keyed hash
	Ignored  []IgnoredField // what was left out, so that a comparison can name ignored fields that differ
	Changes  []Change       // what each rule changed, in the order of the document
	// Money holds every amount by its pointer, for limits; an amount in a set by its index as sent. A sensitive amount
	// is among them in the clear: nothing shows this map to anybody.
	Money map[string]Amount

	by *Normalizer // whose rules made it
}

// Canonical gives the RFC 8785 text of the identity.
func (n *Normalized) Canonical() []byte { return n.Identity.Canonical() }

// Fingerprint gives the SHA-256 of the identity's canonical form.
func (n *Normalized) Fingerprint() string { return Fingerprint(n.Canonical()) }

// IgnoredField is a field that was present and left out.
type IgnoredField struct {
	Pointer   string
	Canonical string // sensitive values inside by their keyed hash
}

// Change is what one rule changed at one place. Both sides are canonical JSON in escaped ASCII, so that a person can
// see differences that do not show, such as a composed accent or a no-break space; or one of the words below.
type Change struct {
	Pointer string
	Rule    string // the kind of the rule; or "null", "default", "sensitive"; or "rfc8785" for a number's spelling
	Before  string
	After   string
}

// What a change shows where there is no value, or none to be shown.
const (
	ShownAbsent    = "(absent)"
	ShownSensitive = "(sensitive)"
)

// MaxShown bounds each side of a change, in bytes; what is longer ends in "...".
const MaxShown = 2048

// Normalize applies the rules to a document. The hasher may be nil where no rule says sensitive. With any fault there
// is no result.
func (n *Normalizer) Normalize(v *Value, hasher Hasher) (*Normalized, Faults) {
	if n.sensitive && hasher == nil {
		return nil, Faults{{Reason: ReasonNoHasher, Message: "The rules name sensitive fields, but there is no key to hash them with."}}
	}
	r := &run{n: n, hasher: hasher, out: Normalized{Money: map[string]Amount{}, by: n}}
	r.prepared = r.prepare(v)
	r.out.Identity = r.walk(r.prepared, nil, []*node{n.root}, nil, false)
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return &r.out, nil
}

// run is one normalization.
type run struct {
	n        *Normalizer
	hasher   Hasher
	prepared *Value // after nulls and defaults, before rules
	out      Normalized
	faults   Faults
	trial    bool // a default is tried out at compile time, without the document round it
}

func (r *run) fault(at Pointer, reason Reason, message string) {
	if len(r.faults) < MaxFaults {
		r.faults = append(r.faults, Fault{at.String(), reason, message})
	}
}

func (r *run) change(at Pointer, rule, before, after string) {
	if before != after {
		r.out.Changes = append(r.out.Changes, Change{at.String(), rule, shorten(before), shorten(after)})
	}
}

func shorten(s string) string {
	if len(s) <= MaxShown {
		return s
	}
	return s[:MaxShown-3] + "..."
}

// prepare applies the null option, then the defaults.
func (r *run) prepare(v *Value) *Value {
	if r.n.nullAbsent {
		v = dropNulls(v, nil, func(at Pointer) { r.change(at, "null", "null", ShownAbsent) })
	}
	for _, d := range r.n.defaults {
		v = r.fillIn(v, nil, d.pattern, d.value)
	}
	return v
}

// dropNulls removes members that are null, at every depth, and reports each. Array items stay, and so do parents.
func dropNulls(v *Value, at Pointer, dropped func(Pointer)) *Value {
	switch v.kind {
	case KindArray:
		out := &Value{kind: KindArray}
		for i, item := range v.items {
			out.items = append(out.items, dropNulls(item, at.child(strconv.Itoa(i)), dropped))
		}
		return out
	case KindObject:
		out := &Value{kind: KindObject}
		for _, m := range v.members {
			here := at.child(m.Name)
			if m.Value.IsNull() {
				dropped(here)
				continue
			}
			out.members = append(out.members, Member{m.Name, dropNulls(m.Value, here, dropped)})
		}
		return out
	}
	return v
}

// fillIn gives v with a default filled in wherever rest, seen from v, has a parent that lacks the member.
func (r *run) fillIn(v *Value, at, rest Pointer, value *Value) *Value {
	token, last := rest[0], len(rest) == 1
	switch {
	case v.kind == KindObject && token != each:
		present, ok := v.Member(token)
		switch {
		case last && ok, !last && !ok:
			return v
		case last:
			r.change(at.child(token), "default", ShownAbsent, value.ASCII())
			return newObject(append(v.Members(), Member{token, value}))
		}
		filled := r.fillIn(present, at.child(token), rest[1:], value)
		members := v.Members()
		for i := range members {
			if members[i].Name == token {
				members[i].Value = filled
			}
		}
		return &Value{kind: KindObject, members: members}
	case v.kind == KindArray && !last:
		out := &Value{kind: KindArray, items: v.Items()}
		for i := range out.items {
			if index := strconv.Itoa(i); token == each || token == index {
				out.items[i] = r.fillIn(out.items[i], at.child(index), rest[1:], value)
			}
		}
		return out
	}
	return v
}

// walk normalizes a value from its leaves up. nodes are the places in the rules that may hold here, item is the rule
// that a set or list above gives its items, and hidden says that a sensitive field above forbids showing anything.
func (r *run) walk(v *Value, at Pointer, nodes []*node, item *compiled, hidden bool) *Value {
	rule := item
	var sealed *node
	for _, n := range nodes {
		if n.rule != nil {
			rule = n.rule
		}
		if n.sensitive {
			sealed = n
		}
	}
	hiddenBelow := hidden || sealed != nil

	out := v
	switch {
	case rule != nil && !rule.admits(v.kind):
		r.fault(at, ReasonWrongType, "The "+string(rule.Kind)+" rule takes "+rule.takes()+", not a JSON "+v.kind.String()+".")
		return v
	case v.kind == KindObject:
		out = r.object(v, at, nodes, hiddenBelow)
	case v.kind == KindArray:
		out = r.array(v, at, nodes, rule, hiddenBelow)
	case v.kind == KindNumber && rule == nil && !hiddenBelow:
		r.change(at, "rfc8785", v.text, canonicalNumber(v.text))
	}
	if rule != nil && !v.IsNull() {
		before := out
		out = r.apply(rule, out, at)
		if !hiddenBelow {
			shown := before.ASCII()
			if before.kind == KindNumber {
				shown = before.text
			}
			r.change(at, string(rule.Kind), shown, out.ASCII())
		}
	}
	if sealed != nil && !out.IsNull() && !out.empty() {
		out = String(r.hasher(sealed.pattern.String(), out.Canonical()))
		if !hidden {
			r.change(at, "sensitive", ShownSensitive, out.ASCII())
		}
	}
	return out
}

func (r *run) object(v *Value, at Pointer, nodes []*node, hidden bool) *Value {
	out := &Value{kind: KindObject}
	for _, m := range v.members {
		var next []*node
		ignored := false
		for _, n := range nodes {
			// A pattern's * stands for array items only, so a member of that name is reached by no rule.
			if child := n.children[m.Name]; child != nil && m.Name != each {
				next = append(next, child)
				ignored = ignored || child.ignored()
			}
		}
		here := at.child(m.Name)
		if ignored {
			r.ignore(m.Value, here, next, hidden)
			continue
		}
		out.members = append(out.members, Member{m.Name, r.walk(m.Value, here, next, nil, hidden)})
	}
	return out
}

// ignore notes a field that is left out, with sensitive values in and under it hashed as anywhere else.
func (r *run) ignore(v *Value, at Pointer, nodes []*node, hidden bool) {
	inner := &run{n: r.n, hasher: r.hasher, prepared: r.prepared}
	var bare []*node
	for _, n := range nodes {
		bare = append(bare, &node{pattern: n.pattern, children: n.children, sensitive: n.sensitive})
	}
	kept := inner.walk(v, at, bare, nil, hidden)
	r.out.Ignored = append(r.out.Ignored, IgnoredField{at.String(), string(kept.Canonical())})
	if !hidden {
		r.change(at, string(RuleIgnore), kept.ASCII(), ShownAbsent)
	}
}

func (r *run) array(v *Value, at Pointer, nodes []*node, rule *compiled, hidden bool) *Value {
	out := &Value{kind: KindArray}
	var item *compiled
	if rule != nil {
		item = rule.of
	}
	for i, value := range v.items {
		index := strconv.Itoa(i)
		next := stepPattern(nodes, index)
		if slices.ContainsFunc(next, (*node).ignored) {
			r.fault(at.child(index), ReasonBadRule, "An array item cannot be ignored by its index; the tool must ignore the array.")
			continue
		}
		out.items = append(out.items, r.walk(value, at.child(index), next, item, hidden))
	}
	return out
}
