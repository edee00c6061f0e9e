package ledger

import "fmt"

// takenOnBeside looks at what the provider has taken on, by its effect id, beside what is known of the operation. One
// intent makes one effect, so that a second one which is only under way is no duplicate yet, and may soon be: that is an
// incident as soon as it is heard, in whatever order. What was sent once comes once, whatever names it has on its way.
func (d *draft) takenOnBeside(id string) {
	if id == "" || !d.op.Terms.Mutates() {
		return
	}
	for i := range d.op.Effects {
		if other := d.op.Effects[i].EffectID; other == id {
			return // it has become the effect
		}
	}
	for i := range d.op.Effects {
		d.mayBeTwice(id, d.op.Effects[i].EffectID)
	}
	for _, t := range d.op.takenOn() {
		d.mayBeTwice(id, t.effectID)
	}
}

// effectBeside looks at an effect that has become known, beside what the provider has taken on and may still finish. The
// attempt is the one whose own word it is, and what that took on is what its effect came of; zero: it is another's word.
func (d *draft) effectBeside(attempt int64, id string) {
	if id == "" || !d.op.Terms.Mutates() {
		return
	}
	for _, t := range d.op.takenOn() {
		if attempt == 0 || t.attempt != attempt {
			d.mayBeTwice(t.effectID, id)
		}
	}
}

// takenOn is an effect that the provider has taken on.
type takenOn struct {
	effectID string
	attempt  int64 // zero: it is not known whose
}

// takenOn lists, by their effect ids, what the provider has taken on for attempts that may still come to something.
func (o *Operation) takenOn() []takenOn {
	var all []takenOn
	for i := range o.Attempts {
		if a := &o.Attempts[i]; a.Acknowledged && a.Verdict == VerdictOpen && a.EffectID != "" {
			all = append(all, takenOn{a.EffectID, a.Number})
		}
	}
	for i := range o.Evidence {
		e := &o.Evidence[i]
		if e.Says != SaysInProgress || e.EffectID == "" {
			continue
		}
		mayCome := e.Counted && !o.allWithoutEffect()
		if e.Attempt > 0 {
			mayCome = o.Attempts[e.Attempt-1].Verdict == VerdictOpen
		}
		if mayCome {
			all = append(all, takenOn{e.EffectID, e.Attempt})
		}
	}
	return all
}

// mayBeTwice raises the incident of two effects of which one is only under way, once for the two.
func (d *draft) mayBeTwice(underWay, other string) {
	if underWay == other || len(d.op.Attempts) < 2 {
		return
	}
	detail := fmt.Sprintf("the provider has taken on %s beside %s", underWay, other)
	for _, i := range d.op.Incidents {
		if i.Kind == IncidentPossibleDuplicate && i.Detail == detail {
			return
		}
	}
	d.incident(IncidentPossibleDuplicate, detail)
	d.askPerson(HumanIncident)
}
