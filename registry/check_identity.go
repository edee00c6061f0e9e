package registry

import (
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/opledger/opledger/canon"
)

// identity checks rules and templates against the schema and against each other.
func (k *checker) identity(c *Compiled) {
	id := &k.d.Identity
	if id.KeyVersion < 1 {
		k.add(pathKeyVersion, CodeBounds, "A key version is at least 1.")
	}
	k.text("identity.intent", id.Intent, MaxIntentChars)
	k.count("identity.touches", len(id.Touches), MaxTouches)
	if len(id.Touches) > 0 && id.Entity == nil {
		k.add("identity.entity", CodeRequired, "A tool that touches entities is about one of them; name it.")
	}
	k.occurrence(c)
	k.change()
	if c.schema == nil {
		return
	}
	k.pointers(c.schema)
	k.currencies(c.schema)
	k.present(c)
}

// occurrence holds the template against who may name an occurrence.
func (k *checker) occurrence(c *Compiled) {
	id := &k.d.Identity
	known(k, "identity.occurrence", id.Occurrence, OccurrenceAnyCaller, OccurrenceRepeatGrant, OccurrenceByTemplate, OccurrenceNobody)
	switch byTemplate := id.Occurrence == OccurrenceByTemplate; {
	case byTemplate && id.OccurrenceTemplate == "":
		k.add("identity.occurrence_template", CodeRequired, "The occurrence is made by a template; write it, such as {/item/id}.")
	case !byTemplate && id.OccurrenceTemplate != "":
		k.add("identity.occurrence_template", CodeUnusable, "A template makes the occurrence only with the policy TEMPLATE; state that, or remove the template.")
	}
	if c.key != nil && id.Occurrence != OccurrenceNobody && !c.key.Uses(canon.FromOccurrence) {
		k.add("identity.key_template", CodeOccurrence, "The tool admits occurrences (%s) but the key has no {occurrence}, so a wanted repetition would be taken for a repeat and be swallowed. Add {occurrence} to the template, or state occurrence: NOBODY.", id.Occurrence)
	}
	if c.key != nil && c.key.Uses(canon.FromEntity) && id.Entity == nil {
		k.add("identity.key_template", CodeTemplate, "The template reads {entity}, but the tool names none.")
	}
	if c.key != nil && c.key.Uses(canon.FromIntent) && id.Intent == "" {
		k.add("identity.key_template", CodeTemplate, "The template reads {intent}, but the tool states none.")
	}
}

// change checks what the version says of the one before it, as far as it can be seen from one side.
func (k *checker) change() {
	change := k.d.Identity.Change
	switch {
	case change.Continues && change.Separate:
		k.add("identity.change", CodeUnusable, "The identity continues or is separate, not both.")
	case change.Separate && strings.TrimSpace(change.Reason) == "":
		k.add("identity.change.separate.reason", CodeReason, "Say why the same arguments mean another operation than before.")
	case !change.Continues && !change.Until.IsZero():
		k.add("identity.change", CodeUnusable, "A time until which the identity continues needs that it continues.")
	}
}

