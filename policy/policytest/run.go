package policytest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// bench is what cases are judged by: the tools, and the policy compiled over them.
type bench struct {
	tools map[string]*registry.Compiled
	set   *policy.Set
}

// judge judges one case. The faults are of the case itself: what it proposes is no proposal.
func (b *bench) judge(r *reader, c *testCase) (verdicts []policy.Verdict, ok bool) {
	before := len(r.problems)
	facts := b.facts(r, &c.proposal, "op_case")
	world := policy.World{
		Now: c.now, EntityVersion: c.version, Histories: map[string]policy.History{}, Overridden: map[string]string{},
		Entity: c.entity,
	}
	for _, rule := range c.overridden {
		world.Overridden[rule] = "gr_case"
	}
	for i := range c.earlier {
		b.happened(r, &world, &c.earlier[i], fmt.Sprintf("op_earlier_%d", i+1))
	}
	if len(r.problems) > before {
		return nil, false
	}
	bound, err := b.set.For(facts)
	if err != nil {
		r.fault(c.proposal.argsNode, "%v.", err)
		return nil, false
	}
	for _, one := range c.counters {
		if !count(&world, bound, one) {
			r.fault(one.rule.node, "No counter of the rule %s applies to this case: it names a limit, or a rule that uses count(...) or sum(...), in whose scope the case is.", one.rule.text)
		}
	}
	return bound.Judge(world), len(r.problems) == before
}

// facts identifies a proposal as the server does.
func (b *bench) facts(r *reader, p *proposal, operation string) policy.Facts {
	tool := b.tools[p.tool.text]
	if tool == nil {
		if p.tool.node != nil {
			r.fault(p.tool.node, "No tool named %q is among the tools of the file.", p.tool.text)
		}
		return policy.Facts{}
	}
	arguments, faults := canon.Parse(p.arguments, canon.Limits{})
	if len(faults) == 0 {
		faults = tool.Validate(arguments)
	}
	for _, f := range faults {
		r.fault(p.argsNode, "The arguments at %q: %s", f.Pointer, f.Message)
	}
	if len(faults) > 0 {
		return policy.Facts{}
	}
	own, wrong := tool.Identify(registry.Call{Arguments: arguments, Occurrence: p.occurrence, RepeatGranted: true}, hash)
	for _, f := range wrong {
		r.fault(p.argsNode, "%s at %q: %s", f.Field, f.Pointer, f.Message)
	}
	if len(wrong) > 0 {
		return policy.Facts{}
	}
	facts := policy.Facts{
		Tool: p.tool.text, OperationID: operation, Root: operation, Revision: 1,
		Key: string(own.Key), Fingerprint: own.Fingerprint, Occurrence: own.Occurrence, Intent: own.Intent, Canonical: own.Canonical,
		Entity:    locks.Entity{Type: own.Entity.Type, ID: own.Entity.ID},
		Principal: p.principal.id, Person: p.principal.person, Roles: p.principal.roles, WorkflowID: p.workflow, RunID: p.run,
	}
	for _, t := range own.Touches {
		facts.Touches = append(facts.Touches, locks.Entity{Type: t.Type, ID: t.ID})
	}
	return facts
}

// happened charges what was done before: held while it is open, else counted at its time.
func (b *bench) happened(r *reader, w *policy.World, p *proposal, operation string) {
	facts := b.facts(r, p, operation)
	if facts.Tool == "" {
		return
	}
	bound, err := b.set.For(facts)
	if err != nil {
		r.fault(p.argsNode, "%v.", err)
		return
	}
	at := w.Now.Add(-p.ago)
	for _, charge := range bound.Charges() {
		history := w.Histories[charge.History]
		if p.open {
			history = history.Hold(charge, operation, operation, at, false)
		} else {
			history = history.Settle(charge, operation, operation, at, w.Now)
		}
		w.Histories[charge.History] = history
	}
}

// count gives the counters of a rule that the case is charged to the stated value, beside what was done before. False: the
// rule has none.
func count(w *policy.World, bound *policy.Case, c counter) bool {
	found := false
	for _, charge := range bound.Charges() {
		if charge.Kind == policy.ChargeCounter && belongs(charge.History, c.rule.text) {
			history := w.Histories[charge.History]
			history.Past = append(slices.Clone(history.Past), policy.Past{At: w.Now, Sum: c.value})
			w.Histories[charge.History], found = history, true
		}
	}
	return found
}

// belongs reports whether a counter's history is one of the rule's. Its id is the kind, the rule, and then the period,
// which begins with a digit; so a rule is told from a tool's own rules, whose ids begin with the tool's name.
func belongs(history, rule string) bool {
	_, rest, _ := strings.Cut(history, "/")
	rest, found := strings.CutPrefix(rest, rule+"/")
	return found && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// hash stands for the keyed hash of a sensitive value, whose key only a server has. Equal values still compare as equal.
func hash(pointer string, canonical []byte) string {
	sum := sha256.Sum256(append([]byte(pointer+"\x00"), canonical...))
	return "offline-sha256:" + hex.EncodeToString(sum[:])
}

// deciding is the verdict that stands in the way; nil: nothing does.
func deciding(verdicts []policy.Verdict) *policy.Verdict {
	for i := range verdicts {
		if verdicts[i].Stands() {
			return &verdicts[i]
		}
	}
	return nil
}

// hold holds what was decided to what was expected, and says each difference in a sentence.
func hold(want expectation, verdicts []policy.Verdict) (got Answer, differences []string) {
	got = Answer{Decision: string(policy.Pass)}
	if v := deciding(verdicts); v != nil {
		got = Answer{Decision: string(v.Outcome), Rule: v.Rule, Because: v.Because, RetryAfter: after(v.RetryAfter), Earlier: v.Earlier}
	}
	differ := func(format string, args ...any) { differences = append(differences, fmt.Sprintf(format, args...)) }
	if got.Decision != want.decision {
		differ("the decision is %s, not %s", got.Decision, want.decision)
	}
	if want.rule != "" && got.Rule != want.rule {
		differ("it is decided by %s, not by %s", named(got.Rule), want.rule)
	}
	for _, part := range want.because {
		if !strings.Contains(strings.ToLower(got.Because), strings.ToLower(part)) {
			differ("the reason lacks %q", part)
		}
	}
	for _, rule := range want.shadow {
		if !slices.ContainsFunc(verdicts, func(v policy.Verdict) bool { return v.Rule == rule && v.Shadow && v.Outcome != policy.Pass }) {
			differ("the rule %s would not have said no in shadow", rule)
		}
	}
	return got, differences
}

func named(rule string) string {
	if rule == "" {
		return "no rule"
	}
	return rule
}

func after(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}
