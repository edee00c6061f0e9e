package demo

import (
	"fmt"
	"strings"
	"time"

	"github.com/opledger/opledger/callers"
)

// The case of the second story.
const (
	brokenOrder = "order_812" // refunded by one run, credited by another
	largeOrder  = "order_977" // whose refund takes two persons
	thirdOrder  = "order_978" // what the model turns to when everything else is said

	refundTool = "refund.create"
	creditTool = "credit.goodwill"

	// largestAlone is what the naive tool pays without asking, in cents. The rule of rules/above-250-two-people.yaml has the
	// same figure, and holds it against the day instead of the call.
	largestAlone = 25000
)

// afternoonTime is the clock on the stage at an act's first moment.
var afternoonTime = time.Date(2026, time.March, 1, 15, 20, 0, 0, time.UTC)

// The agents of the second story, each a run of its own that sees nothing of the other.
const (
	agentChat = "chat"
	agentMail = "mail"
)

// The people of the second story, by their credentials.
const (
	personKim   = "kim"       // works the chat, and the chat's agent acts for them
	personAnn   = "ann"       // of finance
	secondOfAnn = "ann-phone" // Ann once more, in another team, on another device
	personBen   = "ben"       // of risk
)

// controlCast are those of the second story. The chat's agent carries the person for whom it acts, so that this person
// cannot agree to what it proposes.
var controlCast = cast{
	agentChat:   {Person: "kim@shop.example", Roles: []callers.Role{callers.Propose, callers.Execute}},
	agentMail:   {Roles: []callers.Role{callers.Propose, callers.Execute}},
	personKim:   {Person: "kim@shop.example", Roles: []callers.Role{callers.Approve, callers.Read}, Teams: []string{"finance"}},
	personAnn:   {Person: "ann@shop.example", Roles: []callers.Role{callers.Approve, callers.Read}, Teams: []string{"finance"}},
	secondOfAnn: {Person: "ann@shop.example", Roles: []callers.Role{callers.Approve, callers.Read}, Teams: []string{"risk"}},
	personBen:   {Person: "ben@shop.example", Roles: []callers.Role{callers.Approve, callers.Read}, Teams: []string{"risk"}},
	director:    {Roles: []callers.Role{callers.Administer, callers.Read}},
}

// controlTools and controlRules are the files that are put in force before the second act.
var (
	controlTools = []string{"refund.yaml", "credit.yaml"}
	controlRules = []string{"refund-or-credit.yaml", "above-250-two-people.yaml", "at-most-600-a-day.yaml"}
)

// wish is a call that gives money to the story's customer. The amount is a JSON literal, as the model writes it.
func wish(id, tool, order, amount, reason string) toolCall {
	what := "refund"
	if tool == creditTool {
		what = "credit"
	}
	return toolCall{
		Tool: tool, ID: id,
		Arguments: fmt.Sprintf(`{"order_id":%q,"customer_id":"cust_ada","amount":%s,"currency":"EUR","reason":%q}`, order, amount, reason),
		Note:      fmt.Sprintf("%s %s EUR for %s, %q", what, strings.Trim(amount, `"`), order, reason),
	}
}

// The calls of the story. The halves are below the threshold by themselves; what the customer has had on the same day
// brings each of them above it.
var (
	brokenRefund = wish("call_c1", refundTool, brokenOrder, `"30.00"`, "arrived broken")
	brokenCredit = wish("call_m1", creditTool, brokenOrder, `"30.00"`, "sorry for it")
	otherCredit  = wish("call_m2", creditTool, brokenOrder, `"25.00"`, "a gesture")

	largeRefund = wish("call_c2", refundTool, largeOrder, `"480.00"`, "never arrived")
	rephrased   = wish("call_c3", refundTool, largeOrder, `480`, "lost on the way, customer is angry")
	firstHalf   = wish("call_c4", refundTool, largeOrder, `"240.00"`, "first half")
	secondHalf  = wish("call_c5", refundTool, largeOrder, `"240.00"`, "second half")
	largeCredit = wish("call_c6", creditTool, largeOrder, `"240.00"`, "a credit, then")
	thirdRefund = wish("call_c7", refundTool, thirdOrder, `"100.00"`, "late as well")
)
