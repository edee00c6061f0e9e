package campaign

import (
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

// list reads the run's operations as they stand: those that it has heard of, those that hold the same key, and those that
// undo what they did.
func (p *play) list() {
	keys := map[string]bool{}
	for i := 0; i < len(p.operations); i++ { // it grows
		m, err := p.stage.api.GetOperation(p.stage.ctx, &pb.GetOperationRequest{OperationId: p.operations[i]})
		if status.Code(err) == codes.NotFound {
			// A read that was never reported has no row to show once it is forgotten.
			p.kept[p.operations[i]] = nil
			continue
		}
		if err != nil {
			p.stage.fail(err)
			return
		}
		o := m.Operation
		p.kept[o.OperationId] = o
		for _, s := range o.CompensationSteps {
			if s.OperationId != "" {
				p.hear(s.OperationId)
			}
		}
		if o.IdempotencyKey != "" && !keys[o.IdempotencyKey] {
			keys[o.IdempotencyKey] = true
			p.sameKey(o.IdempotencyKey)
		}
	}
}

// sameKey looks for operations of a key that nobody was told of.
func (p *play) sameKey(key string) {
	m, err := p.stage.api.ListOperations(p.stage.ctx, &pb.ListOperationsRequest{IdempotencyKey: key, PageSize: 100})
	if err != nil {
		p.stage.fail(err)
		return
	}
	for _, o := range m.Operations {
		if o.Tool != p.run.Tool || p.run.Class != registry.PureRead {
			p.hear(o.OperationId)
		}
	}
}

// record is everything that is known of the run when it is over.
func (p *play) record() eval.Record {
	accounts := p.accounts()
	p.list()
	r := eval.Record{
		Run: p.run.Seed, Arm: eval.Opledger, Class: p.run.Class, Tool: p.run.Tool, Agent: p.run.Agent, Key: p.ref, Faults: slices.Clone(p.met),
		Started: p.started, Ended: p.clock(), Wanted: wanted(p.run) - p.withdrawn(), Refusable: p.refused(),
		Effects: p.sim.effects(), Events: map[string][]*pb.OperationEvent{}, Calls: p.calls, Accounts: accounts, Steps: p.steps,
	}
	r.Heard = p.sim.allHeard(r.Effects)
	for _, id := range p.operations {
		o := p.kept[id]
		if o == nil || unreported(o) {
			continue
		}
		r.Operations = append(r.Operations, o)
		r.Events[id] = p.events(id)
		p.step("end", "%s of %s is %s%s", p.name(id), o.Tool, word(o.State), asked(o))
	}
	p.step("end", "the provider has %d effects", len(r.Effects))
	r.Steps = p.steps
	return r
}

// accounts reads the projection of the run's workflow twice, where two runs of it have competed.
func (p *play) accounts() []*pb.Projection {
	var all []*pb.Projection
	for range 2 {
		if p.run.Agent != TwoRuns {
			break
		}
		m, err := p.stage.api.ResumeWorkflow(p.stage.ctx, &pb.ResumeWorkflowRequest{RequestId: p.id(), WorkflowId: p.workflowID(), RunId: "run_2"})
		if err != nil {
			p.stage.fail(err)
			break
		}
		all = append(all, m.Projection)
	}
	return all
}

func asked(o *pb.Operation) string {
	text := ""
	if o.NeedsHuman != nil {
		text += ", and a person was asked"
	}
	for _, i := range o.Incidents {
		text += ", incident " + i.Kind.String()[len("INCIDENT_KIND_"):]
	}
	return text
}

// wanted is how many effects the user of a run wants.
func wanted(r Run) int {
	switch {
	case r.Class == registry.PureRead:
		return 0
	case r.Agent == Repeats:
		return 2
	}
	return 1
}

// withdrawn is how many effects of the run its user no longer wants: each was refused for as long as it was asked for, and
// the user was told so. Only what another operation can hold up is: a repetition, and a run that has another beside it.
func (p *play) withdrawn() int {
	n := 0
	for occurrence, taken := range p.taken {
		if !taken && p.run.Class != registry.PureRead && (occurrence != "" || p.run.Beside != 0) {
			n++
		}
	}
	return n
}

// heldUp holds a refusal against its reason: who is blocked is blocked by an operation that is open.
func (p *play) heldUp(h *pb.Holder) {
	if h.GetOperationId() == "" {
		p.find("expect", eval.ConcurrencySafety, "a proposal was blocked by no operation")
		return
	}
	m, err := p.stage.api.GetOperation(p.stage.ctx, &pb.GetOperationRequest{OperationId: h.GetOperationId()})
	if err != nil {
		p.stage.fail(err)
		return
	}
	if o := m.Operation; o.EndTime != nil {
		p.find("expect", eval.ConcurrencySafety, "a proposal was blocked by %s, which is %s", o.OperationId, word(o.State))
	}
}

// events lists an operation's history.
func (p *play) events(id string) []*pb.OperationEvent {
	var all []*pb.OperationEvent
	for token := ""; ; {
		m, err := p.stage.api.ListOperationEvents(p.stage.ctx, &pb.ListOperationEventsRequest{OperationId: id, PageSize: 1000, PageToken: token})
		if err != nil {
			p.stage.fail(err)
			return all
		}
		all = append(all, m.Events...)
		if token = m.NextPageToken; token == "" {
			return all
		}
	}
}
