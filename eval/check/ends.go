package check

import "github.com/opledger/opledger/eval"

// Ends checks that every operation of a run that is over has ended as known, or waits for a person who has been asked.
func Ends(r eval.Record) []eval.Finding {
	if !judged(&r) {
		return nil
	}
	f := &findings{checker: checkerEnds, record: &r}
	for _, o := range r.Operations {
		if ended(o.State) || o.NeedsHuman != nil {
			continue
		}
		f.add(pressed(&r), "operation %s is %s at the end of the run, and no person has been asked", o.OperationId, word(o.State))
	}
	return f.found
}
