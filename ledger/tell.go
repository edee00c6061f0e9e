package ledger

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/policy"
)

// NextAction is what the caller's side does next.
type NextAction string

// The next actions. A caller that meets one that it does not know waits.
const (
	NextUseResult     NextAction = "use_result"
	NextWait          NextAction = "wait"
	NextAskPerson     NextAction = "ask_person"
	NextReportOutcome NextAction = "report_outcome"
	NextChooseOther   NextAction = "choose_other"
	NextStop          NextAction = "stop"
)

// RetryAdvice says whether proposing the same again can change anything.
type RetryAdvice string

// The advice.
const (
	RetryNever      RetryAdvice = "no_retry"          // the recorded end stands
	RetryPropose    RetryAdvice = "propose_again"     // safe at any time; the answer tells the way on
	RetryAfterDelay RetryAdvice = "propose_later"     // after the stated time
	RetryRevise     RetryAdvice = "revise_on_purpose" // only by a person's or program's deliberate revise
)

// Told is what is said of an operation: to programs, to the customer, and to the model. The sentences claim only what is
// known; none teaches a model how to get a repetition through.
type Told struct {
	NextAction NextAction
	NextAfter  time.Duration // zero: now, or not by waiting
	Retry      RetryAdvice
	SafeUser   string
	Model      string
}

// tell says what an answer means.
func tell(a *Answer, now time.Time) Told {
	t := Told{}
	switch a.Decision {
	case DecisionExecute:
		t = Told{NextAction: NextReportOutcome, Retry: RetryPropose,
			SafeUser: "The request is being carried out.",
			Model:    "You hold the one permit for this operation. Carry it out once, exactly as given, and report its outcome."}
	case DecisionEnqueued:
		t = Told{NextAction: NextWait, Retry: RetryPropose, SafeUser: "The request was accepted and waits to be carried out.",
			Model: "The operation is recorded and waits to be carried out for you. It is not done yet, and do not say that it is. Do not carry it out yourself."}
	case DecisionBlocked:
		t = Told{NextAction: NextWait, NextAfter: a.RetryAfter, Retry: RetryAfterDelay,
			SafeUser: "Another request on the same item is still being processed.",
			Model:    "Another operation on the same entity is open, so nothing was done. Do not rephrase the call or use another tool. Wait, or tell the person that an earlier request is still being processed."}
	case DecisionDenied:
		t = Told{NextAction: NextStop, Retry: RetryAfterDelay,
			SafeUser: "This request cannot be carried out at the moment.",
			Model:    "A rule does not allow this now, so nothing was done. Do not rephrase the call or use another tool. Stop, or ask a person."}
	case DecisionSuppressed:
		t = Told{NextAction: NextStop, Retry: RetryAfterDelay,
			SafeUser: "The same was requested shortly before, so nothing new was done.",
			Model:    "An equivalent operation lies within a period in which it is not repeated, so nothing was done. The answer names the earlier one. Do not rephrase the call or use another tool. Stop, or ask a person."}
	case DecisionAwaitingApproval:
		t = Told{NextAction: NextAskPerson, NextAfter: a.RetryAfter, Retry: RetryPropose,
			SafeUser: "The request waits for approval.",
			Model:    "A person must approve this before it is done; nothing was done yet. Do not rephrase the call or use another tool. Tell the person that it waits for approval, and make the same call again later, unchanged."}
	case DecisionPlanned:
		t = Told{NextAction: NextChooseOther, Retry: RetryPropose, SafeUser: "Nothing was done; this was a plan only.",
			Model: "This was a plan only: nothing was recorded as an operation and nothing was done."}
		if a.Operation != nil {
			t.SafeUser = tellState(a.Operation, now).SafeUser
			t.Model = "This was a plan only, and nothing was done now. The operation exists already: make the call itself to get its answer."
		}
	case DecisionRetryLater:
		t = Told{NextAction: NextWait, NextAfter: a.RetryAfter, Retry: RetryAfterDelay,
			SafeUser: "The request has not been carried out yet and can be tried again.",
			Model:    "The last try is known to have had no effect. The next one is not due yet: wait the stated time, then make the same call again, unchanged."}
		if a.Rule != policy.RuleBackoff && a.Rule != "" {
			t.Model = "A limit does not allow this now, so nothing was done. Do not rephrase the call or use another tool. Wait the stated time, then make the same call again, unchanged, or ask a person."
			switch a.Rule {
			case ruleConcurrency, ruleProviderRate, ruleBackpressure:
				t.Model = "There is no room for this at the moment, so nothing was done. Do not rephrase the call or use another tool. Wait the stated time, then make the same call again, unchanged."
			}
			if a.Unsure { // only what is open can make room
				t.Model = "A limit does not allow this now, so nothing was done. Do not rephrase the call or use another tool. Operations that are still open fill it, and it is not known when they end. Wait the stated time, then make the same call again, unchanged, or ask a person."
			}
		}
	case DecisionReplayed:
		t = tellState(a.Operation, now)
		switch _, read := tellRead(a.Operation); {
		case read && a.Operation.State != FailedPermanent:
			t = tellReadAgain(a.Operation)
		case a.Operation.State == CompletedSuccess:
			when := stamp(effectTime(a.Operation))
			t.SafeUser = fmt.Sprintf("This was already done on %s; no new one was made.", when)
			t.Model = fmt.Sprintf("This operation was already carried out on %s. The recorded result is the answer, and no new effect was made now. Use it; do not call again.", when)
		}
		if a.Successor != "" {
			t.Model += " A later, deliberate try of it exists: operation " + string(a.Successor) + "."
		}
	default:
		t = tellState(a.Operation, now)
		switch { // the next occasion is the caller's own where it has one, not the moment at which a person is asked
		case a.RetryAfter > 0:
			t.NextAfter = a.RetryAfter
		case a.Lookup != nil:
			t.NextAfter = a.Lookup.CountsAfter
		}
	}
	// A tool's own sentences are about its operation's state; what was decided about this call is ours to say.
	switch {
	case a.Operation == nil:
	case a.Decision == DecisionExecute:
		t.SafeUser = override(t, a.Operation).SafeUser
	case a.Decision == DecisionRetryLater:
		t = override(t, a.Operation)
	}
	return t
}

