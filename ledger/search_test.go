package ledger_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// step is one thing that can happen next.
type step struct {
	name string
	to   world
}

// steps lists everything that can happen next.
func (w world) steps(r rules) []step {
	var all []step
	add := func(name string, to world) { all = append(all, step{name, to}) }
	w.ledgerSteps(r, add)
	for i := range w.processes {
		w.processSteps(r, i, func(name string, to world) { add(fmt.Sprintf("process %d %s", i, name), to) })
	}
	due := false
	for _, p := range w.processes {
		due = due || p.inFlight != never && w.now >= p.inFlight+searchFlight || p.pending != never && w.now >= p.pending+searchFinish
	}
	if w.now < r.horizon && !due {
		next := w
		next.now++
		add("tick", next)
	}
	return all
}

// ledgerSteps are those of callers, due work, people and lookups.
func (w world) ledgerSteps(r rules, add func(string, world)) {
	attempts := 0
	if w.op != nil {
		attempts = len(w.op.Attempts)
	}
	// A proposal at any time, from anybody.
	n, out := w.decide(r.propose(attempts+1), nil)
	if a, ok := out.Reply.(*ledger.Answer); ok && a.Permit != nil {
		add("propose: a permit", n.granted(w, a.Permit))
	} else {
		add("propose", n)
	}
	if w.op == nil {
		return
	}
	if live := w.op.LiveAttempt(); live != nil && r.replays && !live.HandedAgain {
		c := r.propose(attempts)
		claim := c.Claims()[0]
		claim.AttemptID, claim.OperationID = live.ID, w.op.ID
		c.NewAttempt, c.NewOperation = "att_new", "op_new"
		n, out := w.decide(c, &claim)
		if a := out.Reply.(*ledger.Answer); a.Permit != nil {
			add("the same request again: its permit", n.granted(w, a.Permit))
		}
	}
	if due, ok := ledger.DueOf(w.op); ok && !due.At.After(w.time()) {
		n, _ := w.decide(&ledger.Wake{Due: due}, nil)
		add("due work", n)
	}
	if r.cancels && w.op.Cancel == nil {
		n, _ := w.decide(&ledger.CancelOperation{Namespace: ledgertest.North, OperationID: w.op.ID}, nil)
		add("cancel", n)
	}
	switch {
	case r.queued:
		w.workSteps(r, add)
	case w.op.State == ledger.UnknownOutcome && w.lookup == nil:
		w.ask(r, add)
	}
	if w.lookup != nil {
		s := &ledger.Statement{
			ID: ledger.EvidenceID(fmt.Sprint("l", w.op.Version)), Source: ledger.SourceLookup, Says: ledger.SaysNot,
			By: registry.ByClientReference, Ticket: w.lookup.ticket.String(),
		}
		if w.lookup.found {
			s.Says, s.ClientReference, s.EffectID = ledger.SaysHappened, w.op.ClientReference, "e0"
		}
		n, _ := w.decide(&ledger.Reconcile{Namespace: ledgertest.North, OperationID: w.op.ID, Statement: s}, nil)
		n.lookup, n.said = nil, w.said || w.lookup.found
		add("lookup answers", n)
	}
}

// ask puts a question to the provider, of whose answer the moment of asking decides.
func (w world) ask(r rules, add func(string, world)) {
	there := slices.ContainsFunc(w.effects, func(at int) bool { return at+searchLag <= w.now })
	w.lookup = &question{ledger.Ticket{IssuedAt: w.time(), Attempts: int64(len(w.op.Attempts))}, there}
	add("lookup asked", w)
	if there && r.lookupsLie {
		w.lookup = &question{w.lookup.ticket, false}
		add("lookup asked, will miss it", w)
	}
}

// workSteps are those of workers that take up what there is to do. A question may be lost on its way.
func (w world) workSteps(r rules, add func(string, world)) {
	if w.lookup != nil {
		lost := w
		lost.lookup = nil
		add("lookup is lost", lost)
	}
	work, there := ledger.WorkOf(w.op)
	if !there || work.At.After(w.time()) {
		return
	}
	n, out := w.decide(w.take(work), nil)
	handed := out.Reply.(*ledger.Handed)
	switch {
	case handed.Permit != nil:
		add("work: a permit", n.granted(w, handed.Permit))
	case handed.Lookup == nil:
		add("work: nothing", n)
	case w.lookup == nil:
		n.ask(r, add)
	}
}

