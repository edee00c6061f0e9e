package ledger

// SetShadow puts the policy rules of a part of a namespace in shadow, or in force again.
type SetShadow struct {
	Namespace Namespace
	Principal Principal
	Scope     SwitchScope
	Shadow    bool
	Reason    string
}

// Claims are none.
func (s *SetShadow) Claims() []Claim { return nil }

// Reads are the switch, the epoch and the tool.
func (s *SetShadow) Reads(*View) []Read { return switchReads(s.Namespace, s.Scope) }

// Decide turns shadow mode on or off, and keeps who did it and why.
func (s *SetShadow) Decide(v *View, _ Env) Decided {
	if no := s.Scope.known(v, s.Namespace); no != nil {
		return Decided{Err: no}
	}
	have, exists := recordOf[Switch](v, SwitchKey(s.Namespace, s.Scope))
	if have.Shadow == s.Shadow && (!exists || have.ShadowAt.IsZero() || have.ShadowBy == s.Principal && have.ShadowReason == s.Reason) {
		return Decided{Reply: &Switched{Switch: have}}
	}
	next := *have
	next.row = have.next()
	next.Shadow, next.ShadowBy, next.ShadowReason, next.ShadowAt = s.Shadow, s.Principal, s.Reason, v.Now
	return turned(v, &next)
}
