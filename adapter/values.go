package adapter

import (
	"maps"
	"slices"
	"strconv"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/template"
)

// argumentLimits are wide: arguments were bounded when they were proposed.
var argumentLimits = canon.Limits{Bytes: 4 << 20, Depth: 2 * canon.MaxDepth, Values: 1 << 20}

// valuesOf gives what the references of a tool's templates stand for: the arguments as they were sent, with the tool's
// defaults where they say nothing, and words.
func valuesOf(tool *registry.Definition, arguments []byte, words map[string]string) (template.Values, *fault) {
	args, faults := canon.Parse(arguments, argumentLimits)
	if len(faults) > 0 {
		return nil, &fault{code: CodeTemplate, message: "the arguments cannot be read"}
	}
	rules := &tool.Identity.Rules
	for _, text := range slices.Sorted(maps.Keys(rules.Defaults)) {
		if p, err := canon.ParsePointer(text); err == nil {
			args = fillIn(args, p, rules.Defaults[text], rules.Null == canon.NullAbsent)
		}
	}
	var money map[string]canon.Amount // worked out when it is asked for
	return func(r template.Reference) *canon.Value {
		switch r.Word {
		case "args":
			v, _ := args.At(r.Path)
			return v
		case "money":
			if money == nil {
				money = amounts(rules, args)
			}
			return amount(money, r.Path)
		}
		if word, known := words[r.Word]; known && word != "" && len(r.Path) == 0 {
			return canon.String(word)
		}
		return nil
	}, nil
}

// fillIn gives v with a default put wherever its parent is there and lacks it. The token * stands for each array item.
func fillIn(v *canon.Value, p canon.Pointer, value *canon.Value, nullIsAbsent bool) *canon.Value {
	switch {
	case len(p) == 0:
		return v
	case v.Kind() == canon.KindArray && p[0] == "*":
		var items []*canon.Value
		for _, item := range v.Items() {
			items = append(items, fillIn(item, p[1:], value, nullIsAbsent))
		}
		return canon.Array(items...)
	case v.Kind() != canon.KindObject:
		return v
	}
	below, there := v.Member(p[0])
	if there && below.IsNull() && nullIsAbsent {
		there = false
	}
	switch {
	case there:
		below = fillIn(below, p[1:], value, nullIsAbsent)
	case len(p) == 1:
		below = value
	default:
		return v
	}
	members := map[string]*canon.Value{p[0]: below}
	for _, m := range v.Members() {
		if m.Name != p[0] {
			members[m.Name] = m.Value
		}
	}
	return canon.Object(members)
}

// amounts reads every field with the rule money, exactly.
func amounts(rules *canon.Rules, args *canon.Value) map[string]canon.Amount {
	n, faults := canon.Compile(*rules)
	if len(faults) > 0 {
		return map[string]canon.Amount{}
	}
	// Only amounts are read of what comes out, so what stands for sensitive values is of no interest.
	form, faults := n.Normalize(args, func(string, []byte) string { return "hidden" })
	if len(faults) > 0 {
		return map[string]canon.Amount{}
	}
	return form.Money
}

// maxExact is the greatest whole number that every reader of JSON takes for the same, 2^53-1.
const maxExact = 1<<53 - 1

// amount gives a part of an amount: minor units as a number, or the currency.
func amount(money map[string]canon.Amount, p canon.Pointer) *canon.Value {
	if len(p) == 0 {
		return nil
	}
	last := len(p) - 1
	a, ok := money[p[:last].String()]
	switch {
	case !ok:
		return nil
	case p[last] == "currency":
		return canon.String(a.Currency)
	case p[last] == "minor" && a.Minor <= maxExact && a.Minor >= -maxExact:
		return canon.Int(a.Minor)
	case p[last] == "minor":
		return canon.String(strconv.FormatInt(a.Minor, 10))
	}
	return nil
}
