package canon

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// options names each option of a rule, whether it is set, and the kinds that take it.
func (r Rule) options() []option {
	return []option{
		{"form", r.Form != "", []RuleKind{RuleMoney}},
		{"currency", r.Currency != "", []RuleKind{RuleMoney}},
		{"currency_field", r.CurrencyField != "", []RuleKind{RuleMoney}},
		{"precision", r.Precision != "", []RuleKind{RuleTimestamp}},
		{"excess", r.Excess != "", []RuleKind{RuleTimestamp}},
		{"unit", r.Unit != "", []RuleKind{RuleBucket}},
		{"zone", r.Zone != "", []RuleKind{RuleBucket}},
		{"values", r.Values != nil, []RuleKind{RuleEnum}},
		{"aliases", r.Aliases != nil, []RuleKind{RuleEnum}},
		{"case", r.Case != "", []RuleKind{RuleEnum, RuleIdentifier}},
		{"trim", r.Trim, []RuleKind{RuleIdentifier}},
		{"whitespace", r.Whitespace != "", []RuleKind{RuleText}},
		{"newlines", r.Newlines != "", []RuleKind{RuleText}},
		{"local", r.Local != "", []RuleKind{RuleEmail}},
		{"region", r.Region != "", []RuleKind{RulePhone}},
		{"of", r.Of != nil, []RuleKind{RuleSet, RuleList}},
	}
}

type option struct {
	name  string
	set   bool
	kinds []RuleKind
}

var ruleKinds = []RuleKind{RuleNumber, RuleMoney, RuleTimestamp, RuleDate, RuleBucket, RuleEnum, RuleIdentifier,
	RuleText, RuleEmail, RulePhone, RuleSet, RuleList, RuleIgnore}

// rule checks one rule by itself. It always gives a rule, so that checks against other rules can go on.
func (c *compiler) rule(at string, rule Rule) *compiled {
	out := &compiled{Rule: rule}
	if !slices.Contains(ruleKinds, rule.Kind) {
		c.fault(at, ReasonBadRule, "The kind "+strconv.Quote(string(rule.Kind))+" is unknown; it is one of "+join(ruleKinds)+".")
		return out
	}
	for _, o := range rule.options() {
		if o.set && !slices.Contains(o.kinds, rule.Kind) {
			c.fault(at, ReasonBadRule, "The option "+o.name+" has no meaning with the kind "+string(rule.Kind)+"; it belongs to "+join(o.kinds)+".")
		}
	}
	switch rule.Kind {
	case RuleMoney:
		c.money(at, rule, out)
	case RuleTimestamp:
		oneOf(c, at, "precision", rule.Precision, true, PrecisionSecond, PrecisionMilli, PrecisionMicro, PrecisionNano)
		oneOf(c, at, "excess", rule.Excess, false, ExcessRefuse, ExcessTruncate)
	case RuleBucket:
		oneOf(c, at, "unit", rule.Unit, true, UnitDay, UnitHour)
		location, known := loadZone(rule.Zone)
		if !known {
			c.fault(at, ReasonUnknownZone, "The zone "+strconv.Quote(rule.Zone)+" is no IANA name, such as Europe/Berlin or UTC.")
		}
		out.location = location
	case RuleEnum:
		oneOf(c, at, "case", rule.Case, false, CaseExact, CaseFold)
		c.enum(at, rule, out)
	case RuleIdentifier:
		oneOf(c, at, "case", rule.Case, false, CaseExact, CaseLower, CaseUpper)
	case RuleText:
		oneOf(c, at, "whitespace", rule.Whitespace, false, WhitespaceExact, WhitespaceTrim, WhitespaceCollapse)
		oneOf(c, at, "newlines", rule.Newlines, false, NewlinesKeep, NewlinesLF)
	case RuleEmail:
		oneOf(c, at, "local", rule.Local, false, LocalExact, LocalLower)
	case RulePhone:
		if _, known := phoneRegions[rule.Region]; rule.Region != "" && !known {
			c.fault(at, ReasonBadRule, "The region "+strconv.Quote(rule.Region)+" is not known here; known are "+strings.Join(PhoneRegions(), ", ")+".")
		}
	case RuleSet, RuleList:
		if rule.Of != nil {
			out.of = c.rule(at, *rule.Of)
			if rule.Of.Kind == RuleIgnore {
				c.fault(at, ReasonBadRule, "Items cannot be ignored one by one; ignore the array.")
			}
		}
	}
	return out
}

func (c *compiler) money(at string, rule Rule, out *compiled) {
	oneOf(c, at, "form", rule.Form, true, FormMajor, FormMinor)
	if (rule.Currency == "") == (rule.CurrencyField == "") {
		c.fault(at, ReasonBadRule, "Money needs either currency or currency_field.")
	}
	if rule.Currency != "" {
		if _, known := currencyExponent(rule.Currency); !known {
			c.fault(at, ReasonUnknownCurrency, strconv.Quote(rule.Currency)+" is no ISO 4217 currency with minor units; write it as USD or EUR.")
		}
	}
	if rule.CurrencyField != "" {
		if p, ok := c.pointer(rule.CurrencyField); ok {
			out.currencyField = p
		}
	}
}

func (c *compiler) enum(at string, rule Rule, out *compiled) {
	if len(rule.Values) == 0 {
		c.fault(at, ReasonBadRule, "An enum needs values.")
	}
	out.words = map[string]string{}
	add := func(word, value string) {
		key := out.fold(word)
		if _, twice := out.words[key]; twice {
			c.fault(at, ReasonConflict, "The enum has the word "+strconv.Quote(word)+" twice, perhaps in another case.")
		}
		out.words[key] = value
	}
	for _, value := range rule.Values {
		if value == "" {
			c.fault(at, ReasonBadRule, "A value of an enum is empty.")
		}
		add(value, value)
	}
	for _, alias := range slices.Sorted(maps.Keys(rule.Aliases)) {
		if !slices.Contains(rule.Values, rule.Aliases[alias]) {
			c.fault(at, ReasonBadRule, "The alias "+strconv.Quote(alias)+" leads to "+strconv.Quote(rule.Aliases[alias])+", which is none of the values.")
		}
		add(alias, rule.Aliases[alias])
	}
}

// oneOf checks an option of few words.
func oneOf[T ~string](c *compiler, at, name string, value T, required bool, allowed ...T) {
	if (value == "" && !required) || slices.Contains(allowed, value) {
		return
	}
	c.fault(at, ReasonBadRule, "The option "+name+" must be one of "+join(allowed)+".")
}

func join[T ~string](words []T) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = string(word)
	}
	return strings.Join(list, ", ")
}
