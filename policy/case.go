package policy

// Case is one proposal or operation before the policy: the rules that apply to it, with the facts bound.
type Case struct{}

// StandingUse is a standing approval whose terms admit a case. Its expiry, and what of its count and sum is left, are for
// the ledger to check against the rows of its use.
type StandingUse struct {
	ID     string
	Amount int64 // what the operation would use of the sum; zero where amounts are not bounded
	Terms  StandingTerms
}

// For binds facts to the rules that apply to them. It fails only where the canonical arguments are no JSON object.
func (s *Set) For(f Facts) (*Case, error) { return &Case{}, nil }

// Empty reports whether no rule at all applies.
func (c *Case) Empty() bool { return true }

// Histories names the rows of history that Judge reads and that Charges write, sorted, each once.
func (c *Case) Histories() []string { return nil }

// ReadsEntity reports whether some rule that applies reads the entity's state, attributes or version.
func (c *Case) ReadsEntity() bool { return false }

// Charges are what the operation is held by from its release to its end.
func (c *Case) Charges() []Charge { return nil }

// Judge asks every rule, the deciding verdict first. The kinds in their order: proposer roles, guards, deny rules,
// windows, conflicts, limits, approvals. Verdicts that pass are among them, for the record.
func (c *Case) Judge(w World) []Verdict { return nil }

// Waiting names the histories of windows and conflicts in which an operation that awaits approval is named.
func (c *Case) Waiting() []string { return nil }

// Standing gives the standing approvals that admit the case for the approval that a rule asks for.
func (c *Case) Standing(rule string) []StandingUse { return nil }
