package demo

import (
	"fmt"

	"github.com/opledger/opledger/demo/provider"
)

// Plan is what the third story came to.
type Plan struct {
	Naive       Made         `json:"naive"`
	Opledger    Made         `json:"opledger"`
	WorkflowID  string       `json:"workflow_id"`
	Redelivered bool         `json:"redelivered"` // the second start by the same event was given no run
	Projection  string       `json:"projection"`  // what the second run was told, in prose
	Asked       []string     `json:"asked"`       // what each asking that the plan be undone came to, in order
	Conclusions []Conclusion `json:"conclusions"` // what the customer was told, in order
	Operations  []Operation  `json:"operations"`  // as the ledger knows them at the end, the oldest first
}

// Made is what the provider counted.
type Made struct {
	Contacts    int `json:"contacts"`
	Standing    int `json:"standing"`    // contacts that are not archived
	Archivings  int `json:"archivings"`  // how often a contact was archived
	Welcomes    int `json:"welcomes"`    // e-mails
	Corrections int `json:"corrections"` // e-mails that correct another one
	Refused     int `json:"refused"`     // requests for a ticket
}

func (m Made) String() string {
	contacts := plural(m.Contacts, "contact") + ", none left"
	if m.Standing > 0 {
		contacts = fmt.Sprintf("%s, %d left", plural(m.Contacts, "contact"), m.Standing)
	}
	return contacts + "; " + plural(m.Welcomes, "welcome") + ", " + plural(m.Corrections, "correction")
}

// madeAt counts at the provider.
func madeAt(p *provider.Provider) Made {
	archivings := p.Archivings()
	m := Made{Contacts: len(p.Contacts()), Archivings: len(archivings), Refused: p.Refused()}
	archived := map[string]bool{}
	for _, a := range archivings {
		archived[a.Contact] = true
	}
	m.Standing = m.Contacts - len(archived)
	for _, e := range p.Emails() {
		if e.Corrects != "" {
			m.Corrections++
		} else {
			m.Welcomes++
		}
	}
	return m
}

// Conclusion is what the customer was told in the end, and whether the ledger took it.
type Conclusion struct {
	Message string            `json:"message"`
	Claims  map[string]string `json:"claims"`  // DONE, NOT_DONE or UNDONE, by tool
	Refused string            `json:"refused"` // the stable reason; empty: it was taken
}

// The two ends of the plan: what the model would have liked to say, and what is so.
var (
	wishfulEnd = Conclusion{
		Message: "Welcome, Nora. On Monday we set everything up.",
		Claims:  map[string]string{contactTool: "DONE", welcomeTool: "DONE", ticketTool: "DONE"},
	}
	honestEnd = Conclusion{
		Message: "We wrote too soon: nobody can set it up yet.",
		Claims:  map[string]string{contactTool: "UNDONE", welcomeTool: "UNDONE", ticketTool: "NOT_DONE"},
	}
)