// pointers holds every pointer of a rule, default or sensitive field against the schema.
func (k *checker) pointers(schema *jsonschema.Schema) {
	rules := k.d.Identity.Rules
	for _, text := range slices.Sorted(maps.Keys(rules.Fields)) {
		path := keyed("identity.fields", text)
		if at := k.mustReach(schema, path, text); len(at) > 0 {
			k.admits(path, rules.Fields[text], at)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(rules.Defaults)) {
		path := keyed("identity.defaults", text)
		at := k.mustReach(schema, path, text)
		if value := rules.Defaults[text]; value != nil && len(at) > 0 && !slices.ContainsFunc(at, func(s *jsonschema.Schema) bool { return s.Validate(plain(value)) == nil }) {
			k.add(path, CodeTypeMismatch, "The schema does not admit the default as a value of this field.")
		}
	}
	for i, text := range rules.Sensitive {
		k.mustReach(schema, indexed("identity.sensitive", i), text)
	}
}

// mustReach gives the schemas at a pointer, and reports a pointer that leads nowhere.
func (k *checker) mustReach(schema *jsonschema.Schema, path, text string) []*jsonschema.Schema {
	p, err := canon.ParsePointer(text)
	if err != nil || len(p) == 0 {
		return nil // canon has said so
	}
	for i := range p {
		if len(reach(schema, p[:i+1])) == 0 {
			k.add(path, CodeNotInSchema, "The schema has no %s%s; correct the pointer, or declare the field in the schema.", p[:i+1], hint(schema, p[:i]))
			return nil
		}
	}
	return reach(schema, p)
}

// hint names the fields that there are, where they are few.
func hint(schema *jsonschema.Schema, parent canon.Pointer) string {
	const few = 12
	names := map[string]bool{}
	for _, s := range reach(schema, parent) {
		for _, s := range spread(s) {
			for name := range s.Properties {
				names[name] = true
			}
		}
	}
	if len(names) == 0 || len(names) > few {
		return ""
	}
	return " (it has " + strings.Join(slices.Sorted(maps.Keys(names)), ", ") + ")"
}

// jsonTypes lists the JSON types that a rule takes; nil is any.
func jsonTypes(kind canon.RuleKind) []string {
	switch kind {
	case canon.RuleIgnore:
		return nil
	case canon.RuleNumber:
		return []string{"number", "integer"}
	case canon.RuleMoney:
		return []string{"number", "integer", "string"}
	case canon.RuleSet, canon.RuleList:
		return []string{"array"}
	}
	return []string{"string"}
}

// admits finds a rule that would refuse every value of its field.
func (k *checker) admits(path string, rule canon.Rule, at []*jsonschema.Schema) {
	wanted, said := jsonTypes(rule.Kind), kinds(at)
	if wanted == nil || said == nil {
		return
	}
	if !slices.ContainsFunc(wanted, func(t string) bool { return said[t] }) {
		k.add(path, CodeTypeMismatch, "The rule %s takes %s, but the schema says %s, so every call would be refused.",
			rule.Kind, strings.Join(wanted, " or "), strings.Join(slices.Sorted(maps.Keys(said)), " or "))
	}
	if rule.Of != nil {
		var items []*jsonschema.Schema
		items = append(items, belowAll(at, each)...)
		if len(items) > 0 {
			k.admits(path+"."+string(rule.Kind)+".of", *rule.Of, items)
		}
	}
}

// currencies holds currency fields of money rules against the schema. They take part as the rule's own field does, so a
// currency that may be absent would leave an amount without meaning.
func (k *checker) currencies(schema *jsonschema.Schema) {
	rules := k.d.Identity.Rules
	for _, text := range slices.Sorted(maps.Keys(rules.Fields)) {
		rule := rules.Fields[text]
		for of := rule.Of; of != nil; of = of.Of {
			rule = *of
		}
		if rule.Kind != canon.RuleMoney || rule.CurrencyField == "" {
			continue
		}
		path := keyed("identity.fields", text) + ".money.currency_field"
		p, err := canon.ParsePointer(rule.CurrencyField)
		if err != nil || len(k.mustReach(schema, path, rule.CurrencyField)) == 0 {
			continue
		}
		if !slices.Contains(p, each) && !alwaysThere(schema, p, rules.Defaults) {
			k.add(path, CodeNotRequired, "The currency %s may be absent, and an amount means nothing without it; require it in the schema or give it a default.", rule.CurrencyField)
		}
	}
}

// present requires of every field that a template reads that it is always there: an absent component would be the key
// of everybody.
func (k *checker) present(c *Compiled) {
	id := &k.d.Identity
	check := func(path string, t *canon.Template) {
		if t == nil {
			return
		}
		for _, text := range t.Pointers() {
			p, err := canon.ParsePointer(text)
			if err != nil || len(k.mustReach(c.schema, path, text)) == 0 {
				continue
			}
			if !alwaysThere(c.schema, p, id.Rules.Defaults) {
				k.add(path, CodeNotRequired, "The template reads %s, which may be absent; require it in the schema, or give it a default. An absent component would be the key of everybody.", text)
			}
		}
	}
	check("identity.key_template", c.key)
	check("identity.entity.id", c.entity)
	for i, t := range c.touches {
		check(indexed("identity.touches", i)+".id", t)
	}
	check("identity.occurrence_template", c.occurrence)
}