// TellState says what an operation's state means to somebody who reads it at the given time.
func TellState(o *Operation, now time.Time) Told { return tellState(o, now) }

// tellState says what an operation's state means to somebody who asks for it.
func tellState(o *Operation, now time.Time) Told {
	t := told(o)
	if due, ok := DueOf(o); ok && t.NextAction == NextWait {
		t.NextAfter = max(0, due.At.Sub(now))
	}
	return override(t, o)
}

func told(o *Operation) Told {
	if t, read := tellRead(o); read {
		return t
	}
	switch o.State {
	case CompletedSuccess:
		return Told{NextAction: NextUseResult, Retry: RetryNever, SafeUser: "This has been done.",
			Model: "The operation was carried out. Use the recorded result; do not call again."}
	case CompletedNoop:
		return Told{NextAction: NextUseResult, Retry: RetryNever, SafeUser: "This was already the case; nothing had to be changed.",
			Model: "It was already so: nothing had to be done. Do not call again."}
	case FailedPermanent:
		return tellFailure(o)
	case FailedRetryable:
		if o.Terms.Queued() {
			return Told{NextAction: NextWait, Retry: RetryPropose, SafeUser: "The request has not been carried out yet and is to be tried again.",
				Model: "The last try is known to have had no effect. It is to be tried again for you. Do not carry it out yourself. Wait, then make the same call again, unchanged, to get its result."}
		}
		return Told{NextAction: NextWait, Retry: RetryAfterDelay, SafeUser: "The request has not been carried out yet and can be tried again.",
			Model: "The last try is known to have had no effect. Wait the stated time, then make the same call again, unchanged."}
	case UnknownOutcome:
		if o.Human != nil {
			return Told{NextAction: NextAskPerson, Retry: RetryPropose, SafeUser: "The status of this request is being confirmed by a person.",
				Model: "It is not known whether the operation happened, and a person has been asked. Do not repeat it, do not use another tool for it, and do not say that it succeeded or failed."}
		}
		return Told{NextAction: NextWait, Retry: RetryPropose, SafeUser: "The status of this request is being confirmed.",
			Model: "It is not known yet whether the operation happened. It is being found out. Do not repeat it, do not use another tool for it, and do not say that it succeeded or failed."}
	case Acknowledged:
		if o.Human != nil {
			return Told{NextAction: NextAskPerson, Retry: RetryPropose, SafeUser: "The request was accepted; whether it is finished is not known yet. A person is looking into it.",
				Model: "The provider has taken the request, and its time is over; it is not known whether it has finished, and a person has been asked. Do not repeat it, do not use another tool for it, and do not say that it succeeded or failed."}
		}
		return Told{NextAction: NextWait, Retry: RetryPropose, SafeUser: "The request was accepted and is being processed.",
			Model: "The provider has taken the request and is to finish it. It is not known yet whether it has. Do not repeat it, and do not say that it succeeded or failed."}
	case Dispatched:
		return Told{NextAction: NextWait, Retry: RetryPropose, SafeUser: "The request is being carried out.",
			Model: "The operation is being carried out by another call. Do not carry it out yourself. Wait, then make the same call again, unchanged, to get its result."}
	case Compensating:
		if o.Human != nil {
			return Told{NextAction: NextAskPerson, Retry: RetryNever, SafeUser: "This was done and is to be undone; a person is looking into it.",
				Model: "The operation was carried out and is to be undone, which is not finished; a person has been asked. Do not call again, do not undo it by another tool, and do not say that it was undone."}
		}
		return Told{NextAction: NextWait, Retry: RetryNever, SafeUser: "This was done and is being undone.",
			Model: "The operation was carried out and is being undone. Do not call again."}
	case Compensated:
		return Told{NextAction: NextStop, Retry: RetryRevise, SafeUser: "This was done and has been undone.",
			Model: "The operation was carried out and then undone. Do not call again; a person decides what is next."}
	case Planned:
		return Told{NextAction: NextAskPerson, Retry: RetryPropose, SafeUser: "This request waits for a person's approval.",
			Model: "A person must approve this first. Nothing was done. Wait; do not call it differently."}
	}
	if o.Human != nil && o.Human.Reason == HumanLook {
		return Told{NextAction: NextAskPerson, Retry: RetryPropose, SafeUser: "The request was accepted and has not been carried out yet; a person is looking into it.",
			Model: "The operation is recorded, and nothing was done for it. Whether it is so already could not be found out, and a person has been asked. Do not carry it out yourself, and do not use another tool for it."}
	}
	if o.Terms.Queued() {
		return Told{NextAction: NextWait, Retry: RetryPropose, SafeUser: "The request was accepted and waits to be carried out.",
			Model: "The operation is recorded and waits to be carried out for you. It is not done yet, and do not say that it is. Do not carry it out yourself. Wait, then make the same call again, unchanged, to get its result."}
	}
	return Told{NextAction: NextWait, Retry: RetryPropose, SafeUser: "The request was accepted and has not been carried out yet.",
		Model: "The operation is recorded and has not been carried out yet. Make the same call again, unchanged, to carry it out."}
}

