package smallworld

import (
	"errors"
	"fmt"

	"github.com/opledger/opledger/ledger"
)

// adder takes a next state.
type adder func(step, world)

// steps lists everything that can happen next.
func (w world) steps(r rules, add adder) {
	for i := range r.operations {
		w.callerSteps(r, i, add)
	}
	if r.configures && w.rows.epoch == 0 {
		n := w
		n.rows.epoch = 1
		add(step{verb: forbids}, n)
	}
	for s := range w.servers {
		if s > 0 && w.servers[s] == w.servers[s-1] {
			continue // the same as the one before it: what it may do, that one may
		}
		w.serverSteps(r, s, add)
	}
	for i := range w.processes {
		w.processSteps(r, i, add)
	}
	if w.now < r.horizon && !w.due() {
		n := w
		n.now++
		add(step{verb: passTick}, n)
	}
}

// due reports whether something of the provider's must happen before time passes.
func (w *world) due() bool {
	for _, p := range w.processes {
		if p.inFlight != never && w.now >= p.inFlight+flight || p.pending != never && w.now >= p.pending+finish {
			return true
		}
	}
	return false
}

// callerSteps are those of callers and their workflows. Any of them may propose at any time.
func (w world) callerSteps(r rules, i int, add adder) {
	o, n := w.operation(i), 0
	if o != nil {
		n = len(o.Attempts)
	}
	if w.busy() < workers {
		for s := range w.servers { // through which it comes, where servers have read different rules
			if s > 0 && (!r.configures || w.servers[s] == w.servers[s-1]) {
				continue
			}
			w.proposal(r, i, n+1, s, proposes, add)
			if o != nil && r.replays && o.Live != 0 && !o.LiveAttempt().HandedAgain {
				w.proposal(r, i, w.earnedBy(o), s, proposesAgain, add)
			}
		}
	}
	if o != nil && r.cancels && o.Cancel == nil {
		to, _ := w.decide(r, &ledger.CancelOperation{Namespace: namespace, Principal: agent, OperationID: o.ID})
		add(step{verb: wishesCancel, actor: byte(i)}, to)
	}
	if r.leases {
		w.leaseSteps(r, i, add)
	}
}

// earnedBy is the number of the request that earned the live attempt.
func (w *world) earnedBy(o *ledger.Operation) int {
	for _, c := range w.rows.claims {
		if c.Kind == ledger.ClaimRequest && c.OperationID == o.ID && c.AttemptID == o.LiveAttempt().ID {
			return int(c.Value[len(c.Value)-1] - '0')
		}
	}
	return len(o.Attempts)
}

// proposal proposes through one server, under the request for the nth attempt.
func (w world) proposal(r rules, i, n, s int, verb verb, add adder) {
	c := r.propose(&w, i, n, w.servers[s].epoch)
	had := 0
	if o := w.operation(i); o != nil {
		had = len(o.Attempts)
		c.NewAttempt = attemptID(i, had+1) // a repeat that comes too late may earn another one
	}
	to, out := w.decide(r, c)
	to = to.readsAnew(s, out.Err)
	if a, ok := out.Reply.(*ledger.Answer); ok && a.Permit != nil {
		to = to.granted(&w, i, a.Permit, int(a.Permit.Attempt.Number) == had)
	}
	add(step{verb: verb, actor: byte(i)}, to)
}

// readsAnew lets a server read the configuration again that has moved under it.
func (w world) readsAnew(s int, err error) world {
	if moved := (*ledger.EpochMovedError)(nil); errors.As(err, &moved) {
		w.servers[s].epoch = w.rows.epoch
	}
	return w
}

// granted adds the process that was given the permit.
func (w world) granted(before *world, i int, permit *ledger.Permit, copied bool) world {
	if before.said[i] && w.wrong == "" {
		w.wrong = "heed: a permit was handed out although the effect was said to exist"
	}
	return w.add(process{
		holder:   holder{operation: i, attempt: int(permit.Attempt.Number), copied: copied},
		deadline: tickOf(permit.Attempt.Deadline), inFlight: never, pending: never,
	})
}

