package server

import (
	"context"
	"errors"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// GetRule reads one version of a rule, the newest where none is named.
func (s *policyService) GetRule(ctx context.Context, req *pb.GetRuleRequest) (*pb.GetRuleResponse, error) {
	ns := callOf(ctx).namespace()
	found, err := s.record(ctx, ledger.RuleKey(ns, req.RuleId), "rule "+req.RuleId)
	if err != nil {
		return nil, err
	}
	newest := found.(*ledger.Rule)
	number := int64(req.GetRuleVersion())
	if req.RuleVersion == nil || number == newest.RuleVersion {
		loaded, _ := loadRule(newest)
		return &pb.GetRuleResponse{Rule: appliedRule(loaded.message, newest)}, nil
	}
	found, err = s.record(ctx, ledger.RuleVersionKey(ns, req.RuleId, number), "such version of the rule "+req.RuleId)
	if err != nil {
		return nil, err
	}
	version := found.(*ledger.RuleVersion)
	asNewest := &ledger.Rule{RuleVersion: number, Definition: version.Definition, AppliedBy: version.AppliedBy, AppliedAt: version.AppliedAt}
	loaded, _ := loadRule(asNewest)
	m := appliedRule(loaded.message, asNewest)
	m.Etag = newest.Etag() // a change names the rule as it stands, whichever version was read
	if next, err := s.record(ctx, ledger.RuleVersionKey(ns, req.RuleId, number+1), "next version"); err == nil {
		m.RemoveTime = stamp(next.(*ledger.RuleVersion).AppliedAt) // it held until then at the latest
	}
	return &pb.GetRuleResponse{Rule: m}, nil
}

// ListRules lists the rules that hold, by id, and the removed ones where they are asked for.
func (s *policyService) ListRules(ctx context.Context, req *pb.ListRulesRequest) (*pb.ListRulesResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	config, err := s.tools.inspect(ctx, callOf(ctx).namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	all := slices.Clone(config.rules)
	if req.IncludeRemoved {
		removed, err := s.removedRules(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, removed...)
	}
	slices.SortFunc(all, func(a, b *storedRule) int { return strings.Compare(a.stored.ID, b.stored.ID) })
	m := &pb.ListRulesResponse{}
	size := pageSize(req.PageSize, DefaultPageSize)
	for _, r := range all {
		if r.stored.ID <= token.ID || req.Shadow != nil && *req.Shadow != r.rule.Shadow || req.Tool != "" && !config.applies(r.rule.Scope, req.Tool) {
			continue
		}
		if len(m.Rules) == size {
			m.NextPageToken = pageToken{ID: m.Rules[size-1].Rule.RuleId, Filter: token.Filter}.String()
			break
		}
		m.Rules = append(m.Rules, appliedRule(r.message, r.stored))
	}
	return m, nil
}

// removedRules reads the rules that do not hold any more. A namespace has few: rules are written by people.
func (s *policyService) removedRules(ctx context.Context) ([]*storedRule, error) {
	var all []*storedRule
	q := ledger.RecordQuery{Kind: ledger.RecordRule, Namespace: callOf(ctx).namespace(), Statuses: []string{"removed"}, Limit: maxPageSize}
	for {
		page, err := s.config.Ledger.Engine().ListRecords(ctx, q)
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		for _, r := range page {
			loaded, _ := loadRule(r.(*ledger.Rule))
			all = append(all, loaded)
			q.After, q.AfterID = r.Index().At, r.Key().ID
		}
		if len(page) < q.Limit {
			return all, nil
		}
	}
}

// applies reports whether a scope holds for a tool, as the tool's newest version is. Of a tool that does not exist only
// the name can be held against the scope.
func (c *configuration) applies(scope policy.Scope, name string) bool {
	if i := slices.IndexFunc(c.parts.Tools, func(t policy.Tool) bool { return t.Name == name }); i >= 0 {
		return scope.Covers(c.parts.Tools[i])
	}
	byName := policy.Scope{Tools: scope.Tools}
	return byName.Covers(policy.Tool{Name: name, Mutates: true})
}

// record reads one record; one that does not exist is refused by what it is.
func (s *Server) record(ctx context.Context, key ledger.RecordKey, what string) (ledger.Record, error) {
	r, err := s.config.Ledger.Engine().GetRecord(ctx, key)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, noSuch(what)
	}
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	return r, nil
}

// noSuch refuses what does not exist in the caller's namespace.
func noSuch(what string) error {
	return fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_POLICY_OBJECT_NOT_FOUND, "there is no "+what+" in this namespace; list what there is", nil)
}
