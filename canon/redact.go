package canon

// RedactedMark stands where a value was left out.
const RedactedMark = "…"

// Redact puts a mark in place of the values at the pointers (with * for each item of an array, or each member of an
// object). Pointers that lead to nothing change nothing.
func Redact(v *Value, pointers []string) *Value {
	for _, text := range pointers {
		if p, err := ParsePointer(text); err == nil {
			v = redactAt(v, p)
		}
	}
	return v
}

func redactAt(v *Value, p Pointer) *Value {
	if len(p) == 0 {
		return String(RedactedMark)
	}
	switch v.Kind() {
	case KindObject:
		members := map[string]*Value{}
		for _, m := range v.Members() {
			members[m.Name] = m.Value
			if m.Name == p[0] || p[0] == "*" {
				members[m.Name] = redactAt(m.Value, p[1:])
			}
		}
		return Object(members)
	case KindArray:
		var items []*Value
		for _, item := range v.Items() {
			if p[0] == "*" {
				item = redactAt(item, p[1:])
			}
			items = append(items, item)
		}
		return Array(items...)
	}
	return v
}
