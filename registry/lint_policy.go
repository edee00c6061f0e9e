package registry

import (
	"fmt"
	"regexp"

	"github.com/opledger/opledger/canon"
)

// lintPolicy finds rules that do less, or other, than they look like.
func lintPolicy(d Definition, c *Compiled, problems *Problems) {
	r := &d.Policy
	if r.Shadow && d.Class == Irreversible && r.Approval != nil {
		problems.add("policy.shadow", CodeUnusedShadow, "Shadow mode lets the tool's other rules pass, and never an approval of what cannot be undone: that is asked for all the same.")
	}
	for i, l := range r.Limits {
		if field := d.currencyOf(l.SumOf); field != "" && l.When == "" && !reads(l.Per, field, l.SumOf) {
			problems.add(indexed("policy.limits", i)+".sum_of", CodeMixedCurrencies, fmt.Sprintf(
				"The amounts at %s have the currency that %s says, and a sum over several currencies means nothing; count them apart by {args%s} in per, or admit one currency in when.",
				l.SumOf, field, dotted(field)))
		}
	}
}

// currencyOf gives the field that holds the currency of the amount at a place; empty where it is no amount, or one of a
// constant currency.
func (d *Definition) currencyOf(pointer string) string {
	p, err := canon.ParsePointer(pointer)
	if err != nil || len(p) == 0 {
		return ""
	}
	rule, ruled := d.Identity.Rules.Fields[pointer]
	if !ruled && p[len(p)-1] == "minor" {
		rule = d.Identity.Rules.Fields[p[:len(p)-1].String()]
	}
	if rule.Kind != canon.RuleMoney {
		return ""
	}
	return rule.CurrencyField
}

// reads reports whether a template reads a currency: at its own field, or in the amount.
func reads(template, field, amount string) bool {
	for _, m := range templateField.FindAllStringSubmatch(template, -1) {
		if m[1] == dotted(field) || m[1] == dotted(minor.ReplaceAllString(amount, ""))+".currency" {
			return true
		}
	}
	return false
}

var minor = regexp.MustCompile(`/minor$`)

// dotted writes a pointer as templates do: .order.amount.
func dotted(pointer string) string {
	p, err := canon.ParsePointer(pointer)
	if err != nil {
		return ""
	}
	text := ""
	for _, token := range p {
		text += "." + token
	}
	return text
}
