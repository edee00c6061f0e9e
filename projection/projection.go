package projection

import (
	"slices"
	"sort"
	"strings"

	"github.com/opledger/opledger/ledger"
)

// Schema names the form of the JSON. Fields may be added to it; a form in which one means something else has another name.
const Schema = "opledger.projection/1"

// The sizes of one form, in bytes.
const (
	DefaultMaxBytes = 16 << 10
	MinMaxBytes     = 1 << 10
)

// Input is what an account is made of.
type Input struct {
	Workflow *ledger.Workflow
	// Operations are the workflow's, in any order.
	Operations []*ledger.Operation
	// Truncated: operations that ended before the oldest of these were not read, and are neither told nor counted.
	Truncated bool
	// MaxBytes bounds each form by itself; zero: DefaultMaxBytes.
	MaxBytes int
}

// Projection is the account.
type Projection struct {
	JSON       string
	Prose      string
	Summarized bool // ended operations were summed up
	Exceeds    bool // open operations alone take more than was asked for
	// Operations are those that it tells of by their ids, open ones first.
	Operations []*ledger.Operation
}

// detail is how much is told of each open operation.
type detail int

const (
	everything detail = iota
	withoutTexts
	withoutArguments
	namesAlone
)

// Make writes the account.
func Make(in Input) Projection {
	if in.MaxBytes <= 0 {
		in.MaxBytes = DefaultMaxBytes
	}
	open, ended := split(in.Operations)
	write := func(summed int, d detail) Projection { return in.write(open, ended, summed, d) }
	fits := func(p Projection) bool { return len(p.JSON) <= in.MaxBytes && len(p.Prose) <= in.MaxBytes }
	// What is summed up is shorter than what is told, so that the fewest that must be are found by halving.
	summed := sort.Search(len(ended), func(n int) bool { return fits(write(n, everything)) })
	p := write(summed, everything)
	for d := withoutTexts; !fits(p) && d <= namesAlone; d++ {
		p = write(len(ended), d)
	}
	if !fits(p) {
		in.MaxBytes = 0 // it is longer than was asked, and says so
		p = in.write(open, ended, len(ended), namesAlone)
	}
	return p
}

// split parts open operations from ended ones, each oldest first.
func split(all []*ledger.Operation) (open, ended []*ledger.Operation) {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b *ledger.Operation) int {
		if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
			return c
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	for _, o := range all {
		if o.State.Ended() {
			ended = append(ended, o)
		} else {
			open = append(open, o)
		}
	}
	return open, ended
}

// write writes both forms, with so many of the oldest ended operations summed up.
func (in Input) write(open, ended []*ledger.Operation, summed int, d detail) Projection {
	a := account{
		Schema: Schema, Workflow: in.workflow(), Exceeds: in.MaxBytes == 0, Open: []told{}, Ended: []told{},
		Summary: sum(ended[:summed], d), Truncated: in.Truncated,
	}
	for _, o := range open {
		a.Open = append(a.Open, tell(o, d))
	}
	for _, o := range ended[summed:] {
		a.Ended = append(a.Ended, tell(o, everything))
	}
	return Projection{
		JSON: a.json(), Prose: a.prose(), Summarized: summed > 0, Exceeds: a.Exceeds,
		Operations: append(slices.Clone(open), ended[summed:]...),
	}
}

// workflow is what is told of the workflow itself. Its texts are cut, so that they leave room for what happened.
func (in Input) workflow() task {
	w, limit := in.Workflow, max(in.MaxBytes, MinMaxBytes)/8
	t := task{ID: w.ID, State: string(w.State), Intent: cut(w.NormalizedIntent, limit), Request: cut(w.UserRequest, limit)}
	t.Cut = t.Intent != w.NormalizedIntent || t.Request != w.UserRequest
	return t
}