// leaseSteps are those of a workflow about its lease on the entity.
func (w world) leaseSteps(r rules, i int, add adder) {
	l := w.lease(i)
	if l == nil {
		to, out := w.decide(r, w.acquire(i))
		if a, ok := out.Reply.(*ledger.AcquiredLease); ok && a.Granted {
			if to.wrong == "" && w.keeps(1-i) {
				to.wrong = "lease: an entity was granted to a workflow while another's operation on it may still have its effect"
			}
			add(step{verb: acquires, actor: byte(i)}, to)
		}
		return
	}
	c := &ledger.ReleaseLease{Namespace: namespace, Actor: ledger.Actor{Principal: agent}, Proof: ledger.LeaseProof{LeaseID: l.ID, Proven: true}}
	to, _ := w.decide(r, c)
	add(step{verb: releases, actor: byte(i)}, to)
}

// keeps reports whether an operation's effect may still come, as the ledger knows it.
func (w *world) keeps(i int) bool {
	o := w.operation(i)
	return o != nil && (o.State == ledger.Dispatched || o.State == ledger.Acknowledged || o.State == ledger.UnknownOutcome)
}

// serverSteps are those of one server: it claims or asks, and sends what came of it at any time later, or never.
func (w world) serverSteps(r rules, s int, add adder) {
	have := w.servers[s]
	if have.holds == nothing {
		for i := range r.operations {
			if o := w.operation(i); o != nil {
				w.claimSteps(r, s, i, o, add)
			}
		}
		return
	}
	does := step{actor: byte(s), detail: byte(have.operation)}
	freed := w.serve(s, server{})
	add(step{verb: serverDies, actor: byte(s)}, freed)
	o := w.operation(have.operation)
	switch have.holds {
	case dueWork:
		does.verb = sendsDue
		due, _ := ledger.DueOf(o)
		due.Namespace, due.OperationID = namespace, o.ID
		to, _ := freed.decide(r, w.wake(due, have.stamp))
		add(does, to.unlessStale(&w, have))
	case work:
		if w.busy() == workers {
			return
		}
		does.verb = sendsTake
		to, out := freed.decide(r, w.take(o, have.operation, have))
		to = to.unlessStale(&w, have)
		handed, _ := out.Reply.(*ledger.Handed)
		switch {
		case handed == nil:
			add(does, to)
		case handed.Permit != nil:
			add(does, to.granted(&w, have.operation, handed.Permit, false))
		case handed.Lookup != nil:
			to.ask(r, s, have.operation, does, add)
		default:
			add(does, to)
		}
	case question:
		does.verb = handsIn
		to, _ := freed.decide(r, w.reconcile(have))
		to.said[have.operation] = to.said[have.operation] || have.found
		add(does, to)
	}
}

// unlessStale complains of work that did something although somebody else had been at the operation since it was claimed.
func (w world) unlessStale(before *world, have server) world {
	i := have.operation
	if o := before.operation(i); w.wrong == "" && have.stamp != o.Version && w.operation(i) != o {
		w.wrong = fmt.Sprintf("claims: work of operation %d that was claimed before it changed has changed it again", i+1)
	}
	return w
}

// claimSteps are what a server can take up of an operation.
func (w world) claimSteps(r rules, s, i int, o *ledger.Operation, add adder) {
	does := step{actor: byte(s), detail: byte(i)}
	if due, ok := ledger.DueOf(o); ok && !due.At.After(w.time()) {
		does.verb = claimsDue
		add(does, w.serve(s, server{holds: dueWork, operation: i, stamp: o.Version}))
	}
	if r.queued {
		if have, ok := ledger.WorkOf(o); ok && !have.At.After(w.time()) {
			does.verb = claimsWork
			add(does, w.serve(s, server{holds: work, operation: i, stamp: o.Version}))
		}
		return
	}
	if o.State == ledger.UnknownOutcome && !r.unasked {
		does.verb = asks
		w.ask(r, s, i, does, add)
	}
}

// ask puts a question to the provider, of whose answer the moment of asking decides.
func (w world) ask(r rules, s, i int, does step, add adder) {
	q := server{holds: question, operation: i, asked: w.now, attempts: int64(len(w.operation(i).Attempts)), found: w.shows(i)}
	add(does, w.serve(s, q))
	if q.found && r.lookupsLie {
		q.found = false
		does.verb = asksInVain
		add(does, w.serve(s, q))
	}
}
