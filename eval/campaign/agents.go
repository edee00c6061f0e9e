package campaign

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

const (
	// maxProposals bounds how often one agent asks.
	maxProposals = 20
	// pause is how long an agent waits before it asks again where the answer names no time, longer each time.
	pause, longestPause = 4 * tick, 5 * time.Minute
)

// intent is one thing that an agent wants.
type intent struct {
	occurrence    string
	workflow, run string
	// arguments are the arguments of the n-th proposal, as this caller writes them.
	arguments func(n int) string
	from      time.Duration // how long the process waits before it begins
	before    func(*actor)  // what it does first
	// log is what a process wrote down before it made its requests, for the one that comes after it.
	log []*pb.ProposeOperationRequest
}

// cast starts the run's actors.
func (p *play) cast() {
	switch p.run.Agent {
	case TwoChannels:
		p.agent("chat", &intent{arguments: p.spelling(0)})
		p.agent("button", &intent{arguments: p.spelling(1), from: time.Duration(p.run.luck("channel").IntN(4)) * tick})
	case Rephraser:
		p.agent("agent", &intent{arguments: p.rephrased})
	case TwoRuns:
		p.twoRuns()
	case Liar:
		p.liar()
	case Repeats:
		p.agent("agent", &intent{arguments: p.spelling(0)}, &intent{arguments: p.spelling(0), occurrence: secondItem})
	default:
		p.agent("agent", &intent{arguments: p.spelling(0)})
	}
}

// agent starts a process that pursues intents, one after the other, and another one in its place when it crashes.
func (p *play) agent(name string, intents ...*intent) {
	p.act(name, func(a *actor) {
		defer func() {
			if r := recover(); r != nil {
				if !p.closed {
					p.succeed(name+"'", intents)
				}
				panic(r)
			}
		}()
		a.sleep(intents[0].from)
		for _, i := range intents {
			if i.before != nil {
				i.before(a)
			}
			a.pursue(i)
		}
	})
}

// succeed starts the process that follows a crashed one. It begins from the start, and knows what was written down: the log
// of requests, where this agent keeps one.
func (p *play) succeed(name string, intents []*intent) {
	wait := time.Duration(1+p.run.luck(name).IntN(24)) * tick
	var again []*intent
	for _, i := range intents {
		next := *i
		next.from = wait
		again = append(again, &next)
	}
	p.agent(name, again...)
}

// pursue proposes until the outcome is known, a person has it, or patience ends. It acts on a permit that is present, and
// on nothing else.
func (a *actor) pursue(i *intent) {
	nagged := false
	for n := range maxProposals {
		m, asked := a.propose(i, n)
		switch {
		case m == nil:
		case m.Permit != nil:
			if s := a.carryOut(m.Permit, asked); a.play.run.Class == registry.PureRead && readOver(s) {
				return // to propose a read again is to read again
			}
			continue // and asks what has become of it
		case m.Lookup != nil && len(m.Lookup.Questions) > 0:
			a.lookUp(m.Result.OperationId, m.Lookup, m.Lookup.Questions[0])
		case m.Decision == pb.Decision_DECISION_REPLAYED, m.Decision == pb.Decision_DECISION_DENIED:
			a.settle(m.Result)
			return
		case m.Result.GetNextAction().GetKind() == pb.NextActionKind_NEXT_ACTION_KIND_ASK_PERSON:
			if nagged || !a.play.outlivesKeys() {
				return
			}
			nagged = true
			a.sleep(afterRetention)
			continue
		}
		a.sleep(until(m, n))
	}
	if !a.play.taken[i.occurrence] {
		a.play.step(a.name, "tells its user that it is not done%s: it was refused for as long as it asked", occurring(i.occurrence))
	}
}

// readOver reports whether a read needs no other.
func readOver(s pb.Operation_State) bool {
	return s == pb.Operation_STATE_COMPLETED_SUCCESS || s == pb.Operation_STATE_FAILED_PERMANENT
}

// afterRetention is longer than the provider keeps its keys.
const afterRetention = 25 * time.Minute

// outlivesKeys reports whether the run's agent comes back once the provider has forgotten its keys.
func (p *play) outlivesKeys() bool {
	return slices.Contains(p.run.Provider, eval.KeyForgotten) || p.run.Broken == eval.KeyForgottenEarly
}

