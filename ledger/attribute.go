package ledger

import "fmt"

// attribute gives the operation a provider's object, which belongs to at most one operation. It answers false where the
// object is another's. Two objects of one operation are a detected duplicate.
func (d *draft) attribute(attempt int64, effectID string) bool {
	o := d.op
	if effectID == "" || !o.Terms.Mutates() {
		return true // what a read returns is nobody's effect
	}
	provider := o.provider()
	id := ClaimID{Namespace: o.Namespace, Kind: ClaimEffect, Value: EffectValue(provider, o.Terms.Account, effectID)}
	if held, ok := d.view.ClaimIfKnown(id); ok && held.OperationID != o.ID {
		d.incident(IncidentEffectElsewhere, fmt.Sprintf("%s is the effect of operation %s", effectID, held.OperationID))
		d.saidToExist("an effect is claimed that belongs to another operation")
		d.askPerson(HumanUnmatched)
		return false
	}
	for i := range o.Effects {
		if o.Effects[i].EffectID == effectID {
			return true
		}
	}
	if len(o.Effects) > 0 {
		d.duplicate(fmt.Sprintf("%s beside %s", effectID, o.Effects[0].EffectID))
	}
	o.Effects = append(o.Effects, Effect{Provider: provider, Account: o.Terms.Account, EffectID: effectID, Attempt: attempt, SeenAt: d.now})
	d.claims = append(d.claims, Claim{ClaimID: id, OperationID: o.ID})
	d.event(EventEffectAttributed, attempt, "effect_id", effectID, "provider", provider)
	return true
}

// provider is whose effect ids the operation's are. A tool that names no provider numbers its own, so that two such
// tools never meet on a row number.
func (o *Operation) provider() string {
	if o.Terms.Provider == "" {
		return "tool/" + o.Tool
	}
	return o.Terms.Provider
}

// detectTwice looks at an attempt that claims success beside another that does: one effect told twice names one object,
// or the provider's word that it replayed.
func (d *draft) detectTwice(a *Attempt, r *Report) {
	if !d.op.Terms.Mutates() {
		return
	}
	for i := range d.op.Attempts {
		other := &d.op.Attempts[i]
		if other.Number == a.Number || other.Verdict != VerdictEffect {
			continue
		}
		oneObject := r.EffectID != "" && r.EffectID == other.EffectID
		twoObjects := r.EffectID != "" && other.EffectID != "" && r.EffectID != other.EffectID
		if twoObjects || oneObject || r.Replayed || other.ProviderReplay {
			continue // two objects were found by attribute
		}
		d.duplicate(fmt.Sprintf("attempts %d and %d both say that they made the effect", other.Number, a.Number))
	}
}

// duplicate raises a detected duplicate.
func (d *draft) duplicate(detail string) {
	d.incident(IncidentDuplicate, detail)
	d.askPerson(HumanDuplicate)
}

// saidToExist heeds a statement that the effect exists and that is not the operation's own for certain: from now on no
// permit, begin, extension or revision is given.
func (d *draft) saidToExist(why string) {
	if !d.op.PresenceSaid {
		d.op.PresenceSaid = true
		d.incident(IncidentPresenceUnmatched, why)
	}
}
