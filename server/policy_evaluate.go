package server

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
)

// EvaluatePolicy answers as ProposeOperation would decide, without recording anything: what a plan would be answered, by
// rules and in a world that may be made up.
func (s *policyService) EvaluatePolicy(ctx context.Context, req *pb.EvaluatePolicyRequest) (*pb.EvaluatePolicyResponse, error) {
	world, err := worldFrom(req.World)
	if err != nil {
		return nil, err
	}
	p, err := s.evaluation(ctx, req)
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		command, err := p.build(ctx)
		if err != nil && p.outdated(ctx) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var reply any
		if command.Rules, err = s.candidates(ctx, req.CandidateRules, command); err == nil {
			reply, err = transact.Peek(ctx, s.config.Ledger.Engine(), &ledger.Evaluate{Propose: command, World: world})
		}
		if p.moved(ctx, err) && try < maxRebuilds {
			continue
		}
		if err != nil {
			return nil, s.statusOf(ctx, p.withDifferences(err))
		}
		answer := reply.(*ledger.Answer)
		m := p.answerOf(p.call, answer, p.tool.newest())
		return &pb.EvaluatePolicyResponse{Plan: p.plan(answer), Result: m.Result, Holder: m.Holder}, nil
	}
}

// evaluation makes the proposal that is not made: planned only, of the caller or of the principal that it is judged for.
// Of another principal nothing is known but its name: its roles are those of the example, or none.
func (s *Server) evaluation(ctx context.Context, req *pb.EvaluatePolicyRequest) (*proposal, error) {
	p := s.newProposal(ctx, &pb.ProposeOperationRequest{
		RequestId: s.ids.fresh("evaluation-"), Tool: req.Tool, ToolVersion: req.ToolVersion, Occurrence: req.Occurrence,
		WorkflowId: req.WorkflowId, RunId: req.RunId, LeaseToken: req.LeaseToken, EntityVersion: req.EntityVersion,
		OverrideGrantIds: req.OverrideGrantIds, Mode: pb.ProposalMode_PROPOSAL_MODE_PLAN_ONLY,
	})
	switch arguments := req.Arguments.(type) {
	case *pb.EvaluatePolicyRequest_ArgumentsJson:
		p.request.Arguments = &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: arguments.ArgumentsJson}
	case *pb.EvaluatePolicyRequest_ArgumentsStruct:
		p.request.Arguments = &pb.ProposeOperationRequest_ArgumentsStruct{ArgumentsStruct: arguments.ArgumentsStruct}
	}
	if as := ledger.Principal(req.AsPrincipal); as != "" && as != p.call.Principal {
		if !p.call.May(callers.Administer) {
			return nil, fail(codes.PermissionDenied, pb.ErrorReason_ERROR_REASON_PERMISSION_DENIED,
				"the credential of "+string(p.call.Principal)+" may not judge for another principal; that needs the role "+string(callers.Administer), nil)
		}
		p.call.Caller = callers.Caller{Namespace: p.call.Namespace, Principal: as}
	}
	if roles := req.GetWorld().GetRoles(); len(roles) > 0 {
		p.call.Teams, p.call.Local = slices.Clone(roles), false
	}
	return p, nil
}

// candidates are the rules that a proposal is judged by: those that hold, but for the candidates, which come beside them
// or take their place.
func (s *Server) candidates(ctx context.Context, messages []*pb.PolicyRule, command *ledger.Propose) (*policy.Set, error) {
	if len(messages) == 0 {
		return command.Rules, nil
	}
	config, err := s.tools.get(ctx, command.Namespace)
	if err != nil {
		return nil, err
	}
	if config.epoch != command.Epoch {
		return nil, &ledger.EpochMovedError{Have: command.Epoch, Now: config.epoch}
	}
	parts := config.parts
	parts.Rules = slices.Clone(parts.Rules)
	at := map[string]int{}
	for i, m := range messages {
		field := fmt.Sprintf("candidate_rules[%d]", i)
		if err := refuseUnknown(pb.ErrorReason_ERROR_REASON_INVALID_RULE, field, m); err != nil {
			return nil, err
		}
		rule, problems := rulefile.FromProto(m)
		if _, twice := at[rule.ID]; twice {
			return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_RULE, field, "the rule "+rule.ID+" is among the candidates twice; name each once")
		}
		at[rule.ID] = i
		if len(problems) > 0 {
			return nil, candidateFaults(problems, at)
		}
		parts.Rules = append(slices.DeleteFunc(parts.Rules, func(r policy.Rule) bool { return r.ID == rule.ID }), rule)
	}
	compiled, problems := policy.Compile(parts)
	if len(problems) > 0 {
		return nil, candidateFaults(problems, at)
	}
	return compiled, nil
}

func candidateFaults(problems []policy.Problem, at map[string]int) error {
	return ruleFaults(pb.ErrorReason_ERROR_REASON_INVALID_RULE, problems, func(p policy.Problem) string {
		return fmt.Sprintf("candidate_rules[%d].%s", at[p.Rule], p.Path)
	})
}

// worldFrom reads a made-up world.
func worldFrom(m *pb.ExampleWorld) (ledger.ExampleWorld, error) {
	w := ledger.ExampleWorld{Counters: m.GetCounters()}
	if m != nil {
		w.EntityState = m.EntityState
	}
	if t := m.GetTime(); t != nil {
		if err := t.CheckValid(); err != nil {
			return w, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "world.time", "the time is no time of the years 1 to 9999; send one of them, or leave it out for now")
		}
		w.Now = t.AsTime()
	}
	if text := m.GetEntityAttributesJson(); text != "" {
		v, faults := canon.Parse([]byte(text), canon.Limits{})
		if len(faults) > 0 || v.Kind() != canon.KindObject {
			return w, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "world.entity_attributes_json", "the attributes are a JSON object, such as {\"tier\":\"gold\"}; send one, or leave them out")
		}
		w.EntityAttributes = v.Canonical()
	}
	return w, nil
}
