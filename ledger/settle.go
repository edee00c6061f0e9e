package ledger

import (
	"math"
	"time"

	"github.com/opledger/opledger/registry"
)

// effectKnown reports whether an effect is attributed to the operation, by a report of its own attempt, by a find that
// carries its own references, or by an authorized person's word.
func (o *Operation) effectKnown() bool {
	if len(o.Effects) > 0 || o.Settled != nil {
		return true
	}
	for i := range o.Attempts {
		if o.Attempts[i].Verdict == VerdictEffect {
			return true
		}
	}
	return false
}

// allWithoutEffect reports whether every attempt is known to have had no effect.
func (o *Operation) allWithoutEffect() bool {
	for i := range o.Attempts {
		if o.Attempts[i].Verdict != VerdictNone {
			return false
		}
	}
	return true
}

// settle brings the state in line with what is known of all attempts, once no permit is out. An attempt speaks for
// itself alone: a "no" closes the operation only if every other attempt is known to be without effect too.
func (d *draft) settle(because string) {
	o := d.op
	if o.Live != 0 {
		return
	}
	switch o.State {
	case CompletedSuccess, Compensating, Compensated:
		d.effectShows(because)
		return
	}
	switch {
	case o.effectKnown():
		d.move(CompletedSuccess, "because", because)
		o.Failure = nil
	case o.PresenceSaid:
		if o.State != UnknownOutcome {
			d.move(UnknownOutcome, "because", because)
		}
	case o.State != Dispatched && o.State != Acknowledged && o.State != UnknownOutcome:
	case o.allWithoutEffect():
		d.fail(because)
	case o.State == Acknowledged && !o.FinishBy.IsZero(): // the provider's time is not over
	case o.State != UnknownOutcome:
		d.move(UnknownOutcome, "because", because)
	}
}

// fail ends the try, or the operation, of which every attempt is known to be without effect. The newest attempt's
// outcome says how; one that never had an attempt waits for its first.
func (d *draft) fail(because string) {
	o := d.op
	var last Attempt
	if n := len(o.Attempts); n > 0 {
		last = o.Attempts[n-1]
	}
	o.ResendCleared = false
	switch {
	case last.Outcome == OutcomeNoop:
		o.Failure = nil
		d.move(CompletedNoop, "because", because)
	case o.Cancel != nil:
		d.end(CategoryCancelled, "", because)
	case d.closed():
		d.end(CategoryCancelled, "", becauseWorkflowEnded+"; "+because)
	case last.Outcome == OutcomeRejected:
		d.end(CategoryProviderRejected, o.failureCode(), because)
	case len(o.Attempts) >= o.Terms.MaxAttempts, o.elapsed(d.now):
		d.end(CategoryAttemptsExhausted, o.failureCode(), because)
	default:
		if !o.RetryAt.After(d.now) {
			o.RetryAt = d.now.Add(backoff(&o.Terms, len(o.Attempts), d.jitter))
		}
		d.move(FailedRetryable, "because", because, "retry_at", o.RetryAt.Format(time.RFC3339Nano))
	}
}

// end makes the failure permanent under this revision.
func (d *draft) end(category Category, code, because string) {
	o := d.op
	failure := Failure{Category: category, Code: code, Message: because}
	if last := o.Failure; last != nil && category != CategoryCancelled && category != CategoryExpired {
		failure = *last
		failure.Category, failure.Code, failure.Message = category, code, first(last.Message, because)
	}
	o.Failure = &failure
	o.RetryAt = time.Time{}
	d.move(FailedPermanent, "because", because, "category", string(category), "code", code)
}

func (o *Operation) failureCode() string {
	if o.Failure == nil {
		return ""
	}
	return o.Failure.Code
}

// elapsed reports whether the total time of the retries is over.
func (o *Operation) elapsed(now time.Time) bool {
	return o.Terms.MaxElapsed > 0 && len(o.Attempts) > 0 && !now.Before(o.Attempts[0].GrantedAt.Add(o.Terms.MaxElapsed))
}

// backoff is exponential with full jitter: a random share of the bound, so that many that failed together do not come
// back together (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
func backoff(t *Terms, attempts int, jitter float64) time.Duration {
	bound := float64(t.InitialBackoff) * math.Pow(max(t.Multiplier, 1), float64(max(attempts-1, 0)))
	bound = min(bound, float64(maxBackoff))
	if t.MaxBackoff > 0 {
		bound = min(bound, float64(t.MaxBackoff))
	}
	return time.Duration(bound * jitter)
}

// maxBackoff keeps an unbounded growth from overflowing; no tool waits longer, since its failure expires before.
const maxBackoff = 365 * 24 * time.Hour

// lastMoment is when an attempt may have sent at the latest: its own report, if it says that the sender has returned,
// else its deadline. Where a begin was required, a report without one tells nothing of who may have sent; where none was,
// nobody speaks for every copy of a permit that went out twice.
func (o *Operation) lastMoment(a *Attempt) time.Time {
	speaks := !a.HandedAgain
	if o.Terms.BeginRequired {
		speaks = a.Begun()
	}
	if a.ReportedAt.IsZero() || !speaks {
		return a.Deadline
	}
	return a.ReportedAt
}

// silent reports whether the attempt may still wake: it may have begun, and its sender never returned with a report.
func (a *Attempt) silent() bool { return a.Verdict == VerdictOpen && a.ReportedAt.IsZero() }

// quietAt is the moment from which a lookup's "not found" can count for the first n attempts: after the last moment of
// the last one, the longest flight of a request and the time until a commit shows. With stall, silent attempts are given
// their stall allowance too.
func (o *Operation) quietAt(n int64, env Env, stall bool) time.Time {
	var quiet time.Time
	for i := range o.Attempts {
		a := &o.Attempts[i]
		if a.Number > n || a.Verdict != VerdictOpen {
			continue
		}
		t := o.lastMoment(a)
		if stall && a.silent() {
			t = t.Add(o.Terms.StallAllowance)
		}
		if t.After(quiet) {
			quiet = t
		}
	}
	return quiet.Add(o.Terms.Flight + o.Terms.Propagation + env.ClockError)
}

// clearable reports whether absence can clear the attempt at all. An acknowledgement bars it for ever; in class 5 an
// attempt that may wake at any time is cleared by a person only.
func (o *Operation) clearable(a *Attempt) bool {
	return !a.Acknowledged && !(a.silent() && o.Terms.Class == registry.Irreversible)
}

// openBeside reports whether another attempt than a may have had the effect.
func (o *Operation) openBeside(a *Attempt) bool {
	for i := range o.Attempts {
		if o.Attempts[i].Number != a.Number && o.Attempts[i].Verdict == VerdictOpen {
			return true
		}
	}
	return false
}

// clear records that an attempt is known to be without effect.
func (d *draft) clear(a *Attempt, because string) {
	if a.Verdict != VerdictOpen {
		return
	}
	a.Verdict, a.VerdictBecause = VerdictNone, because
	d.event(EventAttemptCleared, a.Number, "because", because)
}

// endPermit takes the permit back.
func (d *draft) endPermit() {
	if a := d.op.LiveAttempt(); a != nil {
		a.EndedAt = d.now
		d.op.Live = 0
		d.leaveRoom(a)
	}
}
