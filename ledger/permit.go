package ledger

import (
	"strconv"
	"time"

	"github.com/opledger/opledger/registry"
)

// try is what a command brings for an attempt that it may earn: identifiers fixed before its first try.
type try struct {
	attempt AttemptID
	asking  asking
}

// heeds reports whether the operation may be acted on at all: nobody has said that its effect exists, and nobody has
// wished it cancelled.
func (o *Operation) heeds() bool { return !o.PresenceSaid && !o.effectKnown() && o.Cancel == nil }

// relativeWithEffect finds another revision of one of the operation's keys whose effect is said to exist and was not
// undone: from that moment no permit, begin or extension is given to any revision of the key.
func (d *draft) relativeWithEffect() *Operation {
	if !d.op.hasRelatives() {
		return nil
	}
	for _, k := range d.op.Keys {
		for _, c := range d.view.Claims(k.claimID(d.op.Namespace)) {
			if o := d.view.Operation(d.op.Namespace, c.OperationID); o != nil && o.ID != d.op.ID && o.effectStands() {
				return o
			}
		}
	}
	return nil
}

// hasRelatives reports whether the operation is one revision of several.
func (o *Operation) hasRelatives() bool { return o.Supersedes != "" || o.SupersededBy != "" }

// effectStands reports whether an effect of the operation is known or said to exist, and is not undone.
func (o *Operation) effectStands() bool {
	return o.State != Compensated && (o.PresenceSaid || o.effectKnown())
}

func (k KeyNumber) claimID(ns Namespace) ClaimID {
	return ClaimID{Namespace: ns, Kind: ClaimKey, Value: string(k.Key), Number: k.Number}
}

// grant gives the permit of a new attempt. The caller has made sure that it may be given.
func (d *draft) grant(t try) {
	o, who := d.op, t.asking.carrier()
	a := Attempt{
		ID: t.attempt, Number: int64(len(o.Attempts)) + 1, Principal: who.Principal, RunID: t.asking.runID,
		WorkflowID: t.asking.workflowID, Person: who.Person, Teams: who.Teams, Local: who.Local, WorkerID: t.asking.workerID,
		GrantedAt: d.now, Deadline: d.now.Add(o.Terms.PermitDuration), GreatestEnd: d.now.Add(o.Terms.PermitGreatest),
		Resend: o.State == UnknownOutcome, Verdict: VerdictOpen,
	}
	if o.VendorKey != "" {
		if o.VendorKeySince.IsZero() {
			o.VendorKeySince = d.now
		}
		if last := o.lastSafeSend(d.env); a.Resend && o.Terms.Class == registry.ExternalIdempotentWrite && last.Before(a.GreatestEnd) {
			a.GreatestEnd = last
		}
	}
	d.fence(&a, t.asking)
	d.takeRoom(&a)
	o.Attempts = append(o.Attempts, a)
	o.Live, o.RetryAt, o.ResendCleared = a.Number, time.Time{}, false
	resend := ""
	if a.Resend {
		resend = "true"
	}
	d.move(Dispatched, "attempt", strconv.FormatInt(a.Number, 10))
	if o.Terms.BeginRequired {
		d.spend(a.Number, ApprovalReserved)
	} else {
		d.spend(a.Number, ApprovalSpent)
	}
	d.event(EventGranted, a.Number, "attempt_id", string(a.ID), "deadline", a.Deadline.Format(time.RFC3339Nano), "resend", resend)
}

// lastSafeSend is the latest deadline that a permit under the vendor key may have, so that the whole resend lies inside
// the provider's memory: the permit itself, a process that wakes late, the flight, and the time to finish where keys are
// only matched when the first request has ended.
func (o *Operation) lastSafeSend(env Env) time.Time {
	t := &o.Terms
	rest := t.StallAllowance + t.Flight + env.ClockError
	if !t.MatchedEarly {
		rest += t.TimeToFinish
	}
	return o.VendorKeySince.Add(t.Retention - rest)
}

// resend answers whether the request of an unknown operation may be sent once more, and if not yet, when.
type resend struct {
	allowed bool
	wait    time.Duration // with allowed false: zero means never
	because string
}

