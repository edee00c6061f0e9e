package server

import (
	"cmp"
	"context"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// defaultStatsPeriod is the period whose caller names none.
const defaultStatsPeriod = 24 * time.Hour

// maxStats bounds the rules that are told of, those with the most refusals first.
const maxStats = 1000

// GetPolicyStats tells how often rules were asked and said no, and would have in shadow. Hours are counted whole; what
// other servers have counted in the last seconds is not told yet.
func (s *policyService) GetPolicyStats(ctx context.Context, req *pb.GetPolicyStatsRequest) (*pb.GetPolicyStatsResponse, error) {
	period := defaultStatsPeriod
	if req.Period != nil {
		period = req.Period.AsDuration()
	}
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	ns, from := callOf(ctx).namespace(), now.Add(-period)
	// The unwritten first: what is written in between is then told twice rather than never, and only until it is asked again.
	unwritten := s.figures.unwritten(ns, from, req.RuleId)
	written, err := s.config.Ledger.Engine().Figures(ctx, ns, from, req.RuleId)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	type version struct {
		rule   string
		number int64
	}
	sums := map[version]*ledger.RuleFigures{}
	for _, r := range append(written, unwritten...) {
		at := version{r.Rule, r.RuleVersion}
		if sums[at] == nil {
			sums[at] = &ledger.RuleFigures{Rule: r.Rule, RuleVersion: r.RuleVersion}
		}
		addFigures(sums[at], &r)
	}
	m := &pb.GetPolicyStatsResponse{}
	for _, r := range sums {
		m.Rules = append(m.Rules, &pb.RuleStats{
			RuleId: r.Rule, RuleVersion: int32(r.RuleVersion), Evaluations: r.Evaluations, Refusals: r.Refusals,
			ShadowRefusals: r.ShadowRefusals, Overrides: r.Overrides, Period: durationpb.New(period),
		})
	}
	slices.SortFunc(m.Rules, func(a, b *pb.RuleStats) int {
		return cmp.Or(cmp.Compare(b.Refusals, a.Refusals), cmp.Compare(a.RuleId, b.RuleId), cmp.Compare(b.RuleVersion, a.RuleVersion))
	})
	m.Rules = m.Rules[:min(len(m.Rules), maxStats)]
	return m, nil
}
