package smallworld

import (
	"github.com/opledger/opledger/ledger"
)

// processSteps are those of one holder of a permit, of what it has left on the wire, and of its report.
func (w world) processSteps(r rules, i int, add adder) {
	p := w.processes[i]
	does := func(verb verb, to world) {
		add(step{verb: verb, actor: byte(p.operation), attempt: byte(p.attempt), copied: p.copied}, to)
	}
	if p.phase == ready {
		does(givesUp, w.with(i, func(p *process) { p.phase, p.outcome = done, ledger.OutcomeNotSent }))
		if r.begin {
			w.beginSteps(r, i, does)
		}
	}
	if p.phase != done {
		does(dies, w.with(i, func(p *process) { p.phase = done }))
		live := w.operation(p.operation).Live == int64(p.attempt)
		if r.babbles && live {
			to, _ := w.decide(r, w.report(r, &p, ledger.OutcomeAmbiguous, false))
			does(givenUpOutside, to)
		}
		if r.extends && live {
			to, out := w.decide(r, w.extend(&p))
			if held, ok := out.Reply.(*ledger.Held); ok && tickOf(held.Attempt.Deadline) > p.deadline {
				does(extendsPermit, to.with(i, func(p *process) { p.deadline = tickOf(held.Attempt.Deadline) }))
			}
		}
	}
	if r.maySend(&w, &p) {
		w.sendSteps(r, i, does)
	}
	w.wireSteps(r, i, does)
	if p.outcome != "" {
		w.reportSteps(r, i, does)
	}
}

// beginSteps ask the ledger right before the first byte. A begin whose answer is lost may be said again.
func (w world) beginSteps(r rules, i int, does func(verb, world)) {
	p := &w.processes[i]
	epochs := []int64{w.servers[0].epoch}
	if w.servers[1].epoch != epochs[0] {
		epochs = append(epochs, w.servers[1].epoch)
	}
	for _, epoch := range epochs {
		to, out := w.decide(r, w.begin(p, epoch))
		if no, refused := out.Err.(*ledger.Refusal); refused && r.broken != nil && r.broken.accepts != nil && r.broken.accepts(no) {
			out.Err = nil
		}
		if out.Err != nil {
			continue
		}
		if w.said[p.operation] && to.wrong == "" {
			to.wrong = "heed: a begin was accepted although the effect was said to exist"
		}
		does(begins, to.with(i, func(p *process) { p.phase = begun }))
		does(beginAnswerLost, to)
	}
}

// sendSteps are what the provider may do with a request.
func (w world) sendSteps(r rules, i int, does func(verb, world)) {
	does(sendsRejected, w.with(i, func(p *process) { p.phase, p.outcome = done, ledger.OutcomeRejected }))
	does(sendsInFlight, w.with(i, func(p *process) { p.phase, p.outcome, p.inFlight = done, ledger.OutcomeAmbiguous, w.now }))
	to, id := w.commit(r, &w.processes[i])
	does(sendsCommitted, to.with(i, func(p *process) { p.phase, p.outcome, p.effect = done, ledger.OutcomeSucceeded, id }))
	if r.finishesLater {
		does(sendsTakenOn, w.with(i, func(p *process) { p.phase, p.outcome, p.pending = done, ledger.OutcomeAcknowledge, w.now }))
	}
}

// wireSteps are what becomes of a request that has left and was not answered.
func (w world) wireSteps(r rules, i int, does func(verb, world)) {
	p := &w.processes[i]
	if p.inFlight != never {
		to, _ := w.commit(r, p)
		does(arrivesLate, to.with(i, func(p *process) { p.inFlight = never }))
		does(neverArrives, w.with(i, func(p *process) { p.inFlight = never }))
	}
	if p.pending != never {
		to, id := w.commit(r, p)
		does(providerFinishes, to.with(i, func(p *process) {
			p.pending = never
			if p.outcome == "" {
				p.outcome, p.effect, p.repeats = ledger.OutcomeSucceeded, id, false
			}
		}))
		does(providerGivesUp, w.with(i, func(p *process) { p.pending = never }))
	}
}

// reportSteps are what becomes of a report: it arrives at any time, or never, or its answer is lost and it comes twice.
func (w world) reportSteps(r rules, i int, does func(verb, world)) {
	p := &w.processes[i]
	to, _ := w.decide(r, w.report(r, p, p.outcome, true))
	to.said[p.operation] = to.said[p.operation] || p.outcome == ledger.OutcomeSucceeded
	does(reports, to.with(i, func(p *process) { p.outcome, p.effect, p.again, p.repeats = "", "", false, false }))
	if !p.repeats {
		does(reportAnswerLost, to.with(i, func(p *process) { p.repeats = true }))
	}
	if r.babbles && p.outcome == ledger.OutcomeAmbiguous {
		does(reportsTwice, to.with(i, func(p *process) { p.outcome, p.again, p.repeats = ledger.OutcomeNotSent, true, false }))
	}
	does(diesUnreported, w.with(i, func(p *process) { p.outcome, p.effect, p.again, p.repeats = "", "", false, false }))
}
