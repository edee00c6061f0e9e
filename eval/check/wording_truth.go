package check

import (
	"slices"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// truth holds a claim against what the provider had done. An answer was given at some moment between its call's beginning
// and its end, and others act meanwhile: it is wrong only if what it claims was true at no such moment.
//
// An effect that was made stays made. So a claim that it was done is true at some moment exactly if it is true at the last
// one, and a claim that it was not exactly if it is true at the first. Of an effect that was undone nobody knows since when,
// and such a claim is not held against it.
func (w *wording) truth(c *eval.Call, m *pb.ToolResult, says claims, text string) {
	o := w.operation(m.OperationId)
	if o == nil || !mutates(o.ToolClass) || brokenPromise(w.record) || w.record.Agent == liar {
		return
	}
	matched, atEnd, atBeginning := false, false, false
	for _, e := range effectsOf(w.record, o) {
		matched = true
		atEnd = atEnd || w.madeByTheEnd(e, c)
		atBeginning = atBeginning || !e.Undone && w.madeBefore(e, c)
	}
	switch {
	case says.done && saysDone(m.State) && matched && !atEnd:
		w.bad(c, text, "the provider had no effect of %s yet, and the text says that it was done", o.OperationId)
	case (says.notDone || says.soFar) && (saysNot(m.State) || m.State == acknowledged) && atBeginning && alone(w.record, o):
		w.bad(c, text, "the provider had the effect of %s, and the text says that it was not done", o.OperationId)
	}
}

// madeBefore reports whether an effect was certainly there when a call began. Where both came in one instant, as where time
// stands still, the order of calls decides: it was not certainly there if a request of that instant was still to be answered.
func (w *wording) madeBefore(e eval.Effect, c *eval.Call) bool {
	if !e.At.Equal(c.Began) {
		return e.At.Before(c.Began)
	}
	return !slices.ContainsFunc(w.sends(e.At), func(s eval.Call) bool { return s.EndSeq > c.Sequence })
}

// madeByTheEnd reports whether an effect can have been there when a call ended. Where both came in one instant it can,
// unless every request of that instant was made later. One that no request brought was under way before.
func (w *wording) madeByTheEnd(e eval.Effect, c *eval.Call) bool {
	if !e.At.Equal(c.Ended) {
		return e.At.Before(c.Ended)
	}
	sends := w.sends(e.At)
	return len(sends) == 0 || slices.ContainsFunc(sends, func(s eval.Call) bool { return s.Sequence < c.EndSeq })
}

// sends are the requests to the provider that were under way at a moment.
func (w *wording) sends(at time.Time) (all []eval.Call) {
	for _, s := range w.record.Calls {
		if s.Method == "send" && !s.Began.After(at) && !s.Ended.Before(at) {
			all = append(all, s)
		}
	}
	return all
}
