package check

import (
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// The types of events, by short names.
const (
	created        = pb.OperationEventType_OPERATION_EVENT_TYPE_CREATED
	permitGranted  = pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_GRANTED
	handedAgain    = pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_HANDED_AGAIN
	attemptBegun   = pb.OperationEventType_OPERATION_EVENT_TYPE_ATTEMPT_BEGUN
	permitExtended = pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_EXTENDED
	permitEnded    = pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_ENDED
	reported       = pb.OperationEventType_OPERATION_EVENT_TYPE_ATTEMPT_REPORTED
	evidenceKept   = pb.OperationEventType_OPERATION_EVENT_TYPE_EVIDENCE_KEPT
	cleared        = pb.OperationEventType_OPERATION_EVENT_TYPE_ATTEMPT_CLEARED
	reopened       = pb.OperationEventType_OPERATION_EVENT_TYPE_ATTEMPT_REOPENED
	stateChanged   = pb.OperationEventType_OPERATION_EVENT_TYPE_STATE_CHANGED
	incident       = pb.OperationEventType_OPERATION_EVENT_TYPE_INCIDENT
	needsHuman     = pb.OperationEventType_OPERATION_EVENT_TYPE_NEEDS_HUMAN
	cancelWished   = pb.OperationEventType_OPERATION_EVENT_TYPE_CANCEL_WISHED
	attributed     = pb.OperationEventType_OPERATION_EVENT_TYPE_EFFECT_ATTRIBUTED
	approval       = pb.OperationEventType_OPERATION_EVENT_TYPE_APPROVAL_CHANGED
	holdLifted     = pb.OperationEventType_OPERATION_EVENT_TYPE_HOLD_LIFTED
)

// History holds the events of every operation against the state table and the rules of attempts, and what is stored of the
// operation against its events.
func History(r eval.Record) []eval.Finding {
	if !judged(&r) {
		return nil
	}
	f := &findings{checker: checkerHistory, record: &r}
	for _, o := range r.Operations {
		if _, given := r.Events[o.OperationId]; !given && r.Events == nil {
			continue // the record holds no histories at all
		}
		h := &history{findings: f, operation: o, events: r.Events[o.OperationId], attempts: map[int32]*attempt{}}
		h.order()
		h.replay()
		h.stored()
	}
	return f.found
}

// history is one operation's events as they are replayed.
type history struct {
	*findings
	operation *pb.Operation
	events    []*pb.OperationEvent

	state     state
	since     time.Time // when the state was entered
	live      int32     // the attempt whose permit is out; zero: none
	attempts  map[int32]*attempt
	last      int32               // the newest attempt
	presence  bool                // somebody has said that the effect exists
	effect    bool                // an effect is known
	cancelled bool                // somebody wished it cancelled
	approvals map[string]openness // by approval id
	incidents int
	asked     bool // a person was needed at some time
}

// attempt is one attempt as its events tell.
type attempt struct {
	granted, deadline time.Time
	begun             bool
	returned          bool // it reported, and its sender had returned
	reported          bool
	cleared           bool
	ended             bool
}

func (h *history) bad(format string, args ...any) {
	h.add(pressed(h.record), "operation %s: "+format, append([]any{h.operation.OperationId}, args...)...)
}

// order: events are numbered from 1 without a gap, versions grow by one at a time, times do not go back, and the first event
// is the only creation.
func (h *history) order() {
	if len(h.events) == 0 {
		h.bad("it has no events")
		return
	}
	for i, e := range h.events {
		if e.Sequence != int64(i)+1 {
			h.bad("event %d has the sequence %d", i+1, e.Sequence)
		}
		if e.OperationId != h.operation.OperationId {
			h.bad("event %d is of operation %s", e.Sequence, e.OperationId)
		}
		if (e.Type == created) != (i == 0) {
			h.bad("event %d is %s: the first event is the creation, and no other", e.Sequence, kind(e))
		}
		if i == 0 {
			// A read that nobody has reported is not saved yet, and then has no version.
			if unsaved := h.operation.Version == 0 && !mutates(h.operation.ToolClass); e.OperationVersion != 1 && !(unsaved && e.OperationVersion == 0) {
				h.bad("it begins with version %d", e.OperationVersion)
			}
			continue
		}
		before := h.events[i-1]
		if d := e.OperationVersion - before.OperationVersion; d < 0 || d > 1 {
			h.bad("version %d follows %d at event %d", e.OperationVersion, before.OperationVersion, e.Sequence)
		}
		if e.Time.AsTime().Before(before.Time.AsTime()) {
			h.bad("event %d is earlier than the one before it", e.Sequence)
		}
		if mutates(h.operation.ToolClass) && e.OperationVersion == before.OperationVersion && !e.Time.AsTime().Equal(before.Time.AsTime()) {
			h.bad("version %d was made at two times", e.OperationVersion)
		}
	}
}

// replay follows the events one by one.
func (h *history) replay() {
	for i, e := range h.events {
		switch e.Type {
		case stateChanged:
			h.moved(i, e)
		case permitGranted:
			h.granted(i, e)
		case handedAgain, attemptBegun, permitExtended:
			h.used(e)
		case permitEnded:
			h.timedOut(e)
		case reported:
			h.said(i, e)
		case evidenceKept:
			h.heard(i, e)
		case cleared:
			h.clear(i, e)
		case reopened:
			h.attempt(e).cleared = false
		case attributed:
			h.effect, h.presence = true, true
		case cancelWished:
			h.cancelled = true
		case approval:
			h.approved(e)
		case incident:
			h.incidents++
			h.presence = h.presence || saysPresent(e)
		case needsHuman:
			h.asked = true
		}
	}
}

// moved: each change of state starts from the state that is, is in the table, and where the table has it as a contradiction
// an incident says so in the same change.
func (h *history) moved(i int, e *pb.OperationEvent) {
	if e.FromState != h.state {
		h.bad("event %d leaves %s, and it was %s", e.Sequence, word(e.FromState), word(h.state))
	}
	legal, contradicts := step(e.FromState, e.ToState)
	switch {
	case !legal:
		h.bad("event %d goes from %s to %s, which the state table does not have", e.Sequence, word(e.FromState), word(e.ToState))
	case contradicts && mutates(h.operation.ToolClass) && !h.within(i, incident):
		h.bad("event %d contradicts %s by %s, and no incident was raised", e.Sequence, word(e.FromState), word(e.ToState))
	}
	if e.FromState == dispatched {
		h.ends(i, e)
	}
	if e.ToState == dispatched && !h.within(i, permitGranted) {
		h.bad("event %d dispatches it without a permit", e.Sequence)
	}
	h.knows(e)
	h.state, h.since = e.ToState, e.Time.AsTime()
}

// ends: a permit that was out ends with the state, and by something: its deadline, a report, a statement, or a person.
func (h *history) ends(i int, e *pb.OperationEvent) {
	if h.live == 0 {
		h.bad("event %d ends a permit, and none was out", e.Sequence)
		return
	}
	if !h.within(i, permitEnded, reported, evidenceKept, holdLifted) {
		h.bad("event %d ends the permit of attempt %d for no reason", e.Sequence, h.live)
	}
	h.attempts[h.live].ended = true
	h.live = 0
}

// knows: what a state says is known is known by then. "It did not happen" needs every attempt to be known as without effect,
// and nobody who says otherwise; "it happened" needs somebody who says so.
func (h *history) knows(e *pb.OperationEvent) {
	switch to := e.ToState; {
	case to == retryable || to == permanent || to == noop:
		if h.presence {
			h.bad("event %d makes it %s although somebody has said that the effect exists", e.Sequence, word(to))
		}
		for n := int32(1); n <= h.last; n++ {
			if a := h.attempts[n]; a != nil && !a.cleared {
				h.bad("event %d makes it %s while attempt %d may have had the effect", e.Sequence, word(to), n)
			}
		}
	case to == success && e.FromState != compensating && !h.presence:
		h.bad("event %d makes it %s, and nobody has said that the effect exists", e.Sequence, word(to))
	case (to == unknown || to == acknowledged) && h.effect:
		h.bad("event %d makes it %s although its effect is known", e.Sequence, word(to))
	}
}

// within reports whether an event of one of the types belongs to the same change as event i.
func (h *history) within(i int, types ...pb.OperationEventType) bool {
	for _, e := range h.events {
		if e.OperationVersion != h.events[i].OperationVersion {
			continue
		}
		for _, t := range types {
			if e.Type == t {
				return true
			}
		}
	}
	return false
}

// kind is an event's type as the ledger writes it.
func kind(e *pb.OperationEvent) string { return lower(e.Type.String(), "OPERATION_EVENT_TYPE_") }
