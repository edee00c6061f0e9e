package server

import (
	"context"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// undoingOf says what an operation undoes, and which of its effects are undone.
func undoingOf(m *pb.Operation, o *ledger.Operation) {
	if o.Undoes != nil {
		m.CompensatesOperationId = string(o.Undoes.Original)
	}
	for i, e := range o.Effects {
		m.Effects[i].UndoTime = stamp(o.UndoneAt(e.EffectID))
	}
}

// standingEffect is the effect that a result speaks of: one that is not undone, where there is one.
func standingEffect(o *ledger.Operation) string {
	if stands := o.StandingEffects(); len(stands) > 0 {
		return stands[0]
	}
	return o.Effects[0].EffectID
}

// withSteps adds the steps of an operation's compensations, each with the operation that carries it out.
func (s *Server) withSteps(ctx context.Context, m *pb.Operation, o *ledger.Operation) error {
	for i := range o.Undoing {
		for _, id := range o.Undoing[i].Steps {
			step, err := s.stepOf(ctx, o, id)
			if err != nil {
				return s.statusOf(ctx, err)
			}
			m.CompensationSteps = append(m.CompensationSteps, step)
		}
	}
	return nil
}

func (s *Server) stepOf(ctx context.Context, o *ledger.Operation, id string) (*pb.CompensationStep, error) {
	engine := s.config.Ledger.Engine()
	record, err := engine.GetRecord(ctx, ledger.StepKey(o.Namespace, id))
	if err != nil {
		return nil, err
	}
	step := record.(*ledger.Step)
	m := &pb.CompensationStep{
		Step: step.Name, EffectId: step.EffectID, OperationId: string(step.OperationID), WaitsFor: step.WaitsFor, Tool: step.Tool,
		Occurrence: step.Occurrence(), Status: enumOf[pb.CompensationStep_Status](pb.CompensationStep_Status_value, "STATUS_", string(step.Status)),
	}
	var sensitive []string
	if step.OperationID != "" {
		carries, err := engine.GetOperation(ctx, o.Namespace, step.OperationID)
		if err != nil {
			return nil, err
		}
		m.State, sensitive = stateOf(carries.State), carries.Sensitive
	} else if config, err := s.tools.get(ctx, o.Namespace); err == nil && config.tools[step.Tool] != nil {
		sensitive = config.tools[step.Tool].newest().compiled.Definition.Identity.Rules.Sensitive
	}
	m.ArgumentsJson = argumentsOfStep(step, o, sensitive, callOf(ctx).sensitive)
	return m, nil
}

// argumentsOfStep are the arguments that the step proposes, for a reader. What the original's tool marks sensitive may
// stand anywhere in them.
func argumentsOfStep(step *ledger.Step, o *ledger.Operation, sensitive []string, may bool) string {
	switch {
	case may, len(step.Arguments) == 0, len(sensitive)+len(o.Sensitive) == 0:
		return string(step.Arguments)
	case len(o.Sensitive) > 0:
		return ""
	}
	v, faults := canon.Parse(step.Arguments, canon.Limits{})
	if len(faults) > 0 {
		return ""
	}
	return string(canon.Redact(v, sensitive).Canonical())
}
