package server

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
)

// ApplyRule checks a rule and stores it as its newest version. It is checked against one configuration and stored only
// while that one holds; where it moved in between, the rule is checked anew.
func (s *policyService) ApplyRule(ctx context.Context, req *pb.ApplyRuleRequest) (*pb.ApplyRuleResponse, error) {
	if err := refuseUnknown(pb.ErrorReason_ERROR_REASON_INVALID_RULE, "rule", req.Rule); err != nil {
		return nil, err
	}
	definition, digest, err := ruleForm(req.Rule)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	for try := 0; ; try++ {
		command, known, err := s.checkedRule(ctx, req, digest)
		if err != nil {
			return nil, err
		}
		if command == nil || req.ValidateOnly {
			m := &pb.ApplyRuleResponse{Created: command != nil}
			if known != nil {
				m.Rule = appliedRule(known.message, known.stored)
			}
			return m, nil
		}
		command.Definition = definition
		reply, err := s.config.Ledger.Do(ctx, command)
		var moved *ledger.EpochMovedError
		if errors.As(err, &moved) && try < maxRebuilds {
			continue
		}
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		applied := reply.(*ledger.RuleApplied)
		loaded, _ := loadRule(applied.Rule) // not always the request's: a late repeat is answered with what stands by now
		return &pb.ApplyRuleResponse{Rule: appliedRule(loaded.message, applied.Rule), Created: applied.Created}, s.holdsEverywhere(ctx)
	}
}

// checkedRule checks the rule against the namespace's tools as they are now, and makes the command that stores it; none
// where the same rule holds already. Known is the rule of that id that holds; nil where there is none.
func (s *policyService) checkedRule(ctx context.Context, req *pb.ApplyRuleRequest, digest string) (command *ledger.ApplyRule, known *storedRule, err error) {
	who := callOf(ctx)
	config, err := s.tools.inspect(ctx, who.namespace())
	if err != nil {
		return nil, nil, s.statusOf(ctx, err)
	}
	rule, problems := rulefile.FromProto(req.Rule)
	if len(problems) == 0 {
		problems = policy.CheckRule(config.parts, rule)
	}
	if len(problems) > 0 {
		return nil, nil, ruleFaults(pb.ErrorReason_ERROR_REASON_INVALID_RULE, problems, ruleField)
	}
	known = config.rule(rule.ID)
	if known != nil && known.stored.Digest == digest {
		return nil, known, nil // also a repeat whose first answer was lost, whatever etag it was made from
	}
	number, etag := int64(1), ""
	found, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.RuleKey(who.namespace(), rule.ID))
	switch {
	case err == nil:
		stored := found.(*ledger.Rule) // which may be removed: its numbers go on
		number, etag = stored.RuleVersion+1, stored.Etag()
	case !errors.Is(err, ledger.ErrNotFound):
		return nil, nil, s.statusOf(ctx, err)
	}
	if req.Etag != "" && req.Etag != etag {
		return nil, nil, fail(codes.Aborted, pb.ErrorReason_ERROR_REASON_ETAG_MISMATCH, "the rule has changed since it was read; look at it and apply again", nil)
	}
	return &ledger.ApplyRule{
		Request: requestOf(who, req), Epoch: config.epoch, RuleID: rule.ID, Number: number, Digest: digest, Etag: req.Etag,
	}, known, nil
}

// rule finds a rule that holds; nil where there is none.
func (c *configuration) rule(id string) *storedRule {
	for _, r := range c.rules {
		if r.stored.ID == id {
			return r
		}
	}
	return nil
}

// appliedRule is a rule at its newest version as a message.
func appliedRule(message *pb.PolicyRule, r *ledger.Rule) *pb.AppliedRule {
	return &pb.AppliedRule{
		Rule: message, Version: int32(r.RuleVersion), AppliedBy: string(r.AppliedBy), ApplyTime: stamp(r.AppliedAt),
		RemoveTime: stamp(r.RemovedAt), Etag: r.Etag(),
	}
}

// RemoveRule ends a rule. Its versions and decisions stay on the record.
func (s *policyService) RemoveRule(ctx context.Context, req *pb.RemoveRuleRequest) (*pb.RemoveRuleResponse, error) {
	who := callOf(ctx)
	reply, err := do[ledger.RuleRemoved](ctx, s.Server, &ledger.RemoveRule{
		Request: requestOf(who, req), RuleID: req.RuleId, Reason: req.Reason, Etag: req.Etag,
	})
	if err != nil {
		return nil, err
	}
	removed, _ := loadRule(reply.Rule) // one that cannot be read any more is removed all the same
	return &pb.RemoveRuleResponse{Rule: appliedRule(removed.message, reply.Rule)}, s.holdsEverywhere(ctx)
}