func (d *draft) mayResend() resend {
	o, t := d.op, &d.op.Terms
	switch {
	case o.State != UnknownOutcome || o.Live != 0 || !o.heeds():
		return resend{because: "no resend while the outcome is not open"}
	case !o.ClosedAt.IsZero():
		return resend{because: "no resend: " + becauseWorkflowEnded}
	case !t.resends():
		return resend{because: "the tool's class or provider allows no resend"}
	case len(o.Attempts) >= t.MaxAttempts || o.elapsed(d.now):
		return resend{because: "the tool's attempts are used up"}
	}
	if t.Class == registry.ExternalIdempotentWrite {
		if d.now.Add(t.PermitDuration).After(o.lastSafeSend(d.env)) {
			return resend{because: "the provider may have forgotten the key before a resend would be done"}
		}
		if wait := o.lookupWait(d.now); wait > 0 {
			return resend{wait: wait, because: "a lookup comes first"}
		}
	}
	if wait := o.resendBackoff(d.now); wait > 0 {
		return resend{wait: wait, because: "the resend waits for its backoff"}
	}
	return resend{allowed: true}
}

// lookupWait is how long an allowed resend still waits for what comes before it: not where a lookup has answered, or
// where nobody handed anything in within the tool's lookup wait.
func (o *Operation) lookupWait(now time.Time) time.Duration {
	if !o.waitsForLookup() {
		return 0
	}
	return max(0, o.StateSince.Add(o.Terms.LookupWait).Sub(now))
}

// resendBackoff keeps resends apart.
func (o *Operation) resendBackoff(now time.Time) time.Duration {
	if o.Terms.Class == registry.InternalDeterministicWrite || o.RetryAt.IsZero() {
		return 0
	}
	return max(0, o.RetryAt.Sub(now))
}

// mayHandAgain reports whether the live permit may go out once more to the same request: only where that is safe whoever
// asks, since a durable caller replays its request id in a new process while the old one may have sent.
func (d *draft) mayHandAgain() bool {
	o, a := d.op, d.op.LiveAttempt()
	if a == nil || !o.heeds() || !d.now.Before(a.Deadline) {
		return false
	}
	switch {
	case o.Terms.BeginRequired:
		return !a.Begun()
	case o.Terms.Class == registry.ExternalIdempotentWrite:
		// Two processes under one key are a resend: however often it is extended, it has to lie inside the provider's memory.
		return o.Terms.VendorKeyed && !a.GreatestEnd.After(o.lastSafeSend(d.env))
	}
	return !o.Terms.Mutates() || o.Terms.ResendsUnderKey()
}

// permit describes the live attempt to the one who may act under it.
func (d *draft) permit() *Permit {
	o, a := d.op, d.op.LiveAttempt()
	return &Permit{
		Attempt: *a, Remaining: a.Deadline.Sub(d.now), GreatestAge: a.GreatestEnd.Sub(d.now),
		VendorKey: o.VendorKey, ClientReference: o.ClientReference, Arguments: o.Arguments, BeginRequired: o.Terms.BeginRequired,
	}
}

// lookup describes what the caller may ask the provider, where the tool's profile has a way.
func (d *draft) lookup() *Lookup {
	o := d.op
	if len(o.Terms.Lookups) == 0 {
		return nil
	}
	n := int64(len(o.Attempts))
	l := &Lookup{
		Ways: o.Terms.Lookups, Ticket: Ticket{IssuedAt: d.now, Attempts: n}.String(),
		VendorKey: o.VendorKey, ClientReference: o.ClientReference,
		CountsAfter: max(0, o.quietAt(n, d.env, o.stallCounts()).Sub(d.now)),
	}
	l.ProviderRequestID, l.ProviderObjectID = o.ProviderIDs()
	return l
}

// stallCounts reports whether a silent attempt is given its stall allowance before "not found" clears it: in classes 3
// and 4, whose executors are stopped by their own look at the clock alone.
func (o *Operation) stallCounts() bool {
	return o.Terms.Class == registry.ExternalIdempotentWrite || o.Terms.Class == registry.ExternalNonIdempotentWrite
}
