package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
)

// Case is one proposal or operation before the policy: the rules that apply to it, with the facts bound.
type Case struct {
	set     *Set
	facts   Facts
	args    map[string]any // as parsed
	vars    map[string]any // what expressions see, but for what a judgement adds
	asks    []*ask
	charges []Charge // by history, each once
}

// ask is a rule that applies to a case.
type ask struct {
	*compiledRule
	charge   *Charge      // of a limit, a window, a conflict
	wrong    string       // why a limit cannot be weighed
	counters []counterUse // of the history functions of its condition
}

// counterUse is a history function whose counter is known.
type counterUse struct {
	*historyCall
	charge Charge
	err    error // it could not be told what is counted
}

// For binds facts to the rules that apply to them. It fails only where the canonical arguments are no JSON object.
func (s *Set) For(f Facts) (*Case, error) {
	c := &Case{set: s, facts: f}
	if s == nil || s.tools[f.Tool] == nil || len(s.tools[f.Tool].rules) == 0 {
		return c, nil
	}
	t := s.tools[f.Tool]
	args, err := parseObject(f.Canonical)
	if err != nil {
		return nil, err
	}
	c.args = args
	c.vars = variables(t, &c.facts, args)
	for _, r := range t.rules {
		if a := c.bind(r); a != nil {
			c.asks = append(c.asks, a)
		}
	}
	slices.SortFunc(c.charges, func(a, b Charge) int { return cmp.Compare(a.History, b.History) })
	return c, nil
}

// variables are what expressions see of a proposal.
func variables(t *compiledTool, f *Facts, args map[string]any) map[string]any {
	touches := []string{}
	for _, e := range f.Touches {
		touches = append(touches, e.String())
	}
	entity := ""
	if !f.Entity.IsZero() {
		entity = f.Entity.String()
	}
	return map[string]any{
		"proposal": map[string]any{"tool": f.Tool, "key": f.Key, "fingerprint": f.Fingerprint, "occurrence": f.Occurrence,
			"intent": f.Intent, "revision": f.Revision, "entity": entity, "touches": touches},
		"args":      typed(args, t.Arguments),
		"tool":      map[string]any{"name": t.Name, "version": t.Version, "class": t.Class},
		"principal": map[string]any{"id": f.Principal, "person": f.Person, "roles": append([]string{}, f.Roles...)},
		"entity":    map[string]any{"type": f.Entity.Type, "id": f.Entity.ID},
		"workflow":  map[string]any{"id": f.WorkflowID, "run_id": f.RunID},
	}
}

// bind gives a rule with the case's counters; nil where it does not apply.
func (c *Case) bind(r *compiledRule) *ask {
	a := &ask{compiledRule: r}
	v := &values{facts: &c.facts, args: c.args}
	switch r.kind {
	case kindLimit:
		if !c.bindLimit(a, v) {
			return nil
		}
	case kindWindow:
		a.charge = &Charge{History: historyID(r.window.prefix, r.window.key.id(v)), Kind: ChargeWindow, Amount: 1,
			Period: r.window.Period, Tool: c.facts.Tool, Intent: c.facts.Intent}
	case kindConflict:
		if c.facts.Entity.IsZero() {
			return nil
		}
		a.charge = &Charge{History: historyID("conflict", joined(c.facts.Entity.Type, c.facts.Entity.ID)), Kind: ChargeConflict, Amount: 1,
			Period: c.set.tools[c.facts.Tool].conflictPeriod, Tool: c.facts.Tool, Intent: c.facts.Intent}
	default:
		if r.condition != nil {
			for _, call := range r.condition.histories {
				a.counters = append(a.counters, c.bindCounter(r, call))
			}
		}
	}
	if a.charge != nil {
		c.hold(*a.charge)
	}
	for _, u := range a.counters {
		if u.err == nil {
			c.hold(u.charge)
		}
	}
	return a
}

