package policy

import (
	"fmt"
	"slices"
)

// StandingUse is a standing approval whose terms admit a case. Its expiry, and what of its count and sum is left, are for
// the ledger to check against the rows of its use.
type StandingUse struct {
	ID     string
	Amount int64 // what the operation would use of the sum; zero where amounts are not bounded
	Terms  StandingTerms
}

type compiledStanding struct {
	StandingTerms
	amount *amountAt
	when   *expression
}

// standing compiles a standing approval; nil where it does not fit its tool. What is wrong is told when it is given.
func (b *builder) standing(terms StandingTerms, tell bool) *compiledStanding {
	before := len(b.problems)
	defer func() {
		if !tell {
			b.problems = b.problems[:before]
		}
	}()
	c := &compiledStanding{StandingTerms: terms}
	i := slices.IndexFunc(b.config.Tools, func(t Tool) bool { return t.Name == terms.Tool })
	if i < 0 {
		b.add(terms.ID, "tool", CodeUnknown, fmt.Sprintf("There is no tool %s.", terms.Tool))
		return nil
	}
	on := b.toolEnv(&b.config.Tools[i])
	if terms.AmountPointer != "" {
		amount, message := compileAmount(terms.AmountPointer, on.tool.Arguments)
		switch {
		case message != "":
			b.add(terms.ID, "amount_pointer", CodePointer, message)
		case terms.Currency != "" && !amount.money:
			b.add(terms.ID, "currency", CodeUnusable, "The amount is no money whose currency could be compared; point at an amount of money, or remove the currency.")
		}
		c.amount = amount
	}
	if terms.AmountPointer == "" && (terms.MaxAmount != nil || terms.MaxSum != nil || terms.Currency != "") {
		b.add(terms.ID, "amount_pointer", CodeRequired, "Say where the amount stands that is bounded.")
	}
	if terms.When != "" {
		c.when = b.expression(on, terms.ID, "when", terms.When, true)
	}
	if len(b.problems) > before {
		return nil
	}
	return c
}

// Standing gives the standing approvals whose static terms admit the case, for the approval that a rule asks for: it is
// none where that rule asks for none.
func (c *Case) Standing(rule string) []StandingUse {
	if c == nil || c.set == nil || !slices.ContainsFunc(c.asks, func(a *ask) bool { return a.id == rule && a.kind == kindApproval }) {
		return nil
	}
	var uses []StandingUse
	for _, s := range c.set.standing {
		if amount, admitted := s.admits(c); admitted {
			uses = append(uses, StandingUse{ID: s.ID, Amount: amount, Terms: s.StandingTerms})
		}
	}
	return uses
}

// admits reports whether the case lies within the bounds, and what it would use of the sum. What cannot be told is no.
func (s *compiledStanding) admits(c *Case) (amount int64, admitted bool) {
	f := &c.facts
	switch {
	case s.Tool != f.Tool,
		s.EntityType != "" && s.EntityType != f.Entity.Type,
		s.EntityID != "" && s.EntityID != f.Entity.ID,
		s.Proposer != "" && s.Proposer != f.Principal,
		s.GivenBy != "" && s.GivenBy == f.Principal, // nobody approves ahead what is one's own
		s.GivenByPerson != "" && s.GivenByPerson == f.Person,
		s.WorkflowID != "" && s.WorkflowID != f.WorkflowID:
		return 0, false
	}
	if s.amount != nil {
		var there, wrong bool
		amount, there, wrong = s.amount.of(c.args)
		switch {
		case !there, wrong, amount < 0,
			s.MaxAmount != nil && amount > *s.MaxAmount,
			s.MaxSum != nil && amount > *s.MaxSum,
			s.Currency != "" && s.amount.currency(c.args) != s.Currency:
			return 0, false
		}
	}
	if s.when != nil {
		holds, err := s.when.holds(c.vars)
		return amount, err == nil && holds
	}
	return amount, true
}
