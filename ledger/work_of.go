package ledger

import (
	"time"

	"github.com/opledger/opledger/registry"
)

// Queued reports whether somebody else than the proposer carries the tool's operations out: a worker, or the server.
func (t *Terms) Queued() bool {
	return t.Executor == registry.Worker || t.Executor == registry.ServerHTTP
}

// WorkOf is what somebody has to take up for an operation, a function of its state alone; false where nothing is. Where a
// question and a resend both lie ahead, the earlier one is: a resend waits by itself for the questions that come before
// it in the tool's order.
func WorkOf(o *Operation) (Work, bool) {
	if !o.Terms.Queued() {
		return Work{}, false
	}
	kind, at := o.work()
	if at.IsZero() {
		return Work{}, false
	}
	queue := Queue{Namespace: o.Namespace, Executor: o.Terms.Executor, Tool: o.Tool, Kind: kind, Provider: ProviderOf(&o.Terms)}
	return Work{Queue: queue, OperationID: o.ID, At: at, Stamp: o.Version}, true
}

// work is the kind of what is to be done, and from when; the zero time: nothing is.
func (o *Operation) work() (WorkKind, time.Time) {
	switch o.State {
	case PendingDispatch:
		if o.looksFirst() {
			return WorkLookup, o.askAt()
		}
		return WorkDispatch, o.dispatchAt(o.StateSince)
	case FailedRetryable:
		return WorkDispatch, o.dispatchAt(o.RetryAt)
	case Acknowledged:
		return WorkLookup, o.askAt()
	case UnknownOutcome:
		ask, resend := o.askAt(), o.dispatchAt(o.resendAt())
		if ask.IsZero() || !resend.IsZero() && resend.Before(ask) {
			return WorkDispatch, resend
		}
		return WorkLookup, ask
	}
	return "", time.Time{}
}

// dispatchAt is when a permit may be taken up that is due at a moment: not before its recheck, and never where a wish to
// cancel, a word that the effect exists, a lifted hold, or its workflow's end stands in the way.
func (o *Operation) dispatchAt(due time.Time) time.Time {
	if due.IsZero() || !o.heeds() || o.Lifted != nil || !o.ClosedAt.IsZero() {
		return time.Time{}
	}
	return later(due, o.CheckAt)
}

// askAt is when the next question is to be put; zero: none is.
func (o *Operation) askAt() time.Time {
	if o.Looking == nil {
		return time.Time{}
	}
	return o.Looking.NextAt
}

// looksFirst reports whether the look before the first dispatch is still to be made.
func (o *Operation) looksFirst() bool {
	return o.State == PendingDispatch && o.Terms.LookFirst && !o.Looked && o.Terms.Queued() && len(o.Attempts) == 0 && len(o.Terms.Lookups) > 0
}

// resendAt is when the request of an unknown operation may be sent once more, as far as its state tells; zero: never. The
// transaction that would grant the permit asks mayResend, which knows the clock's error too.
func (o *Operation) resendAt() time.Time {
	t := &o.Terms
	if o.State != UnknownOutcome || !t.resends() || len(o.Attempts) == 0 || len(o.Attempts) >= t.MaxAttempts {
		return time.Time{}
	}
	at := later(o.StateSince, o.CheckAt)
	if t.Class == registry.ExternalIdempotentWrite {
		at = later(at, o.RetryAt)
		if o.waitsForLookup() {
			at = later(at, o.StateSince.Add(t.LookupWait))
		}
		if at.Add(t.PermitDuration).After(o.lastSafeSend(Env{})) {
			return time.Time{}
		}
	}
	if t.MaxElapsed > 0 && !at.Before(o.Attempts[0].GrantedAt.Add(t.MaxElapsed)) {
		return time.Time{}
	}
	return at
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
