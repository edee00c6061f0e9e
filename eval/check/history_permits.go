package check

import (
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// granted: a permit is given while none is out, with the next number, to an operation that was just dispatched; never
// against somebody's word that the effect exists, a wish to cancel, an approval that is not given, or an earlier attempt
// that may have had the effect, unless the class allows the same request once more.
func (h *history) granted(i int, e *pb.OperationEvent) {
	n := e.AttemptNumber
	if n != h.last+1 {
		h.bad("event %d gives the permit of attempt %d after attempt %d", e.Sequence, n, h.last)
	}
	if h.live != 0 {
		h.bad("event %d gives the permit of attempt %d while attempt %d holds one", e.Sequence, n, h.live)
	}
	if h.state != dispatched || !h.within(i, stateChanged) {
		h.bad("event %d gives a permit while it is %s", e.Sequence, word(h.state))
	}
	h.heeds(e)
	h.approvedFor(e)
	resend := h.resends(i)
	for m := int32(1); m <= h.last; m++ {
		if a := h.attempts[m]; a != nil && !a.cleared && mutates(h.operation.ToolClass) && (!resend || neverAgain(h.operation.ToolClass)) {
			h.bad("event %d gives the permit of attempt %d while attempt %d may have had the effect", e.Sequence, n, m)
		}
	}
	h.attempts[n] = &attempt{granted: e.Time.AsTime(), deadline: deadlineIn(e)}
	h.live, h.last = n, n
}

// resends reports whether the change that event i belongs to dispatches an operation whose outcome was unknown.
func (h *history) resends(i int) bool {
	for _, e := range h.events {
		if e.OperationVersion == h.events[i].OperationVersion && e.Type == stateChanged && e.ToState == dispatched {
			return e.FromState == unknown
		}
	}
	return false
}

// heeds: from the moment that somebody says that the effect exists, or wishes it cancelled, no permit, begin or extension is
// given any more.
func (h *history) heeds(e *pb.OperationEvent) {
	switch {
	case h.presence:
		h.bad("event %d (%s) comes after somebody has said that the effect exists", e.Sequence, kind(e))
	case h.cancelled:
		h.bad("event %d (%s) comes after the wish to cancel", e.Sequence, kind(e))
	}
}

// used: a permit is begun, extended or handed out again while it is out and its deadline has not passed; it is begun once.
func (h *history) used(e *pb.OperationEvent) {
	a := h.attempt(e)
	h.heeds(e)
	switch {
	case e.AttemptNumber != h.live:
		h.bad("event %d (%s) is about attempt %d, whose permit is not out", e.Sequence, kind(e), e.AttemptNumber)
	case !a.deadline.IsZero() && !e.Time.AsTime().Before(a.deadline):
		h.bad("event %d (%s) comes at the deadline of attempt %d or after it", e.Sequence, kind(e), e.AttemptNumber)
	case e.Type == attemptBegun && a.begun:
		h.bad("event %d begins attempt %d a second time", e.Sequence, e.AttemptNumber)
	case e.Type == permitExtended && deadlineIn(e).Before(a.deadline):
		h.bad("event %d shortens the permit of attempt %d", e.Sequence, e.AttemptNumber)
	}
	switch e.Type {
	case attemptBegun:
		a.begun = true
	case permitExtended:
		a.deadline = deadlineIn(e)
	}
}

// timedOut: a permit ends by itself at its deadline and not before.
func (h *history) timedOut(e *pb.OperationEvent) {
	a := h.attempt(e)
	switch {
	case e.AttemptNumber != h.live:
		h.bad("event %d ends the permit of attempt %d, which is not out", e.Sequence, e.AttemptNumber)
	case e.Time.AsTime().Before(a.deadline):
		h.bad("event %d ends the permit of attempt %d before its deadline", e.Sequence, e.AttemptNumber)
	}
}

// said: an attempt reports when it has been given. That it succeeded is a word that the effect exists; it is the attempt's
// own, and the effect known by it, unless it was kept as a statement of somebody else's.
func (h *history) said(i int, e *pb.OperationEvent) {
	a := h.attempt(e)
	a.reported = true
	a.returned = a.returned || e.Detail["sender_returned"] == "true"
	if e.Detail["outcome"] == "succeeded" {
		h.presence, a.cleared = true, false
		h.effect = h.effect || !h.within(i, evidenceKept)
	}
}

// clear: an attempt counts as without effect by its own word, or when it can do nothing any more: its sender has returned,
// its deadline has passed, or it never began and its permit was taken back.
func (h *history) clear(i int, e *pb.OperationEvent) {
	a := h.attempt(e)
	past := !a.deadline.IsZero() && !e.Time.AsTime().Before(a.deadline)
	taken := !a.begun && h.within(i, holdLifted)
	if mutates(h.operation.ToolClass) && !past && !a.returned && !taken {
		h.bad("event %d says that attempt %d had no effect, and it could still have sent", e.Sequence, e.AttemptNumber)
	}
	if h.operation.ToolClass == pb.ToolClass_TOOL_CLASS_IRREVERSIBLE && a.begun && !a.reported && h.heardOnly(i, "lookup") {
		h.bad("event %d says by a lookup that attempt %d had no effect; of a silent irreversible attempt only a person does", e.Sequence, e.AttemptNumber)
	}
	a.cleared = true
}

// heardOnly reports whether the change that event i belongs to keeps statements of one source and no other.
func (h *history) heardOnly(i int, source string) bool {
	only := false
	for _, e := range h.events {
		if e.OperationVersion != h.events[i].OperationVersion || e.Type != evidenceKept {
			continue
		}
		if e.Detail["source"] != source {
			return false
		}
		only = true
	}
	return only
}

// openness is where an approval stands.
type openness struct {
	given   bool
	attempt int32 // that it was used for; zero: none
}

// approved follows approvals: asked for, given, used for an attempt, given back, ended without.
func (h *history) approved(e *pb.OperationEvent) {
	if h.approvals == nil {
		h.approvals = map[string]openness{}
	}
	id := e.Detail["approval_id"]
	switch a := h.approvals[id]; e.Detail["change"] {
	case "requested":
		h.approvals[id] = openness{}
	case "granted":
		h.approvals[id] = openness{given: true}
	case "used":
		if a.attempt = e.AttemptNumber; e.Detail["state"] == "given_back" {
			a.attempt = 0
		}
		h.approvals[id] = a
	case "ended":
		h.approvals[id] = openness{} // it waits for another one
	}
}

// approvedFor: where persons were asked, a permit is given on an approval that they gave, and that no other attempt used.
func (h *history) approvedFor(e *pb.OperationEvent) {
	if len(h.approvals) == 0 {
		return
	}
	for _, a := range h.approvals {
		if a.given && a.attempt == e.AttemptNumber {
			return
		}
	}
	h.bad("event %d gives the permit of attempt %d, and no approval of it was given", e.Sequence, e.AttemptNumber)
}

// attempt is the attempt that an event is about.
func (h *history) attempt(e *pb.OperationEvent) *attempt {
	a := h.attempts[e.AttemptNumber]
	if a == nil {
		h.bad("event %d (%s) is about attempt %d, which was never given", e.Sequence, kind(e), e.AttemptNumber)
		a = &attempt{}
		h.attempts[e.AttemptNumber] = a
	}
	return a
}

// deadlineIn is the deadline that an event states; the zero time where it states none.
func deadlineIn(e *pb.OperationEvent) time.Time {
	t, err := time.Parse(time.RFC3339Nano, e.Detail["deadline"])
	if err != nil {
		return time.Time{}
	}
	return t
}
