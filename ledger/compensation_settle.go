package ledger

import "slices"

// settleUndoing brings the original's state in line with what came of its compensations. It is compensated only when
// every known effect is known to be undone; where the others rightly stand, it is a success with these.
func (d *draft) settleUndoing() {
	o := d.op
	underWay := slices.ContainsFunc(o.Undoing, func(u Undoing) bool { return u.underWay() })
	stands := o.StandingEffects()
	rightly := !slices.ContainsFunc(stands, func(id string) bool { return !o.leaves(id) })
	want := Compensating
	switch {
	case underWay:
	case len(stands) == 0:
		want = Compensated
	case rightly:
		want = CompletedSuccess
	}
	if o.State == CompletedSuccess && want == Compensated {
		d.move(Compensating, "because", "it is undone after all")
	}
	if o.State == Compensated && want == CompletedSuccess {
		d.move(Compensating, "because", "it is not undone after all")
	}
	if want != o.State {
		d.move(want)
	}
	if h := o.Human; h != nil && h.Reason == HumanDuplicate && want != Compensating && len(stands) <= 1 {
		o.Human = nil // the duplicate is undone
	}
}

// leaves reports whether an effect stands because nobody asked to undo it, or because it was decided not to.
func (o *Operation) leaves(effectID string) bool {
	if u := o.undoing(effectID); u != nil {
		return !u.LeftAt.IsZero()
	}
	return slices.ContainsFunc(o.Undoing, func(u Undoing) bool { return slices.Contains(u.Leaves, effectID) })
}

// effectShows heeds an effect that is learned of while the others are undone, or are being undone.
func (d *draft) effectShows(because string) {
	if d.op.State != Compensated {
		return
	}
	if slices.ContainsFunc(d.op.StandingEffects(), func(id string) bool { return !d.op.leaves(id) }) {
		d.move(Compensating, "because", because)
		d.askPerson(HumanEffectShows)
	}
}
