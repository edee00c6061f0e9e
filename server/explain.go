package server

import (
	"context"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// ExplainIdentity shows how arguments become one operation, without recording anything; and of two sets of arguments,
// whether they are the same operation and why.
func (s *operationService) ExplainIdentity(ctx context.Context, req *pb.ExplainIdentityRequest) (*pb.ExplainIdentityResponse, error) {
	chain, err := s.contract(ctx, req)
	if err != nil {
		return nil, err
	}
	m := &pb.ExplainIdentityResponse{ToolVersion: int32(chain[0].Definition.Version)}
	var a, b *explained
	if a, err = s.explainInput(ctx, chain, "a", req.A); err != nil {
		return nil, err
	}
	m.A = a.message
	if req.B == nil {
		return m, nil
	}
	if b, err = s.explainInput(ctx, chain, "b", req.B); err != nil {
		return nil, err
	}
	m.B, m.Comparison = b.message, compare(chain[0], a, b)
	return m, nil
}

// contract finds the tool's versions that count, or compiles the definition that came with the request.
func (s *operationService) contract(ctx context.Context, req *pb.ExplainIdentityRequest) ([]*registry.Compiled, error) {
	if d := req.GetDefinition(); d != nil {
		definition, problems := toolfile.FromProto(d)
		if len(problems) > 0 {
			return nil, problemStatus(pb.ErrorReason_ERROR_REASON_INVALID_TOOL_DEFINITION, problems)
		}
		compiled, err := registry.Compile(definition)
		if err != nil {
			return nil, definitionFaults(err)
		}
		return []*registry.Compiled{compiled}, nil
	}
	config, err := s.tools.refresh(ctx, callOf(ctx).namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	t := config.tools[req.GetTool()]
	if t == nil {
		return nil, invalidField(pb.ErrorReason_ERROR_REASON_UNKNOWN_TOOL, "tool", "there is no tool "+req.GetTool()+" in this namespace; list the tools, or apply its definition")
	}
	if v := req.ToolVersion; v != nil {
		stated := t.versions[int64(*v)]
		if stated == nil {
			return nil, invalidField(pb.ErrorReason_ERROR_REASON_UNKNOWN_TOOL_VERSION, "tool_version", "the tool has no such version; list its versions")
		}
		return []*registry.Compiled{stated.compiled}, nil
	}
	var chain []*registry.Compiled
	for _, v := range t.continuing {
		chain = append(chain, v.compiled)
	}
	return chain, nil
}

// explained is one side of an explanation.
type explained struct {
	message *pb.IdentityExplanation
	core    *canon.Explanation // nil where the arguments are refused
	own     *registry.CallIdentity
}

// explainInput explains one set of arguments. Arguments that are refused are explained by their faults.
func (s *operationService) explainInput(ctx context.Context, chain []*registry.Compiled, field string, in *pb.IdentityInput) (*explained, error) {
	e := &explained{message: &pb.IdentityExplanation{}}
	arguments, faults := argumentsOf(in.GetArgumentsJson(), in.GetArgumentsStruct())
	if len(faults) == 0 {
		faults = chain[0].Validate(arguments)
	}
	if len(faults) > 0 {
		for _, f := range faults {
			e.message.Faults = append(e.message.Faults, faultOf(f))
		}
		return e, nil
	}
	call := registry.Call{Arguments: arguments, Occurrence: in.Occurrence, CallerKey: in.IdempotencyKey, RepeatGranted: true}
	ids, wrong := registry.IdentifyAll(chain, call, s.tokens.hasher(callOf(ctx).namespace()))
	if len(wrong) > 0 {
		for _, f := range wrong {
			fault := faultOf(f.Fault)
			if f.Field != registry.FieldArguments {
				fault.Pointer = ""
				fault.Description = string(f.Field) + ": " + fault.Description
			}
			e.message.Faults = append(e.message.Faults, fault)
		}
		return e, nil
	}
	e.own = ids[0]
	core, wrong := chain[0].Explain(call, s.tokens.hasher(callOf(ctx).namespace()))
	if len(wrong) > 0 {
		return e, nil
	}
	e.core = core
	fillExplanation(e, ids, chain[0].Definition.Identity.Rules.Sensitive, callOf(ctx).sensitive)
	return e, nil
}

func fillExplanation(e *explained, ids []*registry.CallIdentity, hidden []string, sensitive bool) {
	own, m := ids[0], e.message
	m.CanonicalArgumentsJson, m.Fingerprint, m.IdempotencyKey = string(own.Canonical), own.Fingerprint, string(own.Key)
	if len(hidden) > 0 && !sensitive {
		if v, faults := canon.Parse(own.Canonical, canon.Limits{}); len(faults) == 0 {
			m.CanonicalArgumentsJson = string(canon.Redact(v, hidden).Canonical())
		}
	}
	for _, id := range ids[1:] {
		if id.Key != own.Key {
			m.ContinuedKeys = append(m.ContinuedKeys, string(id.Key))
		}
	}
	for _, c := range own.Components {
		m.Components = append(m.Components, &pb.KeyComponent{Name: c.Name, Value: c.Text})
	}
	for _, c := range e.core.Changes {
		m.Changes = append(m.Changes, &pb.FieldChange{Pointer: c.Pointer, Rule: string(c.Rule), BeforeJson: c.Before, AfterJson: c.After})
	}
	for _, f := range e.core.Ignored {
		m.IgnoredPointers = append(m.IgnoredPointers, f.Pointer)
	}
	m.Entity = entityOf(locks.Entity(own.Entity))
	for _, t := range own.Touches {
		m.Touches = append(m.Touches, entityOf(locks.Entity(t)))
	}
}

func faultOf(f canon.Fault) *pb.ArgumentFault {
	return &pb.ArgumentFault{Pointer: f.Pointer, Reason: string(f.Reason), Description: f.Message}
}

// compare says whether two sets of arguments are one operation.
func compare(c *registry.Compiled, a, b *explained) *pb.IdentityComparison {
	if a.own == nil || b.own == nil {
		return &pb.IdentityComparison{
			Relation:    pb.IdentityRelation_IDENTITY_RELATION_REFUSED,
			Explanation: "One of the two is refused, so that they can never be taken for one operation.",
		}
	}
	m := &pb.IdentityComparison{
		DifferingPointers:  c.Diff(a.own.Normalized.Identity, b.own.Normalized.Identity),
		IgnoredDifferences: canon.DiffIgnored(a.core.Ignored, b.core.Ignored),
	}
	same := a.own.Fingerprint == b.own.Fingerprint && a.own.Entity == b.own.Entity && a.own.Occurrence == b.own.Occurrence
	switch {
	case a.own.Key == b.own.Key && same:
		m.Relation, m.Explanation = pb.IdentityRelation_IDENTITY_RELATION_SAME, "The same key and the same arguments: one operation."
	case a.own.Key == b.own.Key:
		m.Relation, m.Explanation = pb.IdentityRelation_IDENTITY_RELATION_KEY_REUSED, "One key, and other arguments: the second would be refused as IDEMPOTENCY_KEY_REUSED."
	default:
		m.Relation, m.Explanation = pb.IdentityRelation_IDENTITY_RELATION_DIFFERENT, "Two keys: two operations."
	}
	return m
}
