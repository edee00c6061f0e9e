package demo

// controlPrologue says what is about to be seen.
func (s *screen) controlPrologue() {
	s.line("")
	s.line("%s  %s", s.paint(bold, "3:20 p.m."), "Two agents give money away, and one of them is in a hurry.")
	s.line("")
	s.text("Ada's " + brokenOrder + " came broken. She tells the chat and writes an e-mail; each has an agent run of its own that\n" +
		"knows nothing of the other. One thinks of a refund of 30.00 EUR, the other of a goodwill credit of 30.00 EUR.\n" +
		"Then she asks the chat for 480.00 EUR for " + largeOrder + ". What is above 250.00 takes two people. The model would\n" +
		"rather be done: it words the call anew, splits it, tries another tool.")
	s.pause()
}

// scene opens a part of an act.
func (s *screen) scene(title string) {
	s.line("")
	s.line("  %s", s.paint(bold, title))
}

// said shows a sentence that somebody reads.
func (s *screen) said(label, sentence string) {
	for i, l := range wrap(label+": "+sentence, messageWidth+14) {
		if i > 0 {
			l = "  " + l
		}
		s.line("  %s", s.paint(dim, l))
	}
}

// given shows what the provider counted, by order.
func (s *screen) given(g Given, good bool) {
	colour := red
	if good {
		colour = green
	}
	s.line("")
	s.line("  Counted at the provider: %s  %s", brokenOrder, s.paint(bold+";"+colour, g.BrokenOrder.String()))
	s.line("                           %s  %s", largeOrder, s.paint(bold+";"+colour, g.LargeOrder.String()))
	if g.Elsewhere != (Remedies{}) {
		s.line("                           elsewhere  %s", s.paint(bold+";"+red, g.Elsewhere.String()))
	}
}

// controlHistories shows what the ledger has kept of the large refund.
func (s *screen) controlHistories(r *Control) {
	for i := range r.Operations {
		o := &r.Operations[i]
		if r.Approval == nil || o.OperationID != r.Approval.OperationID {
			continue
		}
		s.line("")
		s.line("%s  %s  %s", s.paint(bold, "History of the large refund"), o.OperationID, s.paint(dim, o.IdempotencyKey))
		s.table(historyHeading, o.rows())
		s.pause()
	}
}
