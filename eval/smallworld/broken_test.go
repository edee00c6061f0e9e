package smallworld

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// isPropose and its like tell commands apart.
func is[C ledger.Command](c ledger.Command) bool {
	_, ok := c.(C)
	return ok
}

// restored keeps of each attempt what it was before the command, as far as back says; only what the command added stands.
func restored(back func(a, was *ledger.Attempt)) func(*world, ledger.Command, *ledger.Operation, *ledger.Operation) {
	return func(_ *world, _ ledger.Command, before, o *ledger.Operation) {
		if before == nil {
			return
		}
		for i := range before.Attempts {
			back(&o.Attempts[i], &before.Attempts[i])
		}
	}
}

func lastMoment(a *ledger.Attempt) time.Time {
	if a.ReportedAt.IsZero() {
		return a.Deadline
	}
	return a.ReportedAt
}

// overdue reports whether the live permit has run out and nobody has noticed yet.
func overdue(w *world, o *ledger.Operation) bool {
	a := o.LiveAttempt()
	return a != nil && !w.time().Before(a.Deadline)
}

// mutant is a broken rule, the world in which it shows, and the promise that it breaks.
type mutant struct {
	rules   rules
	promise string
	broken  broken
}

var (
	plain      = rules{class: class4, operations: 1}
	beginning4 = rules{class: class4, operations: 1, begin: true}
	replaying  = rules{class: class4, operations: 1, begin: true, replays: true}
	babbling   = rules{class: class4, operations: 1, babbles: true}
	finishing  = rules{class: class4, operations: 1, begin: true, finishesLater: true}
	keyed      = rules{class: class3, operations: 1}
	forgetful  = rules{class: class3, operations: 1, unasked: true}
	exclusive  = rules{class: class4, operations: 2, group: true, begin: true}
)

