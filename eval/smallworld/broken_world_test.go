package smallworld

import (
	"github.com/opledger/opledger/ledger"
)

// worldMutants break rules of groups, leases, configuration and due work.
var worldMutants = []mutant{
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
