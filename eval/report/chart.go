package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/opledger/opledger/eval"
)

// The geometry of a chart, in the units of its own coordinates.
const (
	chartWidth = 520
	barsFrom   = 136 // where bars begin; their labels stand before
	barsWidth  = 264 // of the longest; their values stand behind
	barHeight  = 18
	barStep    = 26
	headStep   = 24 // the line of a group's name
	leastWidth = 1.5
)

// chart is one chart of horizontal bars with everything that it shows as a table as well. Its coordinates are worked out
// here; the page's template only writes them.
type chart struct {
	ID     string
	Title  string
	Unit   string
	Says   string // what it shows in a sentence, for those who do not see it
	Groups []barGroup
	Height int
	// The table beside it.
	Heading []string
	Rows    [][]string
}

type barGroup struct {
	Name string // empty: one group without a name
	Y    float64
	Bars []bar
}

type bar struct {
	Label string
	Arm   eval.Arm
	Light bool // drawn lighter: the second of a pair
	Text  string
	Y     float64
	Width float64
	// Limit is where the mark of what is allowed stands; zero: there is none.
	Limit float64

	value, limit float64
	known        bool
}

// Width and the other methods are what the template needs of the geometry.
func (chart) Width() int { return chartWidth }

func (chart) Left() int { return barsFrom }

func (chart) LabelEnd() int { return barsFrom - 8 }

func (b bar) TextY() float64 { return b.Y + barHeight*0.72 }

func (b bar) Height() int { return barHeight }

func (b bar) LimitBottom() float64 { return b.Y + barHeight + 3 }

func (b bar) LimitTop() float64 { return b.Y - 3 }

func (b bar) Known() bool { return b.known }

// TextX is where a bar's value stands.
func (b bar) TextX() float64 { return barsFrom + max(b.Width, b.Limit-barsFrom) + 8 }

// laid places the bars: each as long as its value, on one scale that begins at zero. scale is the value of the longest
// bar; zero: the largest there is.
func (c chart) laid(scale float64) chart {
	for _, g := range c.Groups {
		for _, b := range g.Bars {
			scale = max(scale, b.value, b.limit)
		}
	}
	y := 2.0
	for i := range c.Groups {
		g := &c.Groups[i]
		if g.Name != "" {
			g.Y = y + headStep*0.7
			y += headStep
		}
		for j := range g.Bars {
			b := &g.Bars[j]
			b.Y = y + (barStep-barHeight)/2
			b.Width = width(b.value, scale)
			if b.limit > 0 {
				b.Limit = barsFrom + width(b.limit, scale)
			}
			y += barStep
		}
	}
	c.Height = int(math.Ceil(y)) + 2
	c.Says = c.said()
	return c
}

// width is a bar's length. What is zero is a hair's breadth, so that it is seen to have been counted.
func width(v, scale float64) float64 {
	if scale == 0 {
		return leastWidth
	}
	return math.Round(max(v/scale*barsWidth, leastWidth)*100) / 100
}

func (c chart) said() string {
	var parts []string
	for _, g := range c.Groups {
		for _, b := range g.Bars {
			name := b.Label
			if g.Name != "" {
				name = g.Name + ", " + name
			}
			parts = append(parts, name+": "+b.Text)
		}
	}
	return strings.Join(parts, "; ") + "."
}

// chartsOf are the charts of a part. A figure that no arm has gets none.
func chartsOf(id string, result *eval.Result) []chart {
	var list []chart
	add := func(c chart, scale float64) {
		for _, g := range c.Groups {
			for _, b := range g.Bars {
				if b.known {
					c.ID = fmt.Sprintf("%s-%d", id, len(list)+1)
					list = append(list, c.laid(scale))
					return
				}
			}
		}
	}
	add(byArm(result, "Duplicate effects", "per 10,000 runs", "duplicates_per_10000"), 0)
	add(byClass(result), 0)
	add(byArm(result, "Lost effects", "per 10,000 runs", "lost_per_10000"), 0)
	add(people(result), 0)
	add(byArm(result, "Unknown outcomes resolved without a person", "of all that were unknown", "resolved_alone_share"), 1)
	add(byArm(result, "Time to reconcile", "the world's time, mean and p99", "reconcile_mean_seconds", "reconcile_p99_seconds"), 0)
	add(byArm(result, "Wanted repetitions that were swallowed", "of all that were wanted", "false_dedupe_rate"), 1)
	add(byArm(result, "Proposals that met a lock", "of all proposals", "lock_contention_rate"), 1)
	add(byArm(result, "Added time for each effect", "real time, mean and p99", "added_latency_mean_seconds", "added_latency_p99_seconds"), 0)
	add(byArm(result, "Added rows for each effect", "rows", "added_rows_per_effect"), 0)
	add(byArm(result, "Added storage for each effect", "bytes", "added_bytes_per_effect"), 0)
	return list
}

// byArm is a chart with a bar, or a pair of them, for each arm.
func byArm(result *eval.Result, title, unit string, names ...string) chart {
	c := chart{Title: title, Unit: unit, Heading: []string{"Arm"}}
	g := barGroup{}
	for i := range names {
		column := title
		if len(names) > 1 {
			column = pair[i]
		}
		c.Heading = append(c.Heading, column)
	}
	for _, arm := range result.Figures {
		row := []string{armName(arm.Arm)}
		for i, name := range names {
			f := named(name)
			v, known := f.value(arm)
			row = append(row, f.of(arm))
			label := armName(arm.Arm)
			if len(names) > 1 && known {
				label += ", " + pair[i]
			} else if i > 0 {
				continue // that there is none of either is said once
			}
			g.Bars = append(g.Bars, bar{Label: label, Arm: arm.Arm, Light: i == 1, Text: f.of(arm), value: v, known: known})
		}
		c.Rows = append(c.Rows, row)
	}
	c.Groups = []barGroup{g}
	return c
}

// pair names the two bars of a pair.
var pair = []string{"mean", "p99"}

// byClass shows duplicates in each class, all arms beside each other.
func byClass(result *eval.Result) chart {
	c := chart{Title: "Duplicate effects by side-effect class", Unit: "per 10,000 runs of the class", Heading: []string{"Class"}}
	for _, arm := range result.Figures {
		c.Heading = append(c.Heading, armName(arm.Arm))
	}
	for _, class := range duplicatesByClass(result) {
		g := barGroup{Name: class.Class}
		row := []string{class.Class}
		for _, cell := range class.Arms {
			v, known := cell.value()
			g.Bars = append(g.Bars, bar{Label: armName(cell.Arm), Arm: cell.Arm, Text: cell.duplicates(), value: v, known: known})
			row = append(row, cell.duplicates())
		}
		c.Groups = append(c.Groups, g)
		c.Rows = append(c.Rows, row)
	}
	return c
}

// people shows what was left to a person against what the suite allows.
func people(result *eval.Result) chart {
	left, allowed := named("needs_human"), named("needs_human_budget")
	c := chart{Title: "Left to a person", Unit: "runs; the mark is what the suite allows", Heading: []string{"Arm", "Left", "Allowed"}}
	g := barGroup{}
	for _, arm := range result.Figures {
		v, known := left.value(arm)
		limit, _ := allowed.value(arm)
		if !known {
			continue
		}
		text := left.of(arm) + " of " + allowed.of(arm)
		g.Bars = append(g.Bars, bar{Label: armName(arm.Arm), Arm: arm.Arm, Text: text, value: v, limit: limit, known: known})
		c.Rows = append(c.Rows, []string{armName(arm.Arm), left.of(arm), allowed.of(arm)})
	}
	c.Groups = []barGroup{g}
	return c
}
