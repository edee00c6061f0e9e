package demo

import (
	"fmt"
	"strings"
)

// planPrologue says what is about to be seen.
func (s *screen) planPrologue() {
	s.line("")
	s.line("%s  %s", s.paint(bold, "9:40 a.m."), "A plan of three steps, and the last one cannot be done.")
	s.line("")
	s.text("Nora has signed. The agent's plan: enter her in the CRM, send her a welcome, open a ticket with those who set things\n" +
		"up. Its process dies after the mail has left, and the answer is lost; another process gets the same event. Then the\n" +
		"ticket is refused for good: the project takes none any more. What was done has to be undone.")
	s.pause()
}

// read shows a line that a model reads.
func (s *screen) read(text string) {
	for _, l := range wrap(text, noteWidth) {
		s.line("  %s  %s", pad("", len("15:04:05")+2+whoWidth), s.paint(dim, l))
	}
}

// made shows what the provider counted.
func (s *screen) made(m Made) {
	colour := red
	if m == promisedMade {
		colour = green
	}
	s.line("")
	s.line("  Counted at the provider: %s", s.paint(bold+";"+colour, m.String()))
	s.line("                           a ticket was asked for %s, and never opened", s.paint(bold+";"+colour, times(m.Refused)))
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// planHistory shows what the ledger has kept of the plan.
func (s *screen) planHistory(r *Plan) {
	s.line("")
	s.line("%s  %s", s.paint(bold, "The plan in the ledger"), r.WorkflowID)
	tools := map[string]string{}
	var rows [][]string
	for i := range r.Operations {
		o := &r.Operations[i]
		tools[o.OperationID] = o.Tool
		rows = append(rows, []string{o.Tool, o.State, fmt.Sprint(o.permits()), o.ProviderObjectID, tools[o.Undoes], strings.Join(o.Decisions, " ")})
	}
	s.table([]string{"tool", "state", "permits", "provider's id", "undoes", "answers to the agents"}, rows)
	s.pause()
}

// permits is how many permits an operation was given.
func (o *Operation) permits() (n int) {
	for _, e := range o.Events {
		if e.Type == "permit_granted" {
			n++
		}
	}
	return n
}
