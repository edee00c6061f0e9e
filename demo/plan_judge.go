package demo

import (
	"slices"
	"strings"
)

// promisedMade is one of each, undone: the contact archived, the mail corrected, and one ticket asked for.
var promisedMade = Made{Contacts: 1, Archivings: 1, Welcomes: 1, Corrections: 1, Refused: 1}

// promisedOperations are those of the plan and then those that undo it, in the order in which they were made: what succeeded
// last is undone first. Undoes is the tool whose operation is undone.
var promisedOperations = []struct{ tool, state, undoes string }{
	{contactTool, "compensated", ""},
	{welcomeTool, "compensated", ""},
	{ticketTool, "failed_permanent", ""},
	{correctTool, "completed_success", welcomeTool},
	{archiveTool, "completed_success", contactTool},
}

// judge says whether the story kept what Opledger promises: each step once at the provider, and its undoing once; a run
// that was told the truth; and no false word to the customer.
func (r *Plan) judge(bad func(format string, args ...any)) {
	if r.Opledger != promisedMade {
		bad("through Opledger the provider counted %+v; %+v was promised", r.Opledger, promisedMade)
	}
	if !r.Redelivered {
		bad("the event that came a second time was given a run")
	}
	if !strings.Contains(r.Projection, welcomeTool) || strings.Contains(r.Projection, "it has not happened") || strings.Contains(r.Projection, "not done") {
		bad("the second run was not told that the mail may have left, or has, but %q", r.Projection)
	}
	if want := []string{askedInterrupted, askedDone, askedDone}; !slices.Equal(r.Asked, want) {
		bad("the askings to undo the plan came to %q; %q was promised", r.Asked, want)
	}
	if len(r.Conclusions) != 2 || r.Conclusions[0].Refused != "CLAIM_CONTRADICTED" || r.Conclusions[1].Refused != "" {
		bad("of what the customer was told it was said %+v; the first was to be refused, and the second taken", r.Conclusions)
	}
	r.judgeOperations(bad)
}

// judgeOperations holds the ledger's record against the plan: five operations, whoever asked for them and however often. How
// many permits one took is not promised: a slow machine may let one end before anything is sent.
func (r *Plan) judgeOperations(bad func(format string, args ...any)) {
	if len(r.Operations) != len(promisedOperations) {
		bad("the ledger has %d operations; the plan's three and two that undo it were to be", len(r.Operations))
		return
	}
	tools := map[string]string{}
	for i, want := range promisedOperations {
		o := &r.Operations[i]
		tools[o.OperationID] = o.Tool
		if o.Tool != want.tool || o.State != want.state || tools[o.Undoes] != want.undoes {
			bad("operation %d is %s, %s, and undoes %q; %s, %s, undoing %q was promised", i+1, o.Tool, o.State, tools[o.Undoes], want.tool, want.state, want.undoes)
		}
	}
}
