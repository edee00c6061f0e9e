package ledger

import "time"

// DueOf is an operation's next occasion, a function of its state alone: the earliest moment at which something about it
// changes by the passing of time. The second result is false where time changes nothing.
func DueOf(o *Operation) (Due, bool) {
	var at time.Time
	var kind DueKind
	consider := func(t time.Time, k DueKind) {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at, kind = t, k
		}
	}
	switch o.State {
	case PendingDispatch:
		consider(after(o.StateSince, o.Terms.PendingMaxAge), DueExpiry)
	case Dispatched:
		consider(o.LiveAttempt().Deadline, DuePermitEnds)
	case Acknowledged:
		consider(o.FinishBy, DueAcknowledgement)
		if o.Human == nil {
			consider(o.humanAt(), DueHuman)
		}
	case FailedRetryable:
		consider(retryEnds(o), DueExpiry)
	case UnknownOutcome:
		if o.Human == nil {
			consider(o.humanAt(), DueHuman)
		}
	}
	for _, a := range o.Approvals {
		consider(a.Due, DueApproval)
	}
	if o.Human == nil && !o.BlockingSince.IsZero() {
		consider(after(o.BlockingSince, o.Terms.BlockedAfter), DueHuman)
	}
	if o.Human != nil && !o.Human.Escalated {
		consider(o.Human.Due, DueEscalation)
	}
	if at.IsZero() {
		return Due{}, false
	}
	return Due{Namespace: o.Namespace, OperationID: o.ID, At: at, Kind: kind, Stamp: o.Version}, true
}

// humanAt is when a person is asked about an outcome that is not known: when everything else has been tried, and not later
// than the tool's own time. For what a provider took on that time counts from when it was to be finished at first: one
// that answers "in progress" for ever would put it off for ever. Zero: nobody is to be asked.
func (o *Operation) humanAt() time.Time {
	var overdue time.Time
	if !o.ExpectedBy.IsZero() && o.Terms.Mutates() {
		overdue = o.ExpectedBy.Add(o.Terms.HumanAfter)
	}
	if o.State != UnknownOutcome {
		return overdue
	}
	at := o.StateSince.Add(o.Terms.HumanAfter)
	if !overdue.IsZero() && overdue.Before(at) {
		at = overdue
	}
	if exhausted := o.exhaustedAt(); !exhausted.IsZero() && exhausted.Before(at) {
		return exhausted
	}
	return at
}

// retryEnds is when a retryable failure stops waiting for its next proposal: its age, or the total time of its retries,
// whichever is first.
func retryEnds(o *Operation) time.Time {
	end := after(o.StateSince, o.Terms.RetryMaxAge)
	if o.Terms.MaxElapsed > 0 && len(o.Attempts) > 0 {
		if total := o.Attempts[0].GrantedAt.Add(o.Terms.MaxElapsed); end.IsZero() || total.Before(end) {
			end = total
		}
	}
	return end
}

// after is t+d, or never where d is zero.
func after(t time.Time, d time.Duration) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return t.Add(d)
}
