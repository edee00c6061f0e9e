package demo

import "slices"

// The answers and the words that the story is about, in order.
var (
	promisedAnswers = []Answer{
		{Call: brokenRefund.Note, Decision: "EXECUTE"},
		{Call: brokenCredit.Note, Decision: "DENIED", Rule: "refund-or-credit"},
		{Call: otherCredit.Note, Decision: "DENIED", Rule: "refund-or-credit"},
		{Call: largeRefund.Note, Decision: "AWAITING_APPROVAL", Rule: "above-250-two-people"},
		{Call: rephrased.Note, Decision: "AWAITING_APPROVAL", Rule: "above-250-two-people"},
		{Call: firstHalf.Note, Decision: "BLOCKED", Rule: "exclusive_group"},
		{Call: secondHalf.Note, Decision: "BLOCKED", Rule: "exclusive_group"},
		{Call: largeCredit.Note, Decision: "SUPPRESSED", Rule: "refund-or-credit"},
		{Call: largeRefund.Note, Decision: "EXECUTE"},
		{Call: rephrased.Note, Decision: "REPLAYED"},
		{Call: thirdRefund.Note, Decision: "RETRY_LATER", Rule: "at-most-600-a-day"},
	}
	promisedWords = []Word{
		{By: agentChat, Refused: "PERMISSION_DENIED"}, // who proposes cannot decide
		{By: personKim, Refused: "ROLES_NOT_APART"},   // nor can the person for whom it proposes
		{By: personAnn, Approved: 1},
		{By: secondOfAnn, Refused: "ROLES_NOT_APART"}, // a second credential is no second person
		{By: personBen, Approved: 2},
	}
)

// promisedGiven is one remedy for each order, the one that was let pass.
var promisedGiven = Given{BrokenOrder: Remedies{Refunds: 1, Cents: 3000}, LargeOrder: Remedies{Refunds: 1, Cents: 48000}}

// judge says whether the story kept what Opledger promises: one remedy for each order at the provider, the same two
// operations in the ledger, and a large refund that exactly two persons stand behind.
func (r *Control) judge(bad func(format string, args ...any)) {
	if r.Opledger != promisedGiven {
		bad("through Opledger the provider counted %s for %s, %s for %s, %s elsewhere; one refund of 30.00 and one of 480.00 EUR were to happen",
			r.Opledger.BrokenOrder, brokenOrder, r.Opledger.LargeOrder, largeOrder, r.Opledger.Elsewhere)
	}
	r.judgeAnswers(bad)
	if !slices.Equal(r.Words, promisedWords) {
		bad("the words on the large refund were taken as %+v; %+v was promised", r.Words, promisedWords)
	}
	if a := r.Approval; a == nil || a.State != "spent" || a.Required != 2 || !slices.Equal(a.Persons, []string{"ann@shop.example", "ben@shop.example"}) {
		bad("the large refund stands on %+v; it was to be spent, by ann and ben", a)
	}
	if len(r.Operations) != 2 {
		bad("the ledger has %d operations where two remedies were let pass", len(r.Operations))
	}
	for _, o := range r.Operations {
		if o.State != "completed_success" || o.ProviderObjectID == "" {
			bad("%s (%s) ended as %s under %q and not as completed_success under the provider's id", o.Tool, o.OperationID, o.State, o.ProviderObjectID)
		}
	}
}

// judgeAnswers holds each answer against its promise. What is kept out names the operation that it runs into.
func (r *Control) judgeAnswers(bad func(format string, args ...any)) {
	if len(r.Answers) != len(promisedAnswers) {
		bad("%d proposals were answered, %d were to be", len(r.Answers), len(promisedAnswers))
		return
	}
	inTheWay := r.Answers[0].OperationID
	for i, want := range promisedAnswers {
		got := r.Answers[i]
		if got.Call != want.Call || got.Decision != want.Decision || want.Rule != "" && got.Rule != want.Rule {
			bad("%s was answered %s by %q; %s by %q was promised", want.Call, got.Decision, got.Rule, want.Decision, want.Rule)
		}
		switch want.Decision {
		case "AWAITING_APPROVAL":
			inTheWay = got.OperationID
		case "DENIED", "BLOCKED", "SUPPRESSED":
			if got.Names == "" || got.Names != inTheWay {
				bad("%s was kept out and names %q; it runs into %q", want.Call, got.Names, inTheWay)
			}
		}
	}
}
