package ledger

import (
	"slices"
	"time"

	"github.com/opledger/opledger/policy"
)

// history is a row of history as this draft has it by now.
func (d *draft) history(id string) *History {
	h, _ := drafted[History](d, HistoryKey(d.op.Namespace, id))
	return h
}

// chargeTo changes one of the operation's histories.
func (d *draft) chargeTo(c policy.Charge, f func(policy.History) policy.History) {
	h := d.history(c.History)
	h.History = f(h.History)
	d.put(h)
}

// followHistories keeps the histories in step. From release until its end an operation counts in every window that
// contains now; ended with effect, at its last permit's time; ended known without effect, no more. One that waits for
// approval is named in windows and held in no limit.
func (d *draft) followHistories(from, to State) {
	o := d.op
	happened := to == CompletedSuccess
	for _, c := range o.Charges {
		switch {
		case to == Planned && c.Kind != policy.ChargeCounter:
			d.chargeTo(c, func(h policy.History) policy.History { return h.Hold(c, o.root(), string(o.ID), d.now, true) })
		case to.Released() && !from.Released():
			d.chargeTo(c, func(h policy.History) policy.History { return h.Hold(c, o.root(), string(o.ID), d.now, false) })
		case happened && from != Compensating:
			d.chargeTo(c, func(h policy.History) policy.History {
				return h.Settle(c, o.root(), string(o.ID), o.lastPermitAt(d.now), d.now)
			})
		case !to.Released() && (from.Released() || from == Planned && c.Kind != policy.ChargeCounter):
			d.chargeTo(c, func(h policy.History) policy.History { return h.Drop(string(o.ID)) })
		}
	}
}

// lastPermitAt is when the operation's last permit was given: the time at which what happened counts.
func (o *Operation) lastPermitAt(now time.Time) time.Time {
	if n := len(o.Attempts); n > 0 {
		return o.Attempts[n-1].GrantedAt
	}
	return now
}

// takeCharges takes up what the rules charge the operation by, as they are bound to it.
func (d *draft) takeCharges(q asking) {
	if c, err := d.bind(q); err == nil {
		d.charge(c)
	}
}

// charge takes up what the rules charge the operation by. An operation that is released already is held at once in what
// has come to count since.
func (d *draft) charge(c *policy.Case) {
	o := d.op
	for _, ch := range c.Charges() {
		if slices.ContainsFunc(o.Charges, func(have policy.Charge) bool { return have.History == ch.History }) {
			continue
		}
		o.Charges = append(o.Charges, ch)
		if o.State.Released() {
			d.chargeTo(ch, func(h policy.History) policy.History { return h.Hold(ch, o.root(), string(o.ID), d.now, false) })
		}
	}
}

// setEntityState gives the entity the state that the tool states for a success. What cannot be worked out of the result
// leaves the state as it was, and says so.
func (d *draft) setEntityState() {
	o := d.op
	if o.Terms.SetsEntityState == "" || o.Entity.IsZero() {
		return
	}
	var result []byte
	if o.Result != nil {
		result = o.Result.JSON
	}
	state, err := policy.ExpandState(o.Terms.SetsEntityState, o.facts(asking{actor: Actor{Principal: o.Proposer, Person: o.Person}, workflowID: o.WorkflowID, runID: o.RunID}), result)
	if err != nil {
		d.event(EventEntityState, 0, "entity", o.Entity.String(), "unchanged_because", err.Error())
		return
	}
	e, _ := drafted[Entity](d, EntityKey(o.Namespace, o.Entity))
	e.State, e.OperationID, e.Principal, e.Reason, e.UpdatedAt = state, string(o.ID), "", "", d.now
	d.put(e)
	d.event(EventEntityState, 0, "entity", o.Entity.String(), "state", state)
}
