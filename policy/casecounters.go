package policy

// Counters names the rows of history that a rule counts by in this case: a limit's, or those of the history functions in
// a condition. None: the rule does not apply, or counts nothing.
func (c *Case) Counters(rule string) []string {
	var ids []string
	for _, a := range c.asks {
		if a.id != rule {
			continue
		}
		if a.charge != nil && a.charge.Kind == ChargeCounter {
			ids = append(ids, a.charge.History)
		}
		for _, u := range a.counters {
			if u.err == nil {
				ids = append(ids, u.charge.History)
			}
		}
	}
	return ids
}
