package check

import pb "github.com/opledger/opledger/gen/go/opledger/v1"

// stored holds what the operation says of itself against its events: state, version, times, attempts, effects, incidents,
// and that a permit is out exactly while it is dispatched.
func (h *history) stored() {
	if len(h.events) == 0 {
		return
	}
	o, first, newest := h.operation, h.events[0], h.events[len(h.events)-1]
	if o.State != h.state {
		h.bad("it is stored as %s, and its events make it %s", word(o.State), word(h.state))
	}
	if o.Version != newest.OperationVersion {
		h.bad("it is stored with version %d, and its newest event has %d", o.Version, newest.OperationVersion)
	}
	if !o.CreateTime.AsTime().Equal(first.Time.AsTime()) {
		h.bad("it is stored as made at %s, and its creation was at %s", o.CreateTime.AsTime(), first.Time.AsTime())
	}
	if !o.UpdateTime.AsTime().Equal(newest.Time.AsTime()) {
		h.bad("it is stored as changed at %s, and its newest event was at %s", o.UpdateTime.AsTime(), newest.Time.AsTime())
	}
	if !o.StateTime.AsTime().Equal(h.since) {
		h.bad("it is stored as %s since %s, and its events say since %s", word(o.State), o.StateTime.AsTime(), h.since)
	}
	if ended(o.State) != (o.EndTime != nil) {
		h.bad("it is %s, and that it has an end is %t", word(o.State), o.EndTime != nil)
	}
	if (h.incidents > 0) != (len(o.Incidents) > 0) {
		h.bad("its events tell of %d incidents, and %d are stored", h.incidents, len(o.Incidents))
	}
	if o.NeedsHuman != nil && !h.asked {
		h.bad("it waits for a person, and no event says so")
	}
	if h.effect && mutates(o.ToolClass) && saysNot(o.State) {
		h.bad("it is stored as %s, and its effect is known", word(o.State))
	}
	h.storedAttempts()
}

func (h *history) storedAttempts() {
	o := h.operation
	if len(o.Attempts) != int(h.last) {
		h.bad("%d attempts are stored, and %d permits were given", len(o.Attempts), h.last)
	}
	live := 0
	for i, a := range o.Attempts {
		told := h.attempts[a.AttemptNumber]
		if a.AttemptNumber != int32(i)+1 || told == nil {
			h.bad("attempt %d is stored with the number %d", i+1, a.AttemptNumber)
			continue
		}
		if a.Live {
			live++
		}
		if a.Live != (a.AttemptNumber == h.live) {
			h.bad("that attempt %d holds the permit is stored as %t, and its events say %t", a.AttemptNumber, a.Live, a.AttemptNumber == h.live)
		}
		if (a.BeginTime != nil) != told.begun {
			h.bad("that attempt %d began is stored as %t, and its events say %t", a.AttemptNumber, a.BeginTime != nil, told.begun)
		}
		if !a.Live && a.EndTime == nil {
			h.bad("attempt %d holds no permit, and its permit has no end", a.AttemptNumber)
		}
		if none := a.Verdict == pb.AttemptVerdict_ATTEMPT_VERDICT_NONE; none != told.cleared {
			h.bad("that attempt %d had no effect is stored as %t, and its events say %t", a.AttemptNumber, none, told.cleared)
		}
		if !a.GrantTime.AsTime().Equal(told.granted) {
			h.bad("the permit of attempt %d is stored as given at %s, and its events say %s", a.AttemptNumber, a.GrantTime.AsTime(), told.granted)
		}
	}
	if (o.State == dispatched) != (live == 1) || live > 1 {
		h.bad("it is %s, and %d permits are out", word(o.State), live)
	}
}
