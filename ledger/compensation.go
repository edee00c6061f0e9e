package ledger

import (
	"slices"
	"time"
)

// HumanCompensation is why a person is asked about a compensation that cannot go on by itself; HumanEffectShows about an
// effect that shows after the others were undone.
const (
	HumanCompensation = "compensation_stuck"
	HumanEffectShows  = "effect_not_undone"
)

// EffectIDs are the ids of the effects that are known to be the operation's: one that has no id where none of them has.
func (o *Operation) EffectIDs() []string {
	if len(o.Effects) == 0 {
		if o.effectKnown() {
			return []string{""}
		}
		return nil
	}
	ids := make([]string, len(o.Effects))
	for i := range o.Effects {
		ids[i] = o.Effects[i].EffectID
	}
	return ids
}

// UndoneAt is when an effect was known to be undone; zero: it stands.
func (o *Operation) UndoneAt(effectID string) time.Time {
	if u := o.undoing(effectID); u != nil {
		return u.UndoneAt
	}
	return time.Time{}
}

// StandingEffects are the ids of the effects that are not known to be undone.
func (o *Operation) StandingEffects() []string {
	return slices.DeleteFunc(o.EffectIDs(), func(id string) bool { return !o.UndoneAt(id).IsZero() })
}

// undoing finds the compensation of an effect.
func (o *Operation) undoing(effectID string) *Undoing {
	for i := range o.Undoing {
		if o.Undoing[i].EffectID == effectID {
			return &o.Undoing[i]
		}
	}
	return nil
}

// HasCompensation reports whether a compensation of the effect was ever begun.
func (o *Operation) HasCompensation(effectID string) bool { return o.undoing(effectID) != nil }

// stepReads are the rows of an operation's compensations, and the operations that carry their steps out.
func stepReads(v *View, o *Operation) []Read {
	var reads []Read
	for i := range o.Undoing {
		for _, id := range o.Undoing[i].Steps {
			read := StepKey(o.Namespace, id).Read()
			reads = append(reads, read)
			if s, ok := v.records[read].(*Step); ok && s.OperationID != "" {
				reads = append(reads, ReadOf(ReadOperation, o.Namespace, string(s.OperationID)))
			}
		}
	}
	return reads
}

// reassess brings a compensation in line with what is known of its steps, makes the next one due, and settles the
// original by what came of all its compensations. It answers the step that is to be proposed now; nil: none is.
func (d *draft) reassess(u *Undoing) *Step {
	steps := d.steps(u)
	known := d.judgeSteps(u, steps)
	next := d.nextStep(u, known)
	d.closeUndoing(u, known)
	if u.underWay() {
		d.unstick(u, known)
	}
	d.settleUndoing()
	return next
}

// steps are the rows of a compensation as this draft has them by now.
func (d *draft) steps(u *Undoing) []*Step {
	list := make([]*Step, len(u.Steps))
	for i, id := range u.Steps {
		list[i], _ = drafted[Step](d, StepKey(d.op.Namespace, id))
	}
	return list
}

// judgeSteps says how each step stands by what is known of its operation, and keeps what has changed.
func (d *draft) judgeSteps(u *Undoing, steps []*Step) []*Step {
	refused := u.GivenUp != nil
	for _, s := range steps {
		refused = refused || d.statusOf(s) == StepGivenUp
	}
	for _, s := range steps {
		status := d.statusOf(s)
		if status == StepPlanned && refused {
			status = StepGivenUp
		}
		if status == s.Status {
			continue
		}
		s.Status = status
		if status != StepPlanned {
			s.NextAt, s.WaitsFor, s.WaitsSince, s.Tries = time.Time{}, "", time.Time{}, 0
		}
		d.put(s)
		d.event(EventCompensation, 0, "step", s.Name, "effect_id", s.EffectID, "status", string(status), "operation_id", string(s.OperationID))
	}
	return steps
}

// statusOf is how a step stands by itself.
func (d *draft) statusOf(s *Step) StepStatus {
	if s.OperationID == "" {
		if s.Status == StepSkipped {
			return StepSkipped
		}
		return StepPlanned
	}
	o := d.view.Operation(s.Namespace, s.OperationID)
	if o == nil {
		return StepOpen // its row was lost: what it did is not known
	}
	switch o.State {
	case CompletedSuccess, CompletedNoop:
		return StepDone
	case FailedPermanent:
		if c := o.failureCategory(); c == CategoryCancelled || c == CategoryApprovalDenied {
			return StepGivenUp
		}
		return StepFailed
	}
	return StepOpen
}

