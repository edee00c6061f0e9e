package ledger

// PauseScope stops a part of a namespace: what is in flight ends, nothing new starts.
type PauseScope struct {
	Namespace Namespace
	Principal Principal
	Scope     SwitchScope
	Reason    string // shown to whoever proposes
}

// Claims are none.
func (p *PauseScope) Claims() []Claim { return nil }

// Reads are the switch, the epoch and the tool.
func (p *PauseScope) Reads(*View) []Read { return switchReads(p.Namespace, p.Scope) }

// Decide pauses. A pause that stands keeps its beginning and takes the newest word of why and by whom: its etag changes,
// so that nobody ends a pause for a reason that they have not seen.
func (p *PauseScope) Decide(v *View, _ Env) Decided {
	if no := p.Scope.known(v, p.Namespace); no != nil {
		return Decided{Err: no}
	}
	have, _ := recordOf[Switch](v, SwitchKey(p.Namespace, p.Scope))
	if have.Paused && have.PausedBy == p.Principal && have.PauseReason == p.Reason {
		return Decided{Reply: &Switched{Switch: have}}
	}
	next := *have
	next.row = have.next()
	if !have.Paused {
		next.PausedAt = v.Now
	}
	next.Paused, next.PausedBy, next.PauseReason = true, p.Principal, p.Reason
	next.ResumedBy, next.ResumeReason = "", ""
	return turned(v, &next)
}

// ResumeScope ends a pause.
type ResumeScope struct {
	Namespace Namespace
	Principal Principal
	Scope     SwitchScope
	Reason    string
	Etag      string // the pause as the caller saw it; empty: whatever it is by now
}

// Claims are none.
func (r *ResumeScope) Claims() []Claim { return nil }

// Reads are the switch and the epoch.
func (r *ResumeScope) Reads(*View) []Read { return switchReads(r.Namespace, r.Scope) }

// Decide ends the pause. One that the same principal ended for the same reason is this command's own write.
func (r *ResumeScope) Decide(v *View, _ Env) Decided {
	have, _ := recordOf[Switch](v, SwitchKey(r.Namespace, r.Scope))
	switch {
	case !have.Paused && have.ResumedBy == r.Principal && have.ResumedBy != "" && have.ResumeReason == r.Reason:
		return Decided{Reply: &Switched{Switch: have}}
	case !have.Paused:
		return Decided{Err: refuse(CodeNotFound, ReasonPolicyNotFound, "%s is not paused", r.Scope)}
	case r.Etag != "" && r.Etag != have.Etag():
		return Decided{Err: etagMismatch("the pause of", r.Scope.String())}
	}
	next := *have
	next.row = have.next()
	next.Paused, next.ResumedBy, next.ResumeReason = false, r.Principal, r.Reason
	return turned(v, &next)
}
