package campaign

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/world"
)

// gathering takes the outcomes of runs from several worlds, judges them and lets them go. What it comes to does not hang on
// the order in which runs end.
type gathering struct {
	campaign *Campaign
	env      eval.Env

	mu       sync.Mutex
	arms     []*tally
	drawn    map[string]map[eval.Fault]int
	findings []eval.Finding
	more     int          // findings beyond those that are kept
	kept     world.Stored // what the runs have added to their databases
}

func newGathering(c *Campaign, env eval.Env) *gathering {
	return &gathering{
		campaign: c, env: env, drawn: map[string]map[eval.Fault]int{},
		arms: []*tally{newTally(eval.Naive), newTally(eval.VendorKeys), newTally(eval.Opledger)},
	}
}

// over takes one run whose end has come, and plays it without a ledger as well.
func (g *gathering) over(o outcome) {
	found := g.campaign.findings(o)
	without := []outcome{{run: o.run, record: baseline(o.run, eval.Naive)}, {run: o.run, record: baseline(o.run, eval.VendorKeys)}}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range append(without, o) {
		g.arms[i].add(other)
	}
	class := g.drawn[string(o.run.Class)]
	if class == nil {
		class = map[eval.Fault]int{}
		g.drawn[string(o.run.Class)] = class
	}
	met := slices.Clone(o.record.Faults)
	slices.Sort(met)
	for _, f := range slices.Compact(met) {
		class[f]++
	}
	g.keep(found)
	g.env.Step(1)
}

// keep keeps findings, as far as there is room.
func (g *gathering) keep(found []eval.Finding) {
	g.findings = append(g.findings, found...)
	if over := len(g.findings) - mostFindings; over > 0 {
		g.sort()
		g.more += over
		g.findings = g.findings[:mostFindings]
	}
}

// together takes what is wrong with the runs of one world as a whole. Where there are several, no single one is named: alone
// it need not show it.
func (g *gathering) together(found []eval.Finding) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range found {
		found[i].Part, found[i].Run = g.campaign.Name(), g.env.Only
	}
	g.keep(found)
}

// stored adds what a world's runs have left in its database.
func (g *gathering) stored(s world.Stored) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.kept.Rows, g.kept.Bytes = g.kept.Rows+s.Rows, g.kept.Bytes+s.Bytes
}

// findings judges one run.
func (c *Campaign) findings(o outcome) []eval.Finding {
	found := slices.Clone(o.findings)
	if c.judge != nil {
		found = append(found, c.judge(o.record)...)
	}
	for i := range found {
		f := &found[i]
		f.Part, f.Run, f.Key = c.Name(), o.run.Seed, o.record.Key
		f.WithSteps(o.record.Steps)
	}
	return found
}

// sort puts findings in an order that the runs decide.
func (g *gathering) sort() {
	slices.SortStableFunc(g.findings, func(a, b eval.Finding) int {
		return cmp.Or(cmp.Compare(a.Run&(suiteBit-1), b.Run&(suiteBit-1)), cmp.Compare(a.Checker, b.Checker), cmp.Compare(a.Message, b.Message))
	})
}

// fewestBudgeted is how many runs it takes for a share to mean something.
const fewestBudgeted = 1000

// finish writes down what all runs came to.
func (g *gathering) finish(ctx context.Context, r *eval.Result, runs int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sort()
	shrunk := map[uint64]bool{}
	for i := range g.findings {
		f := &g.findings[i]
		f.Replay = g.campaign.replayCommand(g.env, f.Run, runs)
		if f.Run != 0 && len(shrunk) < mostShrunk && !shrunk[f.Run] {
			shrunk[f.Run] = true
			g.campaign.shrink(ctx, g.env, f)
		}
	}
	r.Findings, r.Drawn = g.findings, maps.Clone(g.drawn)
	if g.more > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d more findings were left out", g.more))
	}
	if runs >= wholeCampaign {
		r.DrawnMinimum = leastDrawn
	}
	for _, t := range g.arms {
		f := t.figures()
		if f.Arm == eval.Opledger {
			wanted := float64(max(f.Wanted, 1))
			f.AddedRows, f.AddedBytes = float64(g.kept.Rows)/wanted, float64(g.kept.Bytes)/wanted
			f.NeedsHumanBudget = g.campaign.suite.budget(f.ByClass)
			if f.NeedsHuman > f.NeedsHumanBudget && runs >= fewestBudgeted {
				r.Findings = append(r.Findings, eval.Finding{
					Checker: "ends", Dimension: eval.RetrySafety, Part: r.Part,
					Message: fmt.Sprintf("%d of %d runs were left to a person, the budget is %d", f.NeedsHuman, runs, f.NeedsHumanBudget),
				})
			}
		}
		r.Figures = append(r.Figures, f)
	}
}
