package ledger

// PauseScope stops a part of a namespace: what is in flight ends, nothing new starts.
type PauseScope struct {
	Request
	Scope  SwitchScope
	Reason string // shown to whoever proposes
}

// Reads are the switch, the epoch and the tool.
func (p *PauseScope) Reads(*View) []Read { return switchReads(p.Namespace, p.Scope) }

// Decide pauses. A pause that stands keeps its beginning and takes the newest word of why and by whom: its etag changes,
// so that nobody ends a pause for a reason that they have not seen.
func (p *PauseScope) Decide(v *View, _ Env) Decided {
	have, again, no := p.Scope.find(v, &p.Request)
	switch {
	case no != nil:
		return Decided{Err: no}
	case again:
		return Decided{Reply: &Switched{Switch: have}}
	case have.Paused && have.PausedBy == p.Principal && have.PauseReason == p.Reason:
		return Decided{Reply: &Switched{Switch: have}, Changes: p.kept(&Changes{})}
	}
	next := *have
	next.row = have.next()
	if !have.Paused {
		next.PausedAt = v.Now
	}
	next.Paused, next.PausedBy, next.PauseReason = true, p.Principal, p.Reason
	next.ResumedBy, next.ResumeReason = "", ""
	return turned(v, &p.Request, &next)
}

// ResumeScope ends a pause.
type ResumeScope struct {
	Request
	Scope  SwitchScope
	Reason string
	Etag   string // the pause as the caller saw it; empty: whatever it is by now
}

// Reads are the switch and the epoch.
func (r *ResumeScope) Reads(*View) []Read { return switchReads(r.Namespace, r.Scope) }

// Decide ends the pause.
func (r *ResumeScope) Decide(v *View, _ Env) Decided {
	have, again, no := r.Scope.find(v, &r.Request)
	switch {
	case no != nil:
		return Decided{Err: no}
	case again:
		return Decided{Reply: &Switched{Switch: have}}
	case !have.Paused:
		return Decided{Err: refuse(CodeNotFound, ReasonPolicyNotFound, "%s is not paused; nothing is to be resumed", r.Scope)}
	case r.Etag != "" && r.Etag != have.Etag():
		return Decided{Err: etagMismatch("the pause of", r.Scope.String())}
	}
	next := *have
	next.row = have.next()
	next.Paused, next.ResumedBy, next.ResumeReason = false, r.Principal, r.Reason
	return turned(v, &r.Request, &next)
}
