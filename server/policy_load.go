package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
)

// storedRule is a rule that holds, as it was applied and as the policy reads it.
type storedRule struct {
	stored  *ledger.Rule
	message *pb.PolicyRule
	rule    policy.Rule
}

// loadPolicy compiles the policy of one configuration. At an epoch that is known already nothing has changed.
func (c *toolCache) loadPolicy(ctx context.Context, ns ledger.Namespace, next *configuration, set ledger.ToolSet, old *configuration) {
	if old != nil && old.epoch == next.epoch {
		next.rules, next.parts, next.policy, next.faults = old.rules, old.parts, old.policy, old.faults
		return
	}
	next.parts.Tools = policyTools(next.tools)
	for _, stored := range set.Rules {
		rule, problems := loadRule(stored)
		next.faults = append(next.faults, problems...)
		next.rules = append(next.rules, rule)
		next.parts.Rules = append(next.parts.Rules, rule.rule)
	}
	slices.SortFunc(next.rules, func(a, b *storedRule) int { return strings.Compare(a.stored.ID, b.stored.ID) })
	for _, s := range set.Switches {
		next.parts.Switches = append(next.parts.Switches, s.Policy())
	}
	for _, s := range set.Standing {
		next.parts.Standing = append(next.parts.Standing, s.Terms)
	}
	compiled, problems := policy.Compile(next.parts)
	next.policy, next.faults = compiled, append(next.faults, problems...)
	for _, p := range next.faults {
		c.log.ErrorContext(ctx, "a stored rule does not compile: the namespace admits no proposal until it is applied anew or removed",
			"namespace", ns, "rule", p.Rule, "problem", p.Error())
	}
}

// policyTools are the newest versions of the tools as the policy reads them, in the order of their names.
func policyTools(tools map[string]*tool) []policy.Tool {
	var all []policy.Tool
	for _, t := range tools {
		all = append(all, t.newest().compiled.PolicyTool())
	}
	slices.SortFunc(all, func(a, b policy.Tool) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// loadRule reads a stored rule.
func loadRule(stored *ledger.Rule) (*storedRule, []policy.Problem) {
	r := &storedRule{stored: stored, message: &pb.PolicyRule{}}
	var problems []policy.Problem
	if err := proto.Unmarshal(stored.Definition, r.message); err != nil {
		problems = []policy.Problem{{Rule: stored.ID, Code: policy.CodeUnknown, Message: "The stored rule cannot be read; apply it anew."}}
	} else {
		r.rule, problems = rulefile.FromProto(r.message)
	}
	r.rule.ID, r.rule.Version = stored.ID, stored.RuleVersion
	return r, problems
}

// ruleForm is a rule as it is stored, and the digest by which the same rule applied again is known. The digest is over
// what the rule says, in canonical JSON; defaults are not filled in, so that a release that changes one makes no new
// version of anybody's rule.
func ruleForm(m *pb.PolicyRule) (definition []byte, digest string, err error) {
	if definition, err = (proto.MarshalOptions{Deterministic: true}).Marshal(m); err != nil {
		return nil, "", err
	}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		return nil, "", err
	}
	v, faults := canon.Parse(text, canon.Limits{})
	if err := faults.Err(); err != nil {
		return nil, "", err
	}
	return definition, canon.Fingerprint(v.Canonical()), nil
}

// unreadablePolicy refuses every proposal of a namespace whose rules do not compile.
func unreadablePolicy(faults []policy.Problem) error {
	return fail(codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_INVALID_RULE,
		fmt.Sprintf("nothing is proposed while the rule %s cannot be read by this release: %s An administrator has to apply it anew, or to remove it",
			faults[0].Rule, faults[0].Message), map[string]string{"rule_id": faults[0].Rule})
}
