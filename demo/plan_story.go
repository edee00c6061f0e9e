package demo

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/callers"
)

// The case of the third story: a customer who has signed is entered in the CRM and welcomed, and the team that sets things
// up gets a ticket.
const (
	planEvent     = "lead_77" // the web form's id of what started it
	planCustomer  = "cust_nora"
	planAddress   = "nora@example.com"
	planRequester = "kim@shop.example"

	contactTool = "crm.add_contact"
	archiveTool = "crm.archive_contact"
	welcomeTool = "email.welcome"
	correctTool = "email.correct"
	ticketTool  = "ticket.open"

	channelPlan = "planner"
	// personIda is who may have a plan undone. The agent may not.
	personIda = "ida"

	// lostMails is how many answers to e-mails get lost, in both acts alike: alone the first two welcomes, through Opledger
	// the one welcome and its correction.
	lostMails = 2
	// mailLag is how long a message takes to show in the mail provider's log, as the tools' definitions state it.
	mailLag = 500 * time.Millisecond
)

// morningTime is the clock on the stage at an act's first moment.
var morningTime = time.Date(2026, time.March, 2, 9, 40, 0, 0, time.UTC)

// planCast are those of the third story. The agent has no right to act: its tools are carried out by the server.
var planCast = cast{
	channelPlan: {Roles: []callers.Role{callers.Propose}},
	personIda:   {Person: "ida@shop.example", Roles: []callers.Role{callers.Resolve, callers.Read}},
	director:    {Roles: []callers.Role{callers.Administer, callers.Read}},
}

// planTools are the files that are put in force before the second act.
var planTools = []string{"crm.yaml", "welcome.yaml", "ticket.yaml"}

// firstCalls is the plan as the first run's model words it.
func firstCalls() []toolCall {
	return []toolCall{
		addContact("call_p1", "signed by the web form"),
		welcome("call_p2", "Welcome, Nora. We set everything up on Monday"),
		openTicket("call_p3", "Set up "+planCustomer+" on Monday"),
	}
}

// secondCalls is the same plan in the words of a model that has not seen the first run. Refused, it tries other words.
func secondCalls() []toolCall {
	return []toolCall{
		addContact("call_q1", "new customer"),
		welcome("call_q2", "Good to have you, Nora. On Monday we set you up"),
		openTicket("call_q3", "New customer "+planCustomer+": set-up on Monday"),
		openTicket("call_q4", "URGENT: set up "+planCustomer),
	}
}

func addContact(id, note string) toolCall {
	return toolCall{
		Tool: contactTool, ID: id, Note: "enter " + planCustomer + " in the CRM",
		Arguments: fmt.Sprintf(`{"customer_id":%q,"name":"Nora Lind","email":%q,"note":%q}`, planCustomer, planAddress, note),
	}
}

func welcome(id, subject string) toolCall {
	return toolCall{
		Tool: welcomeTool, ID: id, Note: fmt.Sprintf("mail to %s: %q", planAddress, subject),
		Arguments: fmt.Sprintf(`{"customer_id":%q,"to":%q,"subject":%q}`, planCustomer, planAddress, subject),
	}
}

func openTicket(id, title string) toolCall {
	return toolCall{
		Tool: ticketTool, ID: id, Note: fmt.Sprintf("ticket %q", title),
		Arguments: fmt.Sprintf(`{"customer_id":%q,"project":"setup","title":%q}`, planCustomer, title),
	}
}
