package policy

import (
	"cmp"
	"slices"

	"cel.dev/cel-go/cel"
)

// Compile checks and compiles a namespace's whole policy for one configuration epoch. Where there are problems, the set
// leaves the faulty rules out: who applies a configuration refuses it then. A standing approval that does not fit its
// tool any more is no problem here; it admits nothing.
func Compile(c Config) (*Set, []Problem) {
	b := newBuilder(c)
	s := &Set{tools: map[string]*compiledTool{}, switches: slices.Clone(c.Switches)}
	for i := range b.config.Tools {
		t := &b.config.Tools[i]
		s.tools[t.Name] = b.tool(t)
	}
	for _, r := range c.Rules {
		if !b.covered[r.ID] {
			b.rule(neutral(), &r)
		}
	}
	for _, terms := range c.Standing {
		if standing := b.standing(terms, false); standing != nil {
			s.standing = append(s.standing, standing)
		}
	}
	return s, b.sorted()
}

// CheckRule checks a rule against every tool in its scope. The configuration's other rules have no part in it: no rule reads
// another.
func CheckRule(c Config, r Rule) []Problem {
	b := newBuilder(c)
	for i := range b.config.Tools {
		if t := &b.config.Tools[i]; r.Scope.covers(t) {
			b.rule(b.toolEnv(t), &r)
			b.covered[r.ID] = true
		}
	}
	if !b.covered[r.ID] {
		b.rule(neutral(), &r)
	}
	return b.sorted()
}

// CheckTool checks a tool's own rules, and the namespace's rules that it comes into the scope of. It stands for a version
// of it that the configuration has.
func CheckTool(c Config, t Tool) []Problem {
	c.Tools = append(slices.DeleteFunc(slices.Clone(c.Tools), func(o Tool) bool { return o.Name == t.Name }), t)
	b := newBuilder(c)
	b.tool(&c.Tools[len(c.Tools)-1])
	return b.sorted()
}

// CheckStanding checks the bounds of a standing approval against its tool.
func CheckStanding(c Config, terms StandingTerms) []Problem {
	b := newBuilder(c)
	b.standing(terms, true)
	return b.sorted()
}

// builder compiles a configuration and collects what is wrong with it.
type builder struct {
	config   Config
	problems []Problem
	covered  map[string]bool // rules that some tool is in the scope of
	// memo keeps expressions that read no arguments: they are the same for every tool.
	memo map[memoKey]*expression
}

type memoKey struct {
	text string
	pure bool
}

func newBuilder(c Config) *builder {
	return &builder{config: c, covered: map[string]bool{}, memo: map[memoKey]*expression{}}
}

// scoped is a tool for which rules are compiled, with its environment, which is made when the first expression needs it.
type scoped struct {
	tool *Tool
	env  *cel.Env
}

func (b *builder) toolEnv(t *Tool) *scoped { return &scoped{tool: t} }

// neutral is a tool of which nothing is known: against it a rule is checked that has no tool in its scope yet.
func neutral() *scoped {
	return &scoped{tool: &Tool{Name: "(any tool)", EntityType: "(any)", Arguments: &Shape{Kind: ShapeAny}, Mutates: true}}
}

func (b *builder) add(rule, path string, code Code, message string) {
	b.problems = append(b.problems, Problem{Rule: rule, Path: path, Code: code, Message: message})
}

// sorted gives the problems by rule and place, each once, although several tools may have met it.
func (b *builder) sorted() []Problem {
	slices.SortStableFunc(b.problems, func(x, y Problem) int {
		return cmp.Or(cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Path, y.Path), x.Line-y.Line, x.Column-y.Column, cmp.Compare(x.Code, y.Code), cmp.Compare(x.Message, y.Message))
	})
	return slices.Compact(b.problems)
}

// tool compiles a tool's own rules and those of the namespace that it is in the scope of.
func (b *builder) tool(t *Tool) *compiledTool {
	on := b.toolEnv(t)
	c := &compiledTool{Tool: *t, rules: b.own(on)}
	b.checkState(on)
	for i := range b.config.Rules {
		if r := &b.config.Rules[i]; r.Scope.covers(t) {
			b.covered[r.ID] = true
			if compiled := b.rule(on, r); compiled != nil {
				c.rules = append(c.rules, compiled)
			}
		}
	}
	conflicts, longest := b.conflicts(t)
	c.rules, c.conflictPeriod = append(c.rules, conflicts...), longest
	for _, sw := range b.config.Switches {
		if sw.Shadow && sw.covers(t.Name, t.Class) {
			for _, r := range c.rules {
				r.shadow = true
			}
		}
	}
	for _, r := range c.rules {
		if r.kind == kindRoles || r.kind == kindApproval && t.Irreversible {
			r.shadow = false // permissions, and approvals of what cannot be undone, are never only observed
		}
	}
	slices.SortStableFunc(c.rules, func(x, y *compiledRule) int { return cmp.Compare(x.kind, y.kind) })
	return c
}

// checkState checks the template of the entity's state after a success.
func (b *builder) checkState(on *scoped) {
	const path = "policy.sets_entity_state"
	switch {
	case on.tool.Rules.SetsEntityState == "":
	case on.tool.EntityType == "":
		b.add(on.tool.Name, path, CodeNoEntity, "The tool names no entity whose state could be set; give it one, or remove the setting.")
	default:
		b.template(on, on.tool.Name, path, on.tool.Rules.SetsEntityState, true)
	}
}

// template compiles a template; nil where it has problems.
func (b *builder) template(on *scoped, rule, path, text string, overResult bool) *template {
	t, wrong := parseTemplate(text)
	if wrong == nil {
		wrong = t.check(on.tool, overResult)
	}
	if wrong != nil {
		b.problems = append(b.problems, Problem{Rule: rule, Path: path, Line: 1, Column: wrong.column, Code: CodeTemplate, Message: wrong.message})
		return nil
	}
	return t
}

// expression compiles a condition; nil where it has problems.
func (b *builder) expression(on *scoped, rule, path, text string, pure bool) *expression {
	if known := b.memo[memoKey{text, pure}]; known != nil {
		return known
	}
	if text == "" {
		b.add(rule, path, CodeRequired, "Write the condition, in CEL.")
		return nil
	}
	if on.env == nil {
		env, err := environment(on.tool.Arguments)
		if err != nil {
			b.add(rule, path, CodeSyntax, sentence(err.Error()))
			return nil
		}
		on.env = env
	}
	e, faults := compileExpression(on.env, text, pure)
	for _, f := range faults {
		b.problems = append(b.problems, Problem{Rule: rule, Path: path, Line: f.line, Column: f.column, Code: f.code, Message: f.message})
	}
	if e != nil && !e.readsArgs {
		b.memo[memoKey{text, pure}] = e
	}
	return e
}
