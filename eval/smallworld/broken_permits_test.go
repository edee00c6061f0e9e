package smallworld

import (
	"time"

	"github.com/opledger/opledger/ledger"
)

// permitMutants break rules of permits, begins and reports.
var permitMutants = []mutant{
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
}
