package ledger

// HumanLook: the look before the first dispatch got no answer, and the tool's class leaves it to a person to go on.
const HumanLook = "look_unanswered"

// lookedFirst takes an answer to the look before the first dispatch, and reports whether it was one. "Not found" lets the
// dispatch go on. What is found and is not the operation's own makes it unneeded: it is so already, by somebody else, and
// no effect is claimed. What carries the operation's own reference is its effect, as at any other time.
func (d *draft) lookedFirst(e *Evidence, s *Statement) bool {
	o := d.op
	ticket, ticketed := ParseTicket(s.Ticket)
	switch {
	case !o.looksFirst() || e.Attributed:
		return false
	case s.Source == SourcePerson && s.Says == SaysNot:
		d.looked("a person says that it does not stand yet")
	case s.Source != SourceLookup || !ticketed, s.Says == SaysNot && o.Terms.way(s.By) == nil:
		return false
	case s.Says == SaysNot:
		e.AskedAt = ticket.IssuedAt
		if have, need := d.emptyAnswers(e); have < need {
			e.Became, e.Why = BecameWaiting, fewAnswers(have, need)
			return true
		}
		d.looked("nothing was found")
	case s.Says == SaysHappened:
		o.Result = &Result{
			JSON: s.ResultJSON, Provider: o.Terms.Provider, Account: first(s.Account, o.Terms.Account), ProviderRequestID: s.ProviderRequestID,
			ProviderObjectID: first(s.ObjectID, s.EffectID), RawStatusCode: s.RawStatus, Grade: e.Grade,
		}
		d.event(EventLooked, 0, "because", "it is so already", "object_id", o.Result.ProviderObjectID)
		d.move(CompletedNoop, "because", "a look before the first dispatch found it so already")
	default:
		return false
	}
	e.Counted, e.Why = true, "the answer to the look before the first dispatch"
	return true
}

// looked ends the look: the operation is dispatched as any other.
func (d *draft) looked(because string) {
	d.op.Looked = true
	if h := d.op.Human; h != nil && h.Reason == HumanLook {
		d.op.Human = nil
	}
	d.event(EventLooked, 0, "because", because)
}

// lookUnanswered decides about a look that got no answer to as many questions as are put, and reports whether it is over.
// Nothing was sent for the operation yet, so that whatever is decided doubles nothing of its own; what the look is for is
// that somebody else may have done it. Where the provider or one's own database tells a repeated request by its key the
// dispatch goes on; where it does not, a person is asked, and questions go on slowly.
func (d *draft) lookUnanswered() bool {
	o := d.op
	if !o.looksFirst() || o.Looking.Late < o.enoughQuestions() {
		return false
	}
	if o.Terms.ResendsUnderKey() || !o.Terms.Mutates() {
		d.looked("the provider gave no answer")
		return true
	}
	if o.Human == nil {
		d.askPerson(HumanLook)
	}
	return false
}
