package policy

import (
	"fmt"
	"slices"
	"time"
)

// own compiles a tool's own rules, conflicts apart. Their ids are "tool/name".
func (b *builder) own(on *scoped) []*compiledRule {
	t, rules := on.tool, []*compiledRule(nil)
	add := func(r *compiledRule, shadow bool) {
		if r != nil {
			r.version, r.shadow = t.Version, shadow || t.Rules.Shadow
			rules = append(rules, r)
		}
	}
	seen := map[string]bool{"approval": true, "proposer_roles": true}
	named := func(path, name string) string {
		id := t.Name + "/" + name
		switch {
		case name == "":
			b.add(id, path+".name", CodeRequired, "The rule needs a name, which decisions show.")
		case seen[name]:
			b.add(id, path+".name", CodeTwice, "Another rule of the tool has that name, or it is one that the tool's approval and roles go by; choose another.")
		}
		seen[name] = true
		return id
	}
	if len(t.Rules.ProposerRoles) > 0 {
		add(&compiledRule{id: t.Name + "/proposer_roles", kind: kindRoles, roles: t.Rules.ProposerRoles}, false)
	}
	for i, g := range t.Rules.Guards {
		path := fmt.Sprintf("policy.guards[%d]", i)
		add(b.guard(on, named(path, g.Name), path, g), g.Shadow)
	}
	for i, w := range t.Rules.Windows {
		path := fmt.Sprintf("policy.dedupe_windows[%d]", i)
		add(b.window(on, named(path, w.Name), path, w), w.Shadow)
	}
	for i, c := range t.Rules.Conflicts {
		path := fmt.Sprintf("policy.conflicts[%d]", i)
		b.checkConflict(named(path, c.Name), path, c)
		if t.EntityType == "" {
			b.add(t.Name+"/"+c.Name, path, CodeNoEntity, "Operations exclude each other on an entity, and the tool names none; give it one, or remove the conflict.")
		}
	}
	for i, l := range t.Rules.Limits {
		path := fmt.Sprintf("policy.limits[%d]", i)
		add(b.limit(on, named(path, l.Name), path, l), l.Shadow)
	}
	if t.Rules.Approval != nil {
		add(b.approval(on, t.Name+"/approval", "policy.approval.required", t.Rules.Approval), false)
	}
	return rules
}

// rule compiles a namespace's rule for one tool. Conflicts, which two tools take part in, are compiled apart.
func (b *builder) rule(on *scoped, r *Rule) *compiledRule {
	kinds, shadow := 0, r.Shadow
	var compiled *compiledRule
	if r.Deny != nil {
		kinds++
		compiled = b.deny(on, r.ID, r.Deny)
	}
	if r.Guard != nil {
		kinds++
		shadow = shadow || r.Guard.Shadow
		compiled = b.guard(on, r.ID, "guard", *r.Guard)
	}
	if r.Limit != nil {
		kinds++
		shadow = shadow || r.Limit.Shadow
		compiled = b.limit(on, r.ID, "limit", *r.Limit)
	}
	if r.Window != nil {
		kinds++
		shadow = shadow || r.Window.Shadow
		compiled = b.window(on, r.ID, "dedupe_window", *r.Window)
	}
	if r.Conflict != nil {
		kinds++
		b.checkConflict(r.ID, "conflict", *r.Conflict)
	}
	if r.Approval != nil {
		kinds++
		compiled = b.approval(on, r.ID, "approval", r.Approval)
	}
	b.checkScope(r)
	if r.ID == "" {
		b.add("", "rule_id", CodeRequired, "The rule needs an id.")
	}
	if kinds != 1 {
		b.add(r.ID, "", CodeOneKind, "A rule says exactly one thing; set one of deny, guard, limit, dedupe_window, conflict and approval.")
		return nil
	}
	if compiled != nil {
		compiled.version, compiled.shadow = r.Version, shadow
	}
	return compiled
}

func (b *builder) deny(on *scoped, id string, d *Deny) *compiledRule {
	if d.Explanation == "" {
		b.add(id, "deny.explanation", CodeRequired, "Say in a sentence why what this rule denies is denied.")
	}
	e := b.expression(on, id, "deny.when", d.When, false)
	if e == nil {
		return nil
	}
	return &compiledRule{id: id, kind: kindDeny, condition: e, explanation: d.Explanation}
}

func (b *builder) guard(on *scoped, id, path string, g Guard) *compiledRule {
	e := b.expression(on, id, path+".condition", g.Condition, false)
	if e == nil {
		return nil
	}
	if e.readsEntity && on.tool.EntityType == "" {
		b.add(id, path+".condition", CodeNoEntity, fmt.Sprintf("The condition reads the entity, and the tool %s names none; give it one, or leave the tool out of the scope by entity_types.", on.tool.Name))
	}
	return &compiledRule{id: id, kind: kindGuard, condition: e, explanation: g.Explanation}
}

