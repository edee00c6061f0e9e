package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Judge asks every rule that applies, the deciding verdict first. The kinds in their order: proposer roles, guards, deny
// rules, windows, conflicts, limits, approvals. Verdicts that pass are among them, for the record. Whether an approval
// that is asked for has been given is for the ledger to say.
func (c *Case) Judge(w World) []Verdict {
	if c.Empty() {
		return nil
	}
	j := &judgement{Case: c, world: &w, vars: maps.Clone(c.vars), who: asker{c.facts.Root, c.facts.OperationID, w.Recheck}}
	if j.who.root == "" {
		j.who.root = c.facts.OperationID
	}
	entity := maps.Clone(c.vars["entity"].(map[string]any))
	entity["state"], entity["version"] = w.Entity.State, w.EntityVersion
	if attributes, err := parseObject(w.Entity.Attributes); err == nil {
		entity["attributes"] = typed(attributes, nil)
	}
	j.vars["entity"], j.vars["now"] = entity, w.Now
	verdicts := make([]Verdict, len(c.asks))
	for i := range c.asks {
		verdicts[i] = j.ask(c.asks[i])
	}
	return decidingFirst(verdicts)
}

// decidingFirst moves the verdict that decides to the front: the first that stands in the way; of several limits the one
// that makes wait longest, so that nobody comes back in vain.
func decidingFirst(verdicts []Verdict) []Verdict {
	first := slices.IndexFunc(verdicts, func(v Verdict) bool { return v.Stands() })
	if first < 0 {
		return verdicts
	}
	if verdicts[first].Outcome == Later {
		for i := first + 1; i < len(verdicts); i++ {
			switch v := &verdicts[i]; {
			case !v.Stands():
			case v.Outcome == Denied, v.Outcome == Later && v.RetryAfter > verdicts[first].RetryAfter:
				first = i
			}
			if verdicts[first].Outcome == Denied {
				break
			}
		}
	}
	deciding := verdicts[first]
	return slices.Insert(slices.Delete(verdicts, first, first+1), 0, deciding)
}

// judgement is one case in one world.
type judgement struct {
	*Case
	world *World
	vars  map[string]any
	who   asker
}

// ask asks one rule.
func (j *judgement) ask(a *ask) Verdict {
	v := Verdict{Rule: a.id, RuleVersion: a.version, Outcome: Pass, Inputs: map[string]string{}}
	switch a.kind {
	case kindRoles:
		j.roles(a, &v)
	case kindGuard, kindDeny:
		j.condition(a, &v)
	case kindWindow:
		j.window(a, &v)
	case kindConflict:
		j.conflict(a, &v)
	case kindLimit:
		j.limit(a, &v)
	case kindApproval:
		j.approval(a, &v)
	}
	if v.Outcome != Pass {
		v.Shadow = a.shadow
		v.Overridable = a.kind >= kindGuard && a.kind <= kindLimit
		if v.Overridable {
			v.GrantID = j.world.Overridden[a.id]
		}
	}
	if len(v.Inputs) == 0 {
		v.Inputs = nil
	}
	return v
}

func (j *judgement) roles(a *ask, v *Verdict) {
	if !j.facts.AnyRole && !slices.ContainsFunc(a.roles, func(role string) bool { return slices.Contains(j.facts.Roles, role) }) {
		v.Outcome = Denied
		v.Because = fmt.Sprintf("the tool %s is proposed by the roles %s only", j.facts.Tool, strings.Join(a.roles, ", "))
	}
}

// condition judges a guard, whose condition must hold, or a deny rule, whose condition must not. One that cannot be
// evaluated is a no: what a rule cannot tell it does not let pass.
func (j *judgement) condition(a *ask, v *Verdict) {
	holds, err := j.evaluate(a, v)
	switch {
	case err != nil:
		v.Outcome, v.Because = Denied, notEvaluated(a)
	case holds != (a.kind == kindGuard):
		v.Outcome, v.Because = Denied, a.explanation
		if v.Because == "" {
			v.Because = "it does not hold that " + a.condition.text
		}
	}
}

func notEvaluated(a *ask) string { return "the rule " + a.id + " could not be evaluated" }

// evaluate evaluates a rule's condition, and notes what it looked at.
func (j *judgement) evaluate(a *ask, v *Verdict) (bool, error) {
	v.Inputs["condition"] = a.condition.text
	if a.condition.readsEntity {
		v.Inputs["entity.state"] = j.world.Entity.State
		v.Inputs["entity.version"] = strconv.FormatInt(j.world.EntityVersion, 10)
	}
	vars := j.vars
	if len(a.counters) > 0 {
		vars = maps.Clone(j.vars)
	}
	for _, u := range a.counters {
		if u.err != nil {
			v.Inputs["error"] = shortened(u.err)
			return false, u.err
		}
		value := j.world.Histories[u.charge.History].counted(j.who, u.charge.period(), j.world.Now)
		v.Inputs[u.text+" within "+written(u.window)] = strconv.FormatInt(value, 10)
		vars[u.variable] = value
	}
	holds, err := a.condition.holds(vars)
	if err != nil {
		v.Inputs["error"] = shortened(err)
	}
	return holds, err
}

// shortened keeps an error of an expression short; it is for the rule's author.
func shortened(err error) string {
	const most = 200
	text := err.Error()
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// limit weighs the operation against what counts beside it.
func (j *judgement) limit(a *ask, v *Verdict) {
	if a.wrong != "" {
		v.Outcome, v.Because = Denied, notEvaluated(a)+": "+a.wrong
		return
	}
	l, h, p := a.limit, j.world.Histories[a.charge.History], a.charge.period()
	value := h.counted(j.who, p, j.world.Now)
	v.Inputs["history"] = a.charge.History
	v.Inputs["value"] = strconv.FormatInt(value, 10)
	v.Inputs["amount"] = strconv.FormatInt(a.charge.Amount, 10)
	v.Inputs["max"] = strconv.FormatInt(l.Max, 10)
	v.Inputs["period"] = written(l.Period)
	if a.charge.Amount <= l.Max && value <= l.Max-a.charge.Amount { // no sum that could overflow
		return
	}
	if a.charge.Amount > l.Max {
		v.Outcome = Denied // waiting would be in vain
		v.Because = fmt.Sprintf("%d is more than the limit %s lets pass at all, %d", a.charge.Amount, a.id, l.Max)
	} else {
		v.Outcome, v.RetryAfter = Later, h.room(j.who, p, j.world.Now, a.charge.Amount, l.Max)
		v.Because = fmt.Sprintf("the limit %s of %d within %s is reached: %d count, and this adds %d", a.id, l.Max, written(l.Period), value, a.charge.Amount)
	}
	v.Because = explained(a, v.Because)
}

// approval asks for persons where its condition holds, or cannot be evaluated.
func (j *judgement) approval(a *ask, v *Verdict) {
	because := ""
	if a.condition != nil {
		holds, err := j.evaluate(a, v)
		if err == nil && !holds {
			return
		}
		if err != nil {
			because = "; " + notEvaluated(a)
		}
	}
	v.Outcome, v.Need = Ask, a.need
	who := "one person"
	if a.need.Count > 1 {
		who = fmt.Sprintf("%d persons", a.need.Count)
	}
	v.Because = fmt.Sprintf("%s of the roles %s must approve%s", who, strings.Join(a.need.Roles, ", "), because)
}
