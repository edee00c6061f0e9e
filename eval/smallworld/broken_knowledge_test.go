package smallworld

import (
	"time"

	"github.com/opledger/opledger/ledger"
)

// knowledgeMutants break rules of lookups and of the vendor's memory.
var knowledgeMutants = []mutant{
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
