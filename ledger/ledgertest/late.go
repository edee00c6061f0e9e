package ledgertest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// LateRead is a row that a decision asked for and that its command had not named beforehand. The transaction script forgives
// it: it loads the row and asks again. It costs one more round trip to the database, inside the transaction.
type LateRead struct {
	Command string // "Propose"
	Read    ledger.Read
}

func (l LateRead) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s reads %s %q %s", l.Command, l.Read.Kind, l.Read.ID, l.Read.Entity))
}

// anyCommand stands for every command.
const anyCommand = ""

// lateByDesign are the rows that are read late on purpose, by whom and why: each is needed by few of the command's decisions,
// and which ones is known only on the way. Every other row has to be named beforehand.
var lateByDesign = map[string]map[ledger.ReadKind]string{
	anyCommand: {
		ledger.ReadKind(ledger.RecordWorkflow): "that its workflow has ended decides only where an operation is known to be without effect, or an end is overturned",
		ledger.ReadKind(ledger.RecordAwaited):  "a reference that the operation has just got may have events waiting under it",
		ledger.ReadKind(ledger.RecordInbound):  "the events that wait under a reference are few, and mostly none",
		ledger.ReadKind(ledger.RecordStanding): "a standing approval counts only where a rule asks for a person",
		ledger.ReadKind(ledger.RecordStep):     "the steps of a compensation matter where it is given up, or an end is overturned",
	},
	"Propose": {
		ledger.ReadKind(ledger.RecordEntity):  "an approval is of the entity as it stood, and most proposals ask for none",
		ledger.ReadKind(ledger.RecordHistory): "denials alone are counted",
		ledger.ReadKind(ledger.RecordGrant):   "most proposals name none",
		ledger.ReadKind(ledger.RecordSwitch):  "whether an end is to be told is asked where an event that waited brings it",
		ledger.ReadOperation:                  "an earlier operation by which a rule says no is described",
	},
	"Take": {
		ledger.ReadKind(ledger.RecordEntity): "as of a proposal: an approval is of the entity as it stood",
		ledger.ReadOperation:                 "whoever keeps it waiting is noted once, and mostly nobody does",
	},
	"DecideApproval":  {ledger.ReadKind(ledger.RecordEntity): "an approval for a new version of the tool is of the entity as it stands"},
	"CancelOperation": {ledger.ReadOperation: "the operations that carry steps out are named by the rows of the steps"},
	"LiftExclusion":   {ledger.ReadScope: "a group that the operation is not in is a mistake of the caller's"},
}

// namesWorkflow are the commands that are decided by the workflow each time, and for which it is never read late.
var namesWorkflow = []string{"AcquireLease", "Begin", "CompleteWorkflow", "Extend", "RenewLease", "ResumeWorkflow", "StartWorkflow", "TakeAgain"}

// byDesign reports whether a row is read late on purpose.
func (l LateRead) byDesign() bool {
	if l.Read.Kind == ledger.ReadKind(ledger.RecordWorkflow) && slices.Contains(namesWorkflow, l.Command) {
		return false
	}
	return lateByDesign[anyCommand][l.Read.Kind] != "" || lateByDesign[l.Command][l.Read.Kind] != ""
}

// Late lists the rows that were read late since the last call, in order.
func (w *World) Late() []LateRead {
	late := w.late
	w.late = nil
	return late
}

// watched is a command whose late reads are noted. One that was not to be late fails the test.
type watched struct {
	ledger.Command
	world *World
}

func (w *World) watch(commands []ledger.Command) []ledger.Command {
	all := make([]ledger.Command, len(commands))
	for i, c := range commands {
		all[i] = watched{Command: c, world: w}
	}
	return all
}

// Reads are the command's. A row without a name is one that the command does not know, and asks a store for in vain.
func (c watched) Reads(v *ledger.View) []ledger.Read {
	c.world.t.Helper()
	reads := c.Command.Reads(v)
	for _, r := range reads {
		if _, refused := c.Command.(*ledger.AcquireLease); nameless(r) && !refused { // a lease of no workflow
			c.world.t.Fatalf("%s of no name", LateRead{Command: nameOf(c.Command), Read: r})
		}
	}
	return reads
}

func nameless(r ledger.Read) bool {
	switch r.Kind {
	case ledger.ReadEpoch:
		return false // there is one in each namespace
	case ledger.ReadScope:
		return r.Entity.IsZero() || r.ID == locks.GroupRef("", r.Entity, "").Name
	}
	return r.ID == ""
}

// Decide decides, and notes what it lacks on the way to the transaction script, which answers the same panic.
func (c watched) Decide(v *ledger.View, env ledger.Env) ledger.Decided {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if lacks, ok := r.(*ledger.NotLoadedError); ok {
			c.world.noteLate(c.Command, append([]ledger.Read{lacks.Read}, lacks.Beside...))
		}
		panic(r)
	}()
	return c.Command.Decide(v, env)
}

func (w *World) noteLate(c ledger.Command, reads []ledger.Read) {
	w.t.Helper()
	for _, read := range reads {
		late := LateRead{Command: nameOf(c), Read: read}
		if nameless(read) || !late.byDesign() {
			w.t.Fatalf("%s, which it did not name beforehand", late)
		}
		w.late = append(w.late[:len(w.late):len(w.late)], late)
	}
}

// nameOf is a command's name: "Propose". A test may wrap a command that it watches.
func nameOf(c ledger.Command) string {
	if wrapped, ok := c.(interface{ Unwrap() ledger.Command }); ok {
		return nameOf(wrapped.Unwrap())
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", c), "*ledger.")
}