// bindLimit finds a limit's counter and what the operation adds to it; false where the limit does not count it.
func (c *Case) bindLimit(a *ask, v *values) bool {
	l := a.limit
	if a.condition != nil {
		// A condition that cannot be evaluated does not take an operation out of a limit.
		if counts, err := a.condition.holds(c.vars); err == nil && !counts {
			return false
		}
	}
	amount := int64(1)
	if l.amount != nil {
		read, there, wrong := l.amount.of(c.args)
		if !there {
			return false
		}
		if wrong || read < 0 {
			a.wrong = fmt.Sprintf("the amount at %s is no whole number from zero", l.SumOf)
			return true
		}
		amount = read
	}
	a.charge = &Charge{History: historyID(l.prefix, l.per.id(v)), Kind: ChargeCounter, Amount: amount, Period: l.Period, Fixed: l.Fixed, Zone: l.Zone}
	return true
}

var (
	errNegative = errors.New("an amount that is summed is below zero")
	errNoCount  = errors.New("what is counted by is neither a string nor a whole number")
)

// bindCounter finds the counter of a history function.
func (c *Case) bindCounter(r *compiledRule, call *historyCall) counterUse {
	u := counterUse{historyCall: call}
	by, amount := "all", int64(1)
	if call.per != nil {
		// What cannot be told is an error, and so a no; it never falls back to another counter.
		if by, u.err = c.text(call.per); u.err != nil {
			return u
		}
	}
	if call.amount != nil {
		if amount, u.err = c.whole(call.amount); u.err != nil {
			return u
		}
	}
	parts := []string{call.terms[0], r.id, written(call.window) + "-sliding"}
	if len(call.terms) > 1 {
		parts = append(parts, joined(call.terms[1:]...))
	}
	u.charge = Charge{History: historyID(append(parts, by)...), Kind: ChargeCounter, Amount: amount, Period: call.window}
	return u
}

// text evaluates what is counted by.
func (c *Case) text(program cel.Program) (string, error) {
	out, _, err := program.Eval(c.vars)
	if err != nil {
		return "", err
	}
	switch v := out.(type) {
	case types.String:
		return readable(escape(string(v))), nil
	case types.Int:
		return fmt.Sprint(int64(v)), nil
	}
	return "", errNoCount
}

// whole evaluates an amount. One below zero would make room for others, so it is none.
func (c *Case) whole(program cel.Program) (int64, error) {
	out, _, err := program.Eval(c.vars)
	if err != nil {
		return 0, err
	}
	v, ok := out.(types.Int)
	if !ok || v < 0 {
		return 0, errNegative
	}
	return int64(v), nil
}

// hold notes a charge, each history once.
func (c *Case) hold(ch Charge) {
	if !slices.ContainsFunc(c.charges, func(o Charge) bool { return o.History == ch.History }) {
		c.charges = append(c.charges, ch)
	}
}

// Empty reports whether no rule at all applies.
func (c *Case) Empty() bool { return c == nil || len(c.asks) == 0 }

// Histories names the rows of history that Judge reads and that Charges write, sorted, each once.
func (c *Case) Histories() []string {
	if c == nil {
		return nil
	}
	ids := make([]string, len(c.charges))
	for i, ch := range c.charges {
		ids[i] = ch.History
	}
	return ids
}

// ReadsEntity reports whether some rule that applies reads the entity's state, attributes or version.
func (c *Case) ReadsEntity() bool {
	return c != nil && slices.ContainsFunc(c.asks, func(a *ask) bool { return a.condition != nil && a.condition.readsEntity })
}

// MayAsk reports whether a rule that applies may ask for persons.
func (c *Case) MayAsk() bool {
	return c != nil && slices.ContainsFunc(c.asks, func(a *ask) bool { return a.need != nil })
}

// Charges are what the operation is held by from its release to its end, sorted by history.
func (c *Case) Charges() []Charge {
	if c == nil {
		return nil
	}
	return slices.Clone(c.charges)
}

// Waiting names the histories of windows and conflicts in which an operation that awaits approval is named, so that a
// second one need not ask the same persons.
func (c *Case) Waiting() []string {
	if c == nil {
		return nil
	}
	var ids []string
	for _, ch := range c.charges {
		if ch.Kind != ChargeCounter {
			ids = append(ids, ch.History)
		}
	}
	return ids
}
