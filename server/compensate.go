package server

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/playbook"
)

// CompensateOperation undoes one effect by the playbook of its tool, as the tool's newest version has it. Asked again, it
// answers with the steps that were recorded the first time.
func (s *operationService) CompensateOperation(ctx context.Context, req *pb.CompensateOperationRequest) (*pb.CompensateOperationResponse, error) {
	done, err := s.compensate(ctx, &ledger.Compensate{
		Namespace: callOf(ctx).namespace(), Actor: callOf(ctx).actor(), OperationID: ledger.OperationID(req.OperationId),
		EffectID: req.EffectId, Reason: req.Reason, Etag: req.Etag, Jitter: s.ids.jitter(),
	})
	if err != nil {
		return nil, err
	}
	o, err := s.waitForEnd(ctx, done.Operation, req.Wait.AsDuration())
	if err != nil {
		return nil, err
	}
	m, err := s.readOperation(ctx, o)
	if err != nil {
		return nil, err
	}
	return &pb.CompensateOperationResponse{Operation: m, Result: m.Result}, nil
}

// compensate hands in a compensation. Where the operation or the configuration moves under it, it is built anew.
func (s *Server) compensate(ctx context.Context, command *ledger.Compensate) (*ledger.Compensation, error) {
	for try := 0; ; try++ {
		if err := s.plan(ctx, command); err != nil {
			return nil, err
		}
		reply, err := s.config.Ledger.Do(ctx, command)
		var epoch *ledger.EpochMovedError
		var operation *ledger.OperationMovedError
		if (errors.As(err, &epoch) || errors.As(err, &operation)) && try < maxRebuilds {
			continue
		}
		s.announce(reply, err)
		if operation != nil {
			return nil, fail(codes.Aborted, pb.ErrorReason_ERROR_REASON_ETAG_MISMATCH, "the operation keeps changing; ask again", nil)
		}
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		return reply.(*ledger.Compensation), nil
	}
}

// plan works out the steps by the playbook, from the operation as it is recorded now. One that has a compensation of that
// effect already needs none: whatever the playbook is by now, its steps are recorded. The configuration is read anew, since
// a refusal is no answer of the ledger's that would say that it has moved.
func (s *Server) plan(ctx context.Context, c *ledger.Compensate) error {
	o, err := s.config.Ledger.Engine().GetOperation(ctx, c.Namespace, c.OperationID)
	if err != nil {
		return s.statusOf(ctx, err)
	}
	if who := callOf(ctx); !who.MayTool(o.Tool) {
		return who.unreached(o.Tool)
	}
	config, err := s.tools.refresh(ctx, c.Namespace)
	if err != nil {
		return s.statusOf(ctx, err)
	}
	c.Epoch, c.Plan, c.PlannedAt = config.epoch, nil, o.Version
	effect, refusal := c.Effect(o)
	if refusal != nil || o.HasCompensation(effect) {
		return nil // the ledger says so, or answers with what there is
	}
	book, err := s.playbookOf(ctx, config, o)
	if err != nil {
		return err
	}
	plan, err := book.Plan(originalOf(o, effect))
	if err != nil {
		return notCompensable(o, err.Error())
	}
	c.Plan = &ledger.UndoPlan{EffectID: effect, Approval: plan.Approval, EscalateTo: book.Definition.EscalateTo}
	for _, step := range plan.Steps {
		if err := admitsStep(config, o, step); err != nil {
			return err
		}
		c.Plan.Steps = append(c.Plan.Steps, ledger.UndoStep(step))
	}
	return nil
}

// playbookOf is the playbook of an operation's tool at its newest version: one that was taken back undoes nothing any more.
func (s *Server) playbookOf(ctx context.Context, config *configuration, o *ledger.Operation) (*playbook.Playbook, error) {
	t := config.tools[o.Tool]
	if t == nil {
		return nil, notCompensable(o, "the tool "+o.Tool+" is not in this namespace any more")
	}
	book, problems := t.newest().compiled.CompilePlaybook()
	switch {
	case len(problems) > 0:
		return nil, s.statusOf(ctx, problems[0])
	case book == nil:
		return nil, notCompensable(o, "the tool "+o.Tool+" has no playbook, and nobody invents one; ask a person who can undo it by hand")
	}
	return book, nil
}

// originalOf is what a playbook is worked out from.
func originalOf(o *ledger.Operation, effect string) playbook.Original {
	original := playbook.Original{
		Arguments: o.Arguments, Canonical: o.Canonical,
		Effect: playbook.Effect{ID: effect, Provider: o.Terms.Provider, Account: o.Terms.Account},
	}
	if o.Result != nil {
		original.Result = o.Result.JSON
	}
	return original
}

// admitsStep holds a step against its tool before anything is recorded, so that no compensation is begun that its own
// tools would refuse.
func admitsStep(config *configuration, o *ledger.Operation, step playbook.Planned) error {
	t := config.tools[step.Tool]
	switch {
	case step.Skipped:
		return nil
	case t == nil:
		return notCompensable(o, "there is no tool "+step.Tool+", which the step "+step.Name+" of its playbook needs; apply it")
	case !t.newest().compiled.Definition.AdmitsUndoing():
		return notCompensable(o, "the tool "+step.Tool+" of the step "+step.Name+" admits no named occurrence by now")
	}
	arguments, faults := canon.Parse(step.Arguments, canon.Limits{})
	if len(faults) == 0 {
		faults = t.newest().compiled.Validate(arguments)
	}
	if len(faults) > 0 {
		return notCompensable(o, "the tool "+step.Tool+" does not take what the step "+step.Name+" would propose: "+faults[0].Pointer+" "+faults[0].Message)
	}
	return nil
}

func notCompensable(o *ledger.Operation, because string) error {
	return fail(codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_COMPENSATION_NOT_POSSIBLE,
		"operation "+string(o.ID)+" is not undone: "+because, map[string]string{"operation_id": string(o.ID), "state": string(o.State)})
}
