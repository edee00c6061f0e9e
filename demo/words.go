package demo

import (
	"fmt"
)

// paymentsPrologue says what is about to be seen.
func (s *screen) paymentsPrologue() {
	s.line("")
	s.line("%s  %s", s.paint(bold, "2:13 a.m."), "An agent charges a customer, and the answer never comes.")
	s.line("")
	s.text(fmt.Sprintf("A payment and mail provider runs on loopback. It commits the first %d charges and the first e-mail,\n"+
		"and lets their answers get lost: the caller's time-out (%s) really fires. It keeps the true count.\n"+
		"The agent is a loop without a model. It wants one charge of 49.00 USD and one receipt; then somebody\n"+
		"in the support console asks for the same charge in other words.", lostCharges, callTimeout))
	s.pause()
}

// messageWidth is the width of the column of sentences.
const messageWidth = 76

// histories shows what the ledger has kept.
func (s *screen) histories(r *Payments) {
	for i := range r.Operations {
		o := &r.Operations[i]
		s.line("")
		s.line("%s  %s  %s", s.paint(bold, "History of "+o.Tool), o.OperationID, s.paint(dim, o.IdempotencyKey))
		s.table(historyHeading, o.rows())
		s.pause()
	}
	o := r.operation(paymentTool)
	if o == nil {
		return
	}
	s.line("")
	s.line("%s", s.paint(bold, "What is said of the payment"))
	for _, l := range []struct{ when, to, text string }{
		{"not known yet", "customer", o.UnknownSafeUserMessage},
		{"not known yet", "model", o.UnknownModelMessage},
		{"at the end", "customer", o.SafeUserMessage},
		{"at the end", "model", o.ModelMessage},
	} {
		if l.text != "" {
			for i, part := range wrap(l.text, messageWidth) {
				if i > 0 {
					l.when, l.to = "", ""
				}
				s.line("  %s  %s  %s", s.paint(dim, pad(l.when, 13)), pad(l.to, 8), part)
			}
		}
	}
	s.pause()
}