// granted adds the process that was given the permit.
func (w world) granted(before world, permit *ledger.Permit) world {
	p := process{attempt: permit.Attempt.Number, deadline: ticksOf(permit.Attempt.Deadline), inFlight: never, pending: never}
	w.processes = append(slices.Clone(w.processes), p)
	w.heedless = w.heedless || before.said
	return w
}

func (w world) processSteps(r rules, i int, add func(string, world)) {
	p := w.processes[i]
	become := func(from world, change func(*process)) world { return from.put(i, change) }
	if p.phase == ready {
		add("gives up unsent", become(w, func(p *process) { p.phase, p.outcome = done, ledger.OutcomeNotSent }))
		if n, out := w.decide(&ledger.Begin{Bearer: w.bearer(p), NonceHash: nonceOf(i)}, nil); r.begin && out.Err == nil {
			n.heedless = n.heedless || w.said
			add("begins", become(n, func(p *process) { p.phase = begun }))
			add("begins, and its answer is lost", become(n, func(p *process) { p.phase = done }))
		}
	}
	if p.phase != done {
		add("dies", become(w, func(p *process) { p.phase = done }))
		if r.babbles && w.op.Live == p.attempt {
			n, _ := w.decide(w.report(r, i, ledger.OutcomeAmbiguous, false), nil)
			add("is given up by a layer round it, which reports ambiguous", n)
		}
		if r.extends && w.op.Live == p.attempt {
			e := &ledger.Extend{Bearer: w.bearer(p), NonceHash: nonceOf(i), By: (searchPermit + 1) * searchTick, ExtensionID: fmt.Sprint("x", w.op.Version)}
			if n, out := w.decide(e, nil); out.Err == nil && n.op != w.op {
				n.heedless = n.heedless || w.said
				add("extends", become(n, func(p *process) { p.deadline = ticksOf(n.op.Attempts[p.attempt-1].Deadline) }))
			}
		}
	}
	if w.maySend(r, p) {
		add("sends: rejected", become(w, func(p *process) { p.phase, p.outcome = done, ledger.OutcomeRejected }))
		add("sends: in flight", become(w, func(p *process) { p.phase, p.outcome, p.inFlight = done, ledger.OutcomeAmbiguous, w.now }))
		n, id := w.commit(r)
		add("sends: committed", become(n, func(p *process) { p.phase, p.outcome, p.effect = done, ledger.OutcomeSucceeded, id }))
		if r.finishesLater {
			add("sends: taken on", become(w, func(p *process) { p.phase, p.outcome, p.pending = done, ledger.OutcomeAcknowledge, w.now }))
		}
	}
	if p.inFlight != never {
		n, _ := w.commit(r)
		add("has its request arrive late", become(n, func(p *process) { p.inFlight = never }))
		add("has its request never arrive", become(w, func(p *process) { p.inFlight = never }))
	}
	if p.pending != never {
		n, id := w.commit(r)
		add("has its request finished by the provider", become(n, func(p *process) {
			p.pending = never
			if p.outcome == "" && p.phase == done {
				p.outcome, p.effect = ledger.OutcomeSucceeded, id
			}
		}))
		add("has its request given up by the provider", become(w, func(p *process) { p.pending = never }))
	}
	if p.outcome != "" {
		n, _ := w.decide(w.report(r, i, p.outcome, true), nil)
		n.said = n.said || p.outcome == ledger.OutcomeSucceeded
		told := become(n, func(p *process) { p.outcome, p.effect, p.again = "", "", false })
		add("reports "+string(p.outcome), told)
		if r.babbles && p.outcome == ledger.OutcomeAmbiguous {
			add("reports ambiguous, and a layer round it is about to report not_sent", become(told, func(p *process) {
				p.outcome, p.again = ledger.OutcomeNotSent, true
			}))
		}
		add("dies before its report", become(w, func(p *process) { p.outcome, p.effect = "", "" }))
	}
}

