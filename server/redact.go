package server

import (
	"github.com/opledger/opledger/canon"
)

// redactedMark stands where a value was left out.
const redactedMark = "…"

// redact puts a mark in place of the values at the pointers (with * for each item of an array).
func redact(v *canon.Value, pointers []string) *canon.Value {
	for _, text := range pointers {
		if p, err := canon.ParsePointer(text); err == nil {
			v = redactAt(v, p)
		}
	}
	return v
}

func redactAt(v *canon.Value, p canon.Pointer) *canon.Value {
	if len(p) == 0 {
		return canon.String(redactedMark)
	}
	switch v.Kind() {
	case canon.KindObject:
		members := map[string]*canon.Value{}
		for _, m := range v.Members() {
			members[m.Name] = m.Value
			if m.Name == p[0] || p[0] == "*" {
				members[m.Name] = redactAt(m.Value, p[1:])
			}
		}
		return canon.Object(members)
	case canon.KindArray:
		var items []*canon.Value
		for _, item := range v.Items() {
			if p[0] == "*" {
				item = redactAt(item, p[1:])
			}
			items = append(items, item)
		}
		return canon.Array(items...)
	}
	return v
}
