package ledger

// SetShadow puts the policy rules of a part of a namespace in shadow, or in force again.
type SetShadow struct {
	Request
	Scope  SwitchScope
	Shadow bool
	Reason string
}

// Reads are the switch, the epoch and the tool.
func (s *SetShadow) Reads(*View) []Read { return switchReads(s.Namespace, s.Scope) }

// Decide turns shadow mode on or off, and keeps who did it and why.
func (s *SetShadow) Decide(v *View, _ Env) Decided {
	have, again, no := s.Scope.find(v, &s.Request)
	switch {
	case no != nil:
		return Decided{Err: no}
	case again:
		return Decided{Reply: &Switched{Switch: have}}
	case have.Shadow == s.Shadow && (have.ShadowAt.IsZero() || have.ShadowBy == s.Principal && have.ShadowReason == s.Reason):
		return Decided{Reply: &Switched{Switch: have}, Changes: s.kept(&Changes{})}
	}
	next := *have
	next.row = have.next()
	next.Shadow, next.ShadowBy, next.ShadowReason, next.ShadowAt = s.Shadow, s.Principal, s.Reason, v.Now
	return turned(v, &s.Request, &next)
}
