package server

import (
	"context"
	"errors"
	"strings"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// GetDecision reads one stored decision.
func (s *policyService) GetDecision(ctx context.Context, req *pb.GetDecisionRequest) (*pb.GetDecisionResponse, error) {
	d, err := s.config.Ledger.Engine().GetDecision(ctx, callOf(ctx).namespace(), ledger.DecisionID(req.DecisionId))
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, noSuch("decision " + req.DecisionId)
	}
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	return &pb.GetDecisionResponse{Decision: storedDecisionOf(d)}, nil
}

// ListDecisions lists stored decisions, the newest first.
func (s *policyService) ListDecisions(ctx context.Context, req *pb.ListDecisionsRequest) (*pb.ListDecisionsResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.PageSize, DefaultPageSize)
	q := ledger.DecisionQuery{
		Namespace: callOf(ctx).namespace(), Tool: req.Tool, Rule: req.RuleId, OperationID: ledger.OperationID(req.OperationId),
		WorkflowID: req.WorkflowId, Before: token.Time, BeforeID: ledger.DecisionID(token.ID), Limit: size + 1,
	}
	for _, kind := range req.Decisions {
		q.Kinds = append(q.Kinds, decisionFrom(kind))
	}
	if e := req.Entity; e != nil {
		q.Entity = e.Type + "/" + e.Id
	}
	if t := req.TimeFrom; t != nil {
		q.From = t.AsTime()
	}
	if t := req.TimeUntil; t != nil {
		q.Until = t.AsTime()
	}
	found, err := s.config.Ledger.Engine().ListDecisions(ctx, q)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	m := &pb.ListDecisionsResponse{}
	if len(found) > size {
		found = found[:size]
		last := found[size-1]
		m.NextPageToken = pageToken{Time: last.At, ID: string(last.ID), Filter: token.Filter}.String()
	}
	for i := range found {
		m.Decisions = append(m.Decisions, storedDecisionOf(&found[i]))
	}
	return m, nil
}

// storedDecisionOf is a stored decision as a message. What a built-in rule decided is its one verdict.
func storedDecisionOf(d *ledger.Decision) *pb.PolicyDecision {
	m := &pb.PolicyDecision{
		DecisionId: string(d.ID), Time: stamp(d.At), Principal: string(d.Principal), Tool: d.Tool, ToolVersion: int32(d.ToolVersion),
		Decision: decisionOf(d.Kind), IdempotencyKey: string(d.Key), Fingerprint: string(d.Fingerprint), Entity: entityOf(d.Entity),
		OperationId: string(d.OperationID), WorkflowId: d.WorkflowID,
	}
	said := false
	for i := range d.Verdicts {
		said = said || d.Verdicts[i].Rule == d.Rule
	}
	if !said {
		m.Verdicts = append(m.Verdicts, &pb.RuleVerdict{RuleId: d.Rule, Decision: decisionOf(d.Kind), Explanation: d.Explanation, Inputs: d.Inputs})
	}
	for i := range d.Verdicts {
		m.Verdicts = append(m.Verdicts, ruleVerdictOf(&d.Verdicts[i], d.Tool))
	}
	return m
}

// ruleVerdictOf is what one rule said as a message. A rule that lets pass leads to no decision of its own.
func ruleVerdictOf(v *policy.Verdict, tool string) *pb.RuleVerdict {
	m := &pb.RuleVerdict{
		RuleId: v.Rule, RuleVersion: int32(v.RuleVersion), Explanation: v.Because, Inputs: v.Inputs, Shadow: v.Shadow,
	}
	if v.Outcome != policy.Pass {
		m.Decision = decisionOf(ledger.DecisionKind(v.Outcome))
	}
	if v.Overridable && v.Stands() {
		m.OverrideHint = "Somebody with the role override may give a one-use grant: kind OVERRIDE, tool " + tool + ", rule " + v.Rule +
			", and the fingerprint of this proposal. Name the grant in the next proposal."
	}
	return m
}

func decisionFrom(d pb.Decision) ledger.DecisionKind {
	return ledger.DecisionKind(strings.TrimPrefix(d.String(), "DECISION_"))
}