func (b *builder) limit(on *scoped, id, path string, l Limit) *compiledRule {
	before := len(b.problems)
	b.checkPeriod(id, path+".period", l.Period)
	if l.Max < 0 {
		b.add(id, path+".max", CodeBounds, "The greatest value is zero or more.")
	}
	b.checkZone(id, path, l)
	c := &compiledLimit{Limit: l, per: b.template(on, id, path+".per", l.Per, false)}
	if l.SumOf != "" {
		amount, message := compileAmount(l.SumOf, on.tool.Arguments)
		if message != "" {
			b.add(id, path+".sum_of", CodePointer, message)
		}
		c.amount = amount
	}
	r := &compiledRule{id: id, kind: kindLimit, limit: c, explanation: l.Explanation}
	if l.When != "" {
		r.condition = b.expression(on, id, path+".when", l.When, true)
	}
	if len(b.problems) > before {
		return nil
	}
	shape := "sliding"
	if l.Fixed {
		shape = "fixed"
	}
	c.prefix = historyID("limit", id, written(l.Period)+"-"+shape, terms(l.Per, l.SumOf, l.Period.String(), shape, l.Zone, l.When))
	return r
}

func (b *builder) window(on *scoped, id, path string, w DedupeWindow) *compiledRule {
	before := len(b.problems)
	b.checkPeriod(id, path+".period", w.Period)
	if w.KeyTemplate == "" {
		b.add(id, path+".key_template", CodeRequired, "Say what makes two operations equivalent, such as {entity}.")
	}
	key := b.template(on, id, path+".key_template", w.KeyTemplate, false)
	if len(b.problems) > before {
		return nil
	}
	c := &compiledWindow{DedupeWindow: w, key: key, prefix: historyID("window", id, terms(w.KeyTemplate))}
	return &compiledRule{id: id, kind: kindWindow, window: c, explanation: w.Explanation}
}

func (b *builder) approval(on *scoped, id, path string, n *ApprovalNeed) *compiledRule {
	before := len(b.problems)
	need := *n
	b.checkNeed(id, path, &need)
	r := &compiledRule{id: id, kind: kindApproval, need: &need, explanation: need.Warning}
	if n.When != "" {
		r.condition = b.expression(on, id, path+".when", n.When, false)
	}
	if len(b.problems) > before {
		return nil
	}
	return r
}

// conflicts gives the conflicts that a tool takes part in, in either direction, and the longest of their periods.
func (b *builder) conflicts(t *Tool) (rules []*compiledRule, longest time.Duration) {
	if t.EntityType == "" {
		return nil, 0
	}
	for i := range b.config.Tools {
		owner := &b.config.Tools[i]
		for _, c := range owner.Rules.Conflicts {
			from := func(o *Tool) bool { return o.Name == owner.Name }
			if r := b.conflict(t, c, from); r != nil {
				r.id, r.version, r.shadow = owner.Name+"/"+c.Name, owner.Version, c.Shadow || owner.Rules.Shadow
				rules = append(rules, r)
			}
		}
	}
	for i := range b.config.Rules {
		if owner := &b.config.Rules[i]; owner.Conflict != nil {
			if r := b.conflict(t, *owner.Conflict, owner.Scope.covers); r != nil {
				r.id, r.version, r.shadow = owner.ID, owner.Version, owner.Shadow || owner.Conflict.Shadow
				rules = append(rules, r)
			}
		}
	}
	for _, r := range rules {
		longest = max(longest, r.conflict.period)
	}
	return rules, longest
}

// conflict gives a conflict as one tool sees it: what is listed excludes the tools of its scope, and they exclude what is
// listed. It is nil for a tool that takes no part.
func (b *builder) conflict(t *Tool, c Conflict, from func(*Tool) bool) *compiledRule {
	one := &compiledConflict{tools: map[string]bool{}, intents: map[string]bool{}, period: c.Period}
	takesPart := false
	if from(t) {
		takesPart = true
		for _, name := range c.Tools {
			one.tools[name] = true
		}
		for _, intent := range c.Intents {
			one.intents[intent] = true
		}
	}
	if slices.Contains(c.Tools, t.Name) || slices.Contains(c.Intents, t.Intent) {
		takesPart = true
		for i := range b.config.Tools {
			if other := &b.config.Tools[i]; from(other) {
				one.tools[other.Name] = true
			}
		}
	}
	if !takesPart {
		return nil
	}
	return &compiledRule{kind: kindConflict, conflict: one, explanation: c.Explanation}
}