// report makes the report of a process, or of a layer round it whose sender has not returned.
func (w world) report(r rules, i int, o ledger.Outcome, returned bool) *ledger.Report {
	p := w.processes[i]
	rep := &ledger.Report{
		Bearer: w.bearer(p), ReportID: ledger.EvidenceID(fmt.Sprintf("r%d %s %t %t", i, o, returned, p.again)), SenderReturned: returned,
		Outcome: o, EffectID: p.effect,
	}
	if a := &w.op.Attempts[p.attempt-1]; r.begin && a.NonceHash == nonceOf(i) {
		rep.NonceHash = nonceOf(i)
	}
	return rep
}

// node remembers how a state came about.
type node struct {
	parent int
	step   string
}

// search visits every state of one world, breadth first, so that the first history found is a shortest one.
func search(r rules) (states int, why string, history []string) {
	start := world{}
	nodes := []node{{parent: -1}}
	seen := map[string]bool{start.key(): true}
	type entry struct {
		world world
		node  int
	}
	queue := []entry{{start, 0}}
	for len(queue) > 0 {
		e := queue[0]
		queue[0] = entry{}
		queue = queue[1:]
		if why := e.world.broken(r); why != "" {
			for at := e.node; at > 0; at = nodes[at].parent {
				history = append(history, nodes[at].step)
			}
			slices.Reverse(history)
			return len(seen), why, history
		}
		for _, s := range e.world.steps(r) {
			k := s.to.key()
			if seen[k] {
				continue
			}
			seen[k] = true
			nodes = append(nodes, node{e.node, s.name})
			queue = append(queue, entry{s.to, len(nodes) - 1})
		}
	}
	return len(seen), "", nil
}

var deep = flag.Int("deep", 0, "search the worlds of TestSearch by that many ticks further than each time; one more takes minutes")

// searched are the worlds of the search. The horizons are chosen so that it takes some tens of seconds on two cores.
var searched = []rules{
	{class: registry.ExternalNonIdempotentWrite, horizon: 7},
	{class: registry.ExternalNonIdempotentWrite, replays: true, horizon: 7},
	{class: registry.ExternalNonIdempotentWrite, babbles: true, horizon: 7},
	{class: registry.Irreversible, horizon: 6},
	{class: registry.ExternalNonIdempotentWrite, begin: true, horizon: 7},
	{class: registry.Irreversible, begin: true, horizon: 6},
	{class: registry.ExternalNonIdempotentWrite, begin: true, lookupsLie: true, horizon: 7},
	{class: registry.ExternalNonIdempotentWrite, begin: true, finishesLater: true, horizon: 6},
	{class: registry.ExternalNonIdempotentWrite, begin: true, cancels: true, horizon: 6},
	{class: registry.ExternalNonIdempotentWrite, begin: true, extends: true, horizon: 6},
	{class: registry.ExternalIdempotentWrite, horizon: 5},
	{class: registry.ExternalNonIdempotentWrite, begin: true, replays: true, horizon: 4},
	{class: registry.ExternalIdempotentWrite, replays: true, horizon: 2},
	{class: registry.ExternalNonIdempotentWrite, begin: true, queued: true, horizon: 6},
	{class: registry.ExternalNonIdempotentWrite, queued: true, cancels: true, horizon: 5},
	{class: registry.Irreversible, begin: true, queued: true, horizon: 5},
	{class: registry.ExternalNonIdempotentWrite, begin: true, finishesLater: true, queued: true, horizon: 5},
	{class: registry.ExternalIdempotentWrite, queued: true, horizon: 4},
}

// TestSearch visits every interleaving of each small world, with the real core as its ledger, and checks in every state
// that the effect happened at most once, that what the ledger calls known is true and stays so, that nothing is given
// once the effect is said to exist, and that nothing waits for nothing.
func TestSearch(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("the search takes tens of seconds; it runs without -short and without the race detector")
	}
	var mu sync.Mutex
	total := 0
	t.Run("worlds", func(t *testing.T) {
		for _, r := range searched {
			r.horizon += *deep
			t.Run(r.String(), func(t *testing.T) {
				t.Parallel()
				states, why, history := search(r)
				mu.Lock()
				total += states
				mu.Unlock()
				t.Logf("%d states", states)
				if why != "" {
					t.Fatalf("%s, after: %s", why, strings.Join(history, "; "))
				}
			})
		}
	})
	t.Logf("%d states in all", total)
}
