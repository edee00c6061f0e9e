package demo

import (
	"fmt"
	"strings"

	"github.com/opledger/opledger/demo/provider"
)

// tally is one line of what a play came to: what was wanted, and what the provider counted in each act.
type tally struct {
	wanted, alone, through string
	kept                   bool
}

// tallies are what the played stories came to.
func (r *Result) tallies() (rows []tally) {
	if p := r.Payments; p != nil {
		rows = append(rows, tally{"one charge and one receipt", p.Naive.String(), p.Opledger.String(), p.Opledger == Count{1, 1}})
	}
	if c := r.Control; c != nil {
		people := []string{}
		if c.Approval != nil {
			people = c.Approval.Persons
		}
		rows = append(rows,
			tally{"one remedy for " + brokenOrder, c.Naive.BrokenOrder.String(), c.Opledger.BrokenOrder.String(),
				c.Opledger.BrokenOrder == promisedGiven.BrokenOrder},
			tally{"480.00 EUR for " + largeOrder + ", by two people", c.Naive.LargeOrder.String() + ", by nobody",
				c.Opledger.LargeOrder.String() + ", by " + plural(len(people), "person"), c.Opledger.LargeOrder == promisedGiven.LargeOrder && len(people) == 2},
		)
	}
	if p := r.Plan; p != nil {
		rows = append(rows, tally{"a plan of three steps, undone", p.Naive.String(), p.Opledger.String(), p.Opledger == promisedMade})
	}
	return rows
}

// epilogue says what it came to.
func (s *screen) epilogue(r *Result, o Options) {
	s.line("")
	s.line("%s", s.paint(bold, "Counted at the provider"))
	rows := append([]tally{{wanted: "", alone: "alone", through: "through Opledger"}}, r.tallies()...)
	var first, second int
	for _, t := range rows {
		first, second = max(first, len(t.wanted)), max(second, len(t.alone))
	}
	for i, t := range rows {
		alone, through := bold+";"+red, bold+";"+green
		switch {
		case i == 0:
			alone, through = dim, dim
		case !t.kept:
			through = bold + ";" + red
		}
		s.line("  %s  %s  %s", pad(t.wanted, first), s.paint(alone, pad(t.alone, second)), s.paint(through, t.through))
	}
	s.line("")
	for _, p := range r.Problems {
		s.line("  %s %s", s.paint(red, "NOT KEPT:"), p)
	}
	hints := []string{fmt.Sprintf("%.1f s.", r.Seconds)}
	if r.Payments != nil && o.Account != provider.PlainAccount {
		hints = append(hints, "Once more without idempotency keys at the provider: opledger demo --account "+provider.PlainAccount)
	}
	if r.Control != nil || r.Plan != nil {
		hints = append(hints, "The rules and tools are files: demo/rules, demo/tools.")
	}
	s.line("  %s", s.paint(dim, strings.Join(hints, "\n  ")))
}
