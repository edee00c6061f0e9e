package campaign

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/reply"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/registry"
)

// loopTries is how often a loop without a ledger makes one tool call.
const loopTries = 3

// baseline plays a run without Opledger: the same agent, the same provider, the same faults. What stands between them is a
// loop that calls again when it does not know (Naive), with the provider's own idempotency keys besides (VendorKeys).
//
// The loop is no straw man: it does not try again what was refused or what it knows to be done, and heeds Retry-After. Its
// vendor keys are made as they are usually made, one for each call site and its arguments, and live as long as the process.
func baseline(r Run, arm eval.Arm) eval.Record {
	s := &stage{now: world.Start}
	p := s.newPlay(1, r)
	b := &bare{play: p, keyed: arm == eval.VendorKeys}
	b.cast()
	for len(s.queue.events) > 0 {
		s.now = s.queue.events[0].at
		a, _ := s.queue.due(s.now)
		s.wake(a)
	}
	for at, some := p.sim.p.NextOf(p.ref); some; at, some = p.sim.p.NextOf(p.ref) {
		s.now = at
		p.sim.p.WebhooksOf(p.ref, at) // nobody listens
	}
	p.close()
	return eval.Record{
		Run: r.Seed, Arm: arm, Class: r.Class, Tool: r.Tool, Agent: r.Agent, Key: p.ref, Faults: p.met, Started: p.started, Ended: s.now,
		Wanted: wanted(r), Refusable: p.refused(), Effects: p.sim.p.Effects(p.ref), Steps: p.steps,
	}
}

// refused reports whether the provider has refused the run for good.
func (p *play) refused() bool {
	for _, f := range p.met {
		if f == eval.Refused {
			return true
		}
	}
	return false
}

// bare is a run without a ledger.
type bare struct {
	*play
	keyed bool
}

// cast starts the actors that cast starts with a ledger.
func (b *bare) cast() {
	switch b.run.Agent {
	case TwoChannels:
		b.agent("chat", 0, b.spelling(0))
		b.agent("button", time.Duration(b.run.luck("channel").IntN(4))*tick, b.spelling(1))
	case Rephraser:
		b.agent("agent", 0, b.rephrased)
	case TwoRuns:
		b.agent("run_1", 0, b.spelling(0))
		b.agent("run_2", time.Duration(b.run.luck("takeover").IntN(24))*tick, b.spelling(1))
	case Liar:
		b.step("liar", "tells its user that it is done, and does nothing")
	case Repeats:
		b.agent("agent", 0, b.spelling(0), b.spelling(0))
	default:
		if b.run.Agent == Replay {
			b.crashAt = pick(b.run.luck("replay"), places)
		}
		b.agent("agent", 0, b.spelling(0))
	}
}

// agent starts a process that makes tool calls, and another one in its place when it crashes. The later one knows nothing of
// the earlier one's keys.
func (b *bare) agent(name string, from time.Duration, calls ...func(int) string) {
	b.act(name, func(a *actor) {
		defer func() {
			if r := recover(); r != nil {
				if !b.closed {
					b.agent(name+"'", time.Duration(1+b.run.luck(name+"'").IntN(24))*tick, calls...)
				}
				panic(r)
			}
		}()
		a.sleep(from)
		keys := map[string]string{}
		for site, arguments := range calls {
			b.call(a, site, arguments, keys)
		}
	})
}

// call makes one tool call until it is known how it came out, or the tries are used up.
func (b *bare) call(a *actor, site int, arguments func(int) string, keys map[string]string) {
	for n := range loopTries {
		text := arguments(n)
		if b.replays(afterPropose) || b.replays(beforeSend) || b.befalls(eval.CrashBeforeSend) {
			a.crash("before it sends")
		}
		for _, f := range []eval.Fault{eval.FreezeBeforeSend, eval.ClockSteps} {
			if b.befalls(f) || b.breaks(f) {
				a.sleep(90 * time.Second)
			}
		}
		if b.breaks(eval.FreezeAfterLook) {
			a.sleep(longFreeze)
		}
		answer := b.write(a, b.vendorKey(site, text, keys), text)
		if b.replays(afterSend) || b.befalls(eval.CrashAfterSend) {
			a.crash("after it has sent")
		}
		a.sleep(answer.Took)
		if b.befalls(eval.LostReport) || b.befalls(eval.LostReportAnswer) {
			b.step(a.name, "the tool's answer does not reach the loop")
			answer = reply.Reply{Outcome: reply.Ambiguous}
		}
		switch answer.Outcome {
		case reply.Succeeded, reply.Acknowledged, reply.Rejected:
			return
		}
		a.sleep(max(answer.After, pause))
	}
	b.step(a.name, "gives up")
}

// vendorKey is the key of one call site with its arguments; empty: there are none.
func (b *bare) vendorKey(site int, arguments string, keys map[string]string) string {
	if !b.keyed {
		return ""
	}
	name := fmt.Sprint(site, arguments)
	if keys[name] == "" {
		keys[name] = b.id()
	}
	return keys[name]
}

// write sends one request.
func (b *bare) write(a *actor, key, arguments string) reply.Reply {
	r := provider.Request{
		Method: provider.Create, Collection: b.tool.intent + "s", BusinessKey: b.ref, VendorKey: key, Body: []byte(arguments), Patience: patience,
	}
	if b.tool.class == registry.PureRead {
		r.Method = provider.Read
	}
	f := b.sim.fault()
	answer := reply.Understand(b.sim.p.Write(r, f), tick)
	b.step(a.name, "sends %s (%s): %s", arguments, f, answer)
	return answer
}