// mutants are the rules of the operation model, one by one, and those of the rest of the core that it takes two operations
// or two servers to break.
var mutants = []mutant{
	{plain, "one permit", broken{
		name: "two_permits", text: "a second permit while one is out",
		see: func(w *world, c ledger.Command, o *ledger.Operation) {
			if live := o.LiveAttempt(); is[*ledger.Propose](c) && live != nil {
				o.State, o.Live, live.EndedAt, live.Verdict = ledger.FailedRetryable, 0, w.time(), ledger.VerdictNone
			}
		},
		keep: restored(func(a, was *ledger.Attempt) { *a = *was }),
	}},
	{rules{class: class4, operations: 1, replays: true}, "once", broken{
		name: "permit_handed_out_again", text: "the same request id always gets the same permit",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if is[*ledger.Propose](c) {
				o.Terms.BeginRequired = true
			}
		},
	}},
	{beginning4, "truth", broken{
		name: "expiry_is_not_sent", text: "a permit that ran out counts as not sent",
		see: func(w *world, _ ledger.Command, o *ledger.Operation) {
			if overdue(w, o) {
				o.LiveAttempt().BegunAt = time.Time{}
			}
		},
		keep: restored(func(a, was *ledger.Attempt) {
			if was.Begun() {
				a.BegunAt = was.BegunAt
			}
		}),
	}},
	{plain, "truth", broken{
		name: "unbegun_without_requirement", text: "no begin counts as not sent though none was required",
		see: func(w *world, _ ledger.Command, o *ledger.Operation) {
			if overdue(w, o) {
				o.Terms.BeginRequired = true
			}
		},
	}},
	{beginning4, "truth", broken{
		name: "begin_after_deadline", text: "a begin is accepted when the permit is gone", late: 100,
		accepts: func(no *ledger.Refusal) bool { return no.Reason == ledger.ReasonPermitExpired },
	}},
	{replaying, "truth", broken{
		name: "begin_without_nonce", text: "a second process's begin counts as a repeat of the first",
		accepts: func(no *ledger.Refusal) bool { return no.Reason == ledger.ReasonNonceMismatch },
	}},
	{replaying, "truth", broken{
		name: "any_copy_speaks", text: "a process that holds a copy of the permit says that nothing was sent, while another has begun",
		command: func(w *world, c ledger.Command) ledger.Command {
			r, ok := c.(*ledger.Report)
			if !ok {
				return c
			}
			said := *r
			said.NonceHash = w.rows.operation(r.OperationID).Attempt(r.AttemptID).NonceHash
			return &said
		},
	}},
	{plain, "truth", broken{
		name: "retry_on_ambiguous", text: "an ambiguous outcome counts as a failure",
		command: func(_ *world, c ledger.Command) ledger.Command {
			r, ok := c.(*ledger.Report)
			if !ok || r.Outcome != ledger.OutcomeAmbiguous {
				return c
			}
			said := *r
			said.Outcome = ledger.OutcomeNotSent
			return &said
		},
	}},
	{babbling, "truth", broken{
		name: "second_report_overrides", text: "a later report of the same attempt replaces the first",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if r, ok := c.(*ledger.Report); ok {
				a := o.Attempt(r.AttemptID)
				a.ReportID, a.EarlierReportID, a.Outcome, a.ReportedAt, a.Verdict = "", "", "", time.Time{}, ledger.VerdictOpen
			}
		},
	}},
	{babbling, "truth", broken{
		name: "outer_report_ends_sending", text: "a report counts as the end of sending though the sender has not returned",
		command: func(_ *world, c ledger.Command) ledger.Command {
			r, ok := c.(*ledger.Report)
			if !ok {
				return c
			}
			said := *r
			said.SenderReturned = true
			return &said
		},
	}},
	{keyed, "truth", broken{
		name: "stale_report_moves", text: "a former holder's report moves the operation",
		keep: func(w *world, c ledger.Command, before, o *ledger.Operation) {
			r, ok := c.(*ledger.Report)
			if !ok || !r.Outcome.No() || o.Live == 0 || o.Attempt(r.AttemptID).Number == o.Live {
				return
			}
			o.LiveAttempt().EndedAt = w.time()
			o.State, o.Live = ledger.FailedRetryable, 0
		},
	}},
	{keyed, "truth", broken{
		name: "attempt_speaks_for_operation", text: "one attempt's refusal closes an operation whose earlier attempt is unknown",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if r, ok := c.(*ledger.Report); ok {
				for i := range o.Attempts {
					if a := &o.Attempts[i]; a.ID != r.AttemptID && a.Verdict == ledger.VerdictOpen {
						a.Verdict = ledger.VerdictNone
					}
				}
			}
		},
	}},
	{rules{class: class3, operations: 1, begin: true}, "heed", broken{
		name: "late_success_unheeded", text: "a permit or begin is given although a former holder has said that it happened",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if !is[*ledger.Propose](c) && !is[*ledger.Begin](c) {
				return
			}
			o.PresenceSaid, o.Effects = false, nil
			for i := range o.Attempts {
				if a := &o.Attempts[i]; a.Verdict == ledger.VerdictEffect {
					a.Verdict = ledger.VerdictOpen
				}
			}
		},
		keep: func(w *world, c ledger.Command, before, o *ledger.Operation) {
			if before == nil || !is[*ledger.Propose](c) && !is[*ledger.Begin](c) {
				return
			}
			o.PresenceSaid, o.Effects = before.PresenceSaid, before.Effects
			for i := range before.Attempts {
				if before.Attempts[i].Verdict == ledger.VerdictEffect {
					o.Attempts[i].Verdict = ledger.VerdictEffect
				}
			}
		},
	}},
	{plain, "truth", broken{
		name: "not_found_at_once", text: "not found counts at once",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if is[*ledger.Reconcile](c) {
				o.Terms.Flight, o.Terms.Propagation = 0, 0
			}
		},
	}},
	{plain, "truth", broken{
		name: "delay_from_dispatch", text: "the propagation delay counts from the dispatch",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			for i := range o.Attempts {
				if a := &o.Attempts[i]; is[*ledger.Reconcile](c) {
					a.Deadline, a.ReportedAt = a.GrantedAt, time.Time{}
				}
			}
		},
		keep: restored(func(a, was *ledger.Attempt) {
			a.Deadline = was.Deadline
			if !was.ReportedAt.IsZero() {
				a.ReportedAt = was.ReportedAt
			}
		}),
	}},
	{plain, "truth", broken{
		name: "lookup_counted_from_its_answer", text: "a lookup is as fresh as its answer, not as its question",
		command: func(w *world, c ledger.Command) ledger.Command {
			return ticket(c, func(t ledger.Ticket) ledger.Ticket { t.IssuedAt = w.time(); return t })
		},
	}},
	{keyed, "truth", broken{
		name: "lookup_without_stamp", text: "a lookup speaks for an attempt that was granted after it was asked",
		command: func(w *world, c ledger.Command) ledger.Command {
			return ticket(c, func(t ledger.Ticket) ledger.Ticket {
				t.Attempts = int64(len(w.rows.operation(c.(*ledger.Reconcile).OperationID).Attempts))
				return t
			})
		},
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if is[*ledger.Reconcile](c) && len(o.Attempts) > 1 {
				a := &o.Attempts[len(o.Attempts)-1]
				a.Deadline, a.ReportedAt = o.Attempts[0].GrantedAt, time.Time{}
			}
		},
		keep: restored(func(a, was *ledger.Attempt) {
			a.Deadline = was.Deadline
			if !was.ReportedAt.IsZero() {
				a.ReportedAt = was.ReportedAt
			}
		}),
	}},
	{rules{class: class5, operations: 1}, "truth", broken{
		name: "absence_clears_silent", text: "not found clears an attempt that never reported, in class 5",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if is[*ledger.Reconcile](c) {
				o.Terms.Class = class4
			}
		},
	}},
	{finishing, "truth", broken{
		name: "absence_clears_acknowledged", text: "not found clears what the provider took on to finish later",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			for i := range o.Attempts {
				if is[*ledger.Reconcile](c) {
					o.Attempts[i].Acknowledged = false
				}
			}
		},
		keep: restored(func(a, was *ledger.Attempt) { a.Acknowledged = a.Acknowledged || was.Acknowledged }),
	}},
	{plain, "once", broken{
		name: "resend_without_key", text: "an unknown operation is sent again without a vendor key",
		see: func(w *world, c ledger.Command, o *ledger.Operation) {
			if is[*ledger.Propose](c) {
				o.Terms.Class, o.Terms.VendorKeyed, o.VendorKeySince = class3, true, w.time()
			}
		},
		keep: func(_ *world, c ledger.Command, before, o *ledger.Operation) {
			if before != nil && is[*ledger.Propose](c) {
				o.VendorKeySince = before.VendorKeySince
			}
		},
	}},
	{forgetful, "once", broken{name: "fresh_vendor_key", text: "a resend carries a new vendor key", freshKey: true}},
	{forgetful, "once", broken{
		name: "retention_from_last_moment", text: "the vendor's memory counts from the last attempt",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			for i := range o.Attempts {
				if is[*ledger.Propose](c) {
					o.VendorKeySince = lastMoment(&o.Attempts[i])
				}
			}
		},
		keep: func(_ *world, c ledger.Command, before, o *ledger.Operation) {
			if before != nil && is[*ledger.Propose](c) {
				o.VendorKeySince = before.VendorKeySince
			}
		},
	}},
	{forgetful, "once", broken{
		name: "retention_without_flight", text: "a resend may still be on its way when the vendor forgets",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if is[*ledger.Propose](c) {
				o.Terms.Flight = 0
			}
		},
	}},
	{finishing, "truth", broken{name: "duration_from_receipt", text: "a process counts its time from the answer, not from its question", late: 1}},

	{exclusive, "group", broken{name: "group_forgotten", text: "nobody is asked who else is open in the exclusive group", alone: true}},
	{rules{class: class4, operations: 2, begin: true, leases: true}, "lease", broken{
		name: "lease_over_operation", text: "a lease is granted over another workflow's operation", alone: true,
	}},
	{exclusive, "fencing", broken{name: "fencing_number_repeated", text: "a group's fencing number is given twice", still: true}},
	{rules{class: class4, operations: 1, begin: true, configures: true}, "configuration", broken{
		name: "rules_as_read_before", text: "a permit is judged by rules that have been replaced since they were read",
		command: func(w *world, c ledger.Command) ledger.Command {
			if p, ok := c.(*ledger.Propose); ok {
				said := *p
				said.Epoch = w.rows.epoch
				return &said
			}
			return c
		},
	}},
	{rules{class: class4, operations: 1, begin: true, queued: true}, "claims", broken{
		name: "stamp_ignored", text: "claimed work is carried out although the operation has changed since",
		command: func(w *world, c ledger.Command) ledger.Command {
			if t, ok := c.(*ledger.Take); ok {
				said := *t
				said.Work.Stamp = w.rows.operation(t.Work.OperationID).Version
				return &said
			}
			return c
		},
	}},
	{plain, "a way", broken{
		name: "expiry_forgotten", text: "a permit that ran out is never taken back",
		see: func(_ *world, c ledger.Command, o *ledger.Operation) {
			if live := o.LiveAttempt(); is[*ledger.Wake](c) && live != nil {
				live.Deadline = live.Deadline.Add(2 * forEver)
			}
		},
	}},
	{rules{class: class4, operations: 1, begin: true, queued: true}, "sight", broken{
		name: "work_forgotten", text: "an attempt that failed leaves no work behind",
		keep: func(_ *world, _ ledger.Command, _, o *ledger.Operation) {
			if o.State == ledger.FailedRetryable {
				o.ClosedAt = o.StateSince
			}
		},
	}},
}

// ticket changes the ticket of a lookup's answer.
func ticket(c ledger.Command, change func(ledger.Ticket) ledger.Ticket) ledger.Command {
	r, ok := c.(*ledger.Reconcile)
	if !ok || r.Statement == nil {
		return c
	}
	t, ok := ledger.ParseTicket(r.Statement.Ticket)
	if !ok {
		return c
	}
	said, statement := *r, *r.Statement
	statement.Ticket = change(t).String()
	said.Statement = &statement
	return &said
}

// TestBrokenRulesAreNoticed breaks one rule at a time, and expects the search to name the promise that goes with it.
func TestBrokenRulesAreNoticed(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.broken.name, func(t *testing.T) {
			r := m.rules
			r.broken, r.horizon, r.depth = &m.broken, 7, 12
			s := search{rules: r}
			f, err := s.run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(f.wrong, m.promise+":") {
				t.Fatalf("%s: the search came to %q, %s, and not to a broken promise of %q\n\t%s", m.broken.text, f.wrong, f, m.promise, strings.Join(f.history, "\n\t"))
			}
			t.Logf("%s: %s after %d steps, %d states\n\t%s", m.broken.text, f.wrong, len(f.history), f.states, strings.Join(f.history, "\n\t"))
		})
	}
}