// nextStep is the step that is to be proposed next: each one after the one before it is known to be done. It is made due.
func (d *draft) nextStep(u *Undoing, steps []*Step) *Step {
	for _, s := range steps {
		switch {
		case s.Status.Settled():
			continue
		case s.Status != StepPlanned:
			return nil
		}
		if s.NextAt.IsZero() {
			s.NextAt = d.now
			d.put(s)
		}
		return s
	}
	return nil
}

// closeUndoing closes a compensation of which everything is known, and reopens one of which something is not any more.
func (d *draft) closeUndoing(u *Undoing, steps []*Step) {
	all := func(f func(*Step) bool) bool { return !slices.ContainsFunc(steps, func(s *Step) bool { return !f(s) }) }
	undone := all(func(s *Step) bool { return s.Status.Settled() })
	left := all(func(s *Step) bool { return s.Status == StepGivenUp || s.Status == StepSkipped }) ||
		u.GivenUp != nil && all(func(s *Step) bool {
			return s.Status == StepGivenUp || s.Status == StepSkipped || s.Status == StepFailed
		})
	left = left && !undone
	note := func(at *time.Time, is bool, how string) {
		switch {
		case is && at.IsZero():
			*at = d.now
			d.event(EventCompensation, 0, "effect_id", u.EffectID, "change", how)
		case !is && !at.IsZero():
			*at = time.Time{}
			d.event(EventCompensation, 0, "effect_id", u.EffectID, "change", "not "+how+" after all")
		}
	}
	note(&u.UndoneAt, undone, "undone")
	note(&u.LeftAt, left, "left")
	if !u.underWay() {
		u.StuckSince = time.Time{}
	}
}

// unstick asks a person about a compensation that cannot go on by itself, and takes the question back where it can again.
func (d *draft) unstick(u *Undoing, steps []*Step) {
	stuck, because := false, ""
	for _, s := range steps {
		switch {
		case s.Status == StepFailed:
			stuck, because = true, "the step "+s.Name+" ended without effect"
		case s.Status == StepGivenUp:
			stuck, because = true, "the step "+s.Name+" is not done, and another one may be"
		case s.Status == StepPlanned && !s.WaitsSince.IsZero() && d.op.Terms.HumanAfter > 0 && !d.now.Before(s.WaitsSince.Add(d.op.Terms.HumanAfter)):
			stuck, because = true, "the step "+s.Name+" has waited too long"
		default:
			continue
		}
		break
	}
	switch {
	case !stuck:
		u.StuckSince = time.Time{}
		if h := d.op.Human; h != nil && h.Reason == HumanCompensation && !d.anyStuck() {
			d.op.Human = nil
			d.event(EventCompensation, 0, "effect_id", u.EffectID, "change", "goes on")
		}
	case u.StuckSince.IsZero():
		u.StuckSince = d.now
		d.event(EventCompensation, 0, "effect_id", u.EffectID, "change", "stuck", "because", because)
		d.askOwner(HumanCompensation, u.EscalateTo)
	}
}

func (d *draft) anyStuck() bool {
	return slices.ContainsFunc(d.op.Undoing, func(u Undoing) bool { return !u.StuckSince.IsZero() })
}

// callAboutUndoing puts a compensation that cannot go on before a person again, where another question stood in its place
// and was answered: nothing else looks at it.
func (d *draft) callAboutUndoing() {
	o := d.op
	if o.State != Compensating || o.Human != nil {
		return
	}
	for i := range o.Undoing {
		if u := &o.Undoing[i]; !u.StuckSince.IsZero() {
			d.askOwner(HumanCompensation, u.EscalateTo)
			return
		}
	}
	if !slices.ContainsFunc(o.Undoing, func(u Undoing) bool { return u.underWay() }) {
		d.askPerson(HumanEffectShows)
	}
}

// askOwner puts the operation before a person whom the playbook may name.
func (d *draft) askOwner(reason, owner string) {
	asked := d.op.Human == nil
	if owner == "" || !asked {
		d.askPerson(reason)
		return
	}
	t := &d.op.Terms
	d.op.Human = &Human{Reason: reason, Owner: owner, Since: d.now, Due: after(d.now, t.HumanDue), EscalateTo: t.HumanEscalate}
	d.event(EventNeedsHuman, 0, "reason", reason, "owner", owner)
	d.notice(NoticeNeedsHuman, reason, "", owner)
}

// followStep makes the step that an operation carries out due at once, in the transaction in which its end is known or is
// known no more.
func (d *draft) followStep(from, to State) {
	u := d.op.Undoes
	if u == nil || !from.Ended() && !to.Ended() {
		return
	}
	if s, found := drafted[Step](d, StepKey(d.op.Namespace, u.StepID)); found && s.OperationID == d.op.ID {
		s.NextAt = d.now
		d.put(s)
	}
}
