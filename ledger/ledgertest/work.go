package ledgertest

import (
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// Worker is the principal under which a World's work is taken up.
const Worker ledger.Principal = "worker"

// ByWorker makes a tool one that workers carry out.
func (t Tool) ByWorker() Tool {
	t.Terms.Executor = registry.Worker
	return t
}

// Work gives what is to be taken up for an operation.
func (w *World) Work(o *ledger.Operation) (ledger.Work, bool) {
	w.t.Helper()
	return ledger.WorkOf(w.Operation(o.Namespace, o.ID))
}

// Take makes the command that takes up an operation's work as it stands, with identifiers of its own: run twice it is one
// command's two tries.
func (w *World) Take(o *ledger.Operation) *ledger.Take {
	w.t.Helper()
	work, there := w.Work(o)
	if !there {
		w.t.Fatalf("nothing is to be done for operation %s (%s)", o.ID, w.Operation(o.Namespace, o.ID).State)
	}
	return &ledger.Take{
		Work: work, Actor: ledger.Actor{Principal: Worker}, WorkerID: "worker-1", Epoch: w.rows.epochs[o.Namespace], Rules: w.Rules,
		NewAttempt: ledger.AttemptID(w.ID("att")), NewDecision: ledger.DecisionID(w.ID("dec")), Jitter: 0.5,
	}
}

// TakeUp takes up an operation's work as it stands.
func (w *World) TakeUp(o *ledger.Operation) *ledger.Handed {
	w.t.Helper()
	reply, err := w.Do(w.Take(o))
	if err != nil {
		w.t.Fatalf("take up %s: %v", o.ID, err)
	}
	return reply.(*ledger.Handed)
}

// Dispatch takes up an operation's work and expects a permit.
func (w *World) Dispatch(o *ledger.Operation) *Holder {
	w.t.Helper()
	h := w.TakeUp(o)
	if h.Permit == nil {
		w.t.Fatalf("operation %s (%s) gives no permit: %s", o.ID, h.Operation.State, h.Because)
	}
	return &Holder{
		World: w, Namespace: o.Namespace, Operation: o.ID, Attempt: h.Permit.Attempt.ID, Number: h.Permit.Attempt.Number, Nonce: hash(w.ID("nonce")),
	}
}

// NextWork lets time pass until an operation's work is due, due work that comes before it included.
func (w *World) NextWork(o *ledger.Operation) ledger.Work {
	w.t.Helper()
	for {
		work, there := w.Work(o)
		if !there {
			w.t.Fatalf("nothing is to be done for operation %s (%s)", o.ID, w.Operation(o.Namespace, o.ID).State)
		}
		if due, ok := w.Due(o.Namespace, o.ID); ok && !due.At.After(work.At) {
			if due.At.After(w.Now) {
				w.Now = due.At
			}
			w.RunDue()
			continue
		}
		if work.At.After(w.Now) {
			w.Now = work.At
		}
		return work
	}
}