// tellFailure says what a permanent failure means. What ended it decides whether anything can be corrected.
func tellFailure(o *Operation) Told {
	t := Told{NextAction: NextStop, Retry: RetryNever, SafeUser: "This request was not carried out.",
		Model: "The operation is known not to have happened and will not happen. Do not call again."}
	switch o.Failure.Category {
	case CategoryProviderRejected, CategoryValidation:
		t.NextAction, t.Retry = NextChooseOther, RetryRevise
		t.SafeUser = "This request was refused and was not carried out."
		t.Model = "The provider refused the operation, so it is known not to have happened. Tell the person why. The same call again gets this same answer."
	case CategoryCancelled:
		t.SafeUser = "This request was cancelled; nothing was done."
		t.Model = "The operation was cancelled before anything happened. Do not call again."
	case CategoryExpired, CategoryAttemptsExhausted:
		t.NextAction, t.Retry = NextAskPerson, RetryRevise
		t.SafeUser = "This request could not be carried out; nothing was done."
		t.Model = "The operation is known not to have happened, and its tries are used up. Tell the person; the same call again gets this same answer."
	}
	return t
}

// override puts a tool's own sentences in place of ours.
func override(t Told, o *Operation) Told {
	own, ok := o.Terms.Messages[string(o.State)]
	if !ok {
		return t
	}
	t.SafeUser, t.Model = first(own.SafeUser, t.SafeUser), first(own.Model, t.Model)
	return t
}

// effectTime is when the ledger learned that the effect happened.
func effectTime(o *Operation) time.Time {
	if o.Result != nil && !o.Result.EffectAt.IsZero() {
		return o.Result.EffectAt
	}
	return o.EndedAt
}