// propose makes the n-th proposal of an intent; nil: it was refused.
func (a *actor) propose(i *intent, n int) (*pb.ProposeOperationResponse, time.Time) {
	p := a.play
	request := &pb.ProposeOperationRequest{
		RequestId: p.id(), WorkflowId: i.workflow, RunId: i.run, Tool: p.tool.name, Occurrence: i.occurrence,
		Arguments:   &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: i.arguments(n)},
		Correlation: &pb.Correlation{ToolCallId: fmt.Sprintf("call_%s_%d", a.name, n)},
	}
	if n < len(i.log) {
		request = i.log[n] // the very same, as a durable caller replays it
	} else if p.run.Agent == Replay {
		i.log = append(i.log, request)
	}
	a.restarts(whileProposed)
	if p.befalls(eval.LostProposeAnswer) {
		p.lose["propose"]++
	}
	answer, asked, err := again(a, "propose", request, p.stage.api.ProposeOperation)
	p.proposals++
	if err != nil {
		p.step(a.name, "proposes %s: %s", request.GetArgumentsJson(), reasonOf(err))
		return nil, asked
	}
	p.step(a.name, "proposes %s%s: %s, %s", request.GetArgumentsJson(), occurring(i.occurrence), decided(answer.Decision), describe(p, answer))
	p.taken[i.occurrence] = p.taken[i.occurrence] || answer.GetResult().GetOperationId() != ""
	if answer.Decision == pb.Decision_DECISION_BLOCKED {
		p.contended++
		p.heldUp(answer.Holder)
	}
	if p.replays(afterPropose) {
		a.crash("after it has proposed")
	}
	return answer, asked
}

func occurring(o string) string {
	if o == "" {
		return ""
	}
	return " as " + o
}

// describe is what of an answer a reader of the history needs.
func describe(p *play, m *pb.ProposeOperationResponse) string {
	if m.Result.GetOperationId() == "" {
		return m.GetDecidedBy().GetRuleId()
	}
	text := p.name(m.Result.OperationId) + " is " + word(m.Result.State)
	if m.Permit != nil {
		text += fmt.Sprintf(", permit of attempt %d", m.Permit.AttemptNumber)
		if m.Permit.Resend {
			text += ", the same request again"
		}
	}
	return text
}

// until is how long an agent waits after an answer: a tick longer than it says, so that chance in its fractions decides
// nothing; and where it says nothing, longer each time.
func until(m *pb.ProposeOperationResponse, n int) time.Duration {
	if m.GetRetryAfter().AsDuration() > 0 {
		return min(m.RetryAfter.AsDuration().Truncate(time.Second)+tick, time.Hour)
	}
	return min(pause*time.Duration(1+n), longestPause)
}

// settle is what an agent does when it knows how a tool call came out: it has it undone where the run says so, and the liar
// says what is true by now.
func (a *actor) settle(r *pb.ToolResult) {
	p := a.play
	switch {
	case r.GetState() != pb.Operation_STATE_COMPLETED_SUCCESS:
	case p.undo:
		p.undo = false
		a.compensate(r.OperationId)
	case p.run.Agent == Liar:
		if err := a.claim(r.OperationId, pb.ClaimKind_CLAIM_KIND_DONE); err != nil {
			p.find("expect", eval.WhatIsTold, "the true claim that %s was done was not taken: %s", p.name(r.OperationId), reasonOf(err))
		}
	}
}

// compensate asks for an effect to be undone.
func (a *actor) compensate(operation string) {
	_, _, err := again(a, "compensate", &pb.CompensateOperationRequest{OperationId: operation, RequestId: a.play.id(), Reason: "The order was cancelled."},
		a.play.stage.api.CompensateOperation)
	what := "taken on"
	if err != nil {
		what = reasonOf(err)
	}
	a.play.step(a.name, "asks that %s be undone: %s", a.play.name(operation), what)
}

// decided is a decision as DESIGN writes it.
func decided(d pb.Decision) string { return strings.TrimPrefix(d.String(), "DECISION_") }

// word is a state in small letters.
func word(s pb.Operation_State) string {
	return strings.ToLower(strings.TrimPrefix(s.String(), "STATE_"))
}
