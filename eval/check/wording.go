package check

import (
	"slices"
	"strings"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Wording checks that no sentence claims what was not known when it was said. Each answer's sentences, for the customer and
// for the model, are held against the state that the same answer tells, and against what the provider had done at some
// moment of the call:
//
//   - of what may have happened no sentence says that it was done or that it was not; of an unknown outcome both say that it
//     is not known;
//   - of what has not been done none says that it was, and of what was done none says that it was not;
//   - of what is open none promises anything;
//   - a replay says when it happened and that nothing new was done;
//   - what is next agrees: an open outcome is waited for, and only the bearer of a permit reports;
//   - no sentence teaches a model how to get a repetition through, and none names a secret.
func Wording(r eval.Record) []eval.Finding {
	if !judged(&r) {
		return nil
	}
	w := &wording{findings: findings{checker: checkerWording, record: &r}, secrets: secretsOf(&r), said: map[string]claims{}}
	for i := range r.Calls {
		c := &r.Calls[i]
		for _, t := range c.Told {
			w.shows(c, t)
		}
		if m := resultIn(c.Answer); m != nil {
			w.result(c, m)
		}
	}
	w.records()
	return w.found
}

// wording judges what one record tells.
type wording struct {
	findings
	secrets []string
	said    map[string]claims // by text: a run hears the same few sentences again and again
}

// read reads a text of the record's, each once.
func (w *wording) read(text string) claims {
	says, known := w.said[text]
	if !known {
		says = read(strings.ToLower(text))
		w.said[text] = says
	}
	return says
}

// resultIn is the normalized result in an answer; nil where there is none.
func resultIn(answer any) *pb.ToolResult {
	switch m := answer.(type) {
	case interface{ GetResult() *pb.ToolResult }:
		return m.GetResult()
	case interface{ GetOperation() *pb.Operation }:
		return m.GetOperation().GetResult()
	}
	return nil
}

func (w *wording) bad(c *eval.Call, text, format string, args ...any) {
	w.add(eval.WhatIsTold, "call %d (%s): "+format+": %q", append(append([]any{c.Sequence, c.Method}, args...), text)...)
}

// result judges one answer's sentences.
func (w *wording) result(c *eval.Call, m *pb.ToolResult) {
	for _, t := range []string{m.SafeUserMessage, m.ModelMessage} {
		w.shows(c, t)
		w.sentence(c, m, t)
	}
	p, _ := c.Answer.(*pb.ProposeOperationResponse)
	if m.State == unknown && p.GetDecision() != pb.Decision_DECISION_PLANNED {
		for _, t := range []string{m.SafeUserMessage, m.ModelMessage} {
			if !w.read(t).hedges {
				w.bad(c, t, "the outcome is not known, and the text does not say so")
			}
		}
	}
	if p.GetDecision() == pb.Decision_DECISION_REPLAYED && m.State == success && mutates(w.class(m)) {
		w.replayed(c, m)
	}
	w.next(c, m, p)
}

// sentence holds one text against the state that its own answer tells.
func (w *wording) sentence(c *eval.Call, m *pb.ToolResult, text string) {
	says := w.read(text)
	s := m.State
	switch {
	case s == absent && says.done:
		w.bad(c, text, "no operation was made, and the text says that it was done")
	case mayHave(s) && says.done:
		w.bad(c, text, "it is %s, and the text says that it was done", word(s))
	case mayHave(s) && (says.notDone || says.soFar && s != acknowledged):
		w.bad(c, text, "it is %s, and the text says that it was not done", word(s))
	case saysNot(s) && says.done && s != noop:
		w.bad(c, text, "it is %s, and the text says that it was done", word(s))
	case s == noop && says.done && !strings.Contains(strings.ToLower(text), "already"):
		w.bad(c, text, "it was already so, and the text says that it was done")
	case saysDone(s) && (says.notDone || says.soFar && s != compensating):
		w.bad(c, text, "it is %s, and the text says that it was not done", word(s))
	case s == compensating && says.undone:
		w.bad(c, text, "it is being undone, and the text says that it was")
	}
	if !ended(s) && s != absent && says.promises {
		w.bad(c, text, "it is %s, and the text promises what is to come", word(s))
	}
	if (saysDone(s) || s == noop) && says.repeats && mutates(w.class(m)) {
		w.bad(c, text, "it is %s, and the text asks for the call once more", word(s))
	}
	w.truth(c, m, says, text)
}

// replayed: a replay says when it happened, and that no new one was made.
func (w *wording) replayed(c *eval.Call, m *pb.ToolResult) {
	when := m.EffectTime.AsTime().UTC().Format("2 January 2006 15:04:05")
	for _, t := range []string{m.SafeUserMessage, m.ModelMessage} {
		lower := strings.ToLower(t)
		switch {
		case m.EffectTime != nil && !strings.Contains(t, when):
			w.bad(c, t, "a replay does not say that it happened on %s", when)
		case !strings.Contains(lower, "no new "):
			w.bad(c, t, "a replay does not say that no new one was made")
		case w.read(t).again:
			w.bad(c, t, "a replay says that it was done once more")
		}
	}
}

// next: an unknown outcome is waited for, a known one is used, and only the bearer of a permit reports.
func (w *wording) next(c *eval.Call, m *pb.ToolResult, p *pb.ProposeOperationResponse) {
	kind := m.GetNextAction().GetKind()
	allowed := []pb.NextActionKind{pb.NextActionKind_NEXT_ACTION_KIND_WAIT, pb.NextActionKind_NEXT_ACTION_KIND_ASK_PERSON}
	switch {
	case p.GetDecision() == pb.Decision_DECISION_PLANNED || m.State == absent:
		return
	case p.GetPermit() != nil:
		allowed = []pb.NextActionKind{pb.NextActionKind_NEXT_ACTION_KIND_REPORT_OUTCOME}
	case mayHave(m.State):
	case m.State == success || m.State == noop:
		allowed = []pb.NextActionKind{pb.NextActionKind_NEXT_ACTION_KIND_USE_RESULT}
	default:
		allowed = append(allowed, pb.NextActionKind_NEXT_ACTION_KIND_STOP, pb.NextActionKind_NEXT_ACTION_KIND_CHOOSE_OTHER)
	}
	if !slices.Contains(allowed, kind) {
		w.add(eval.WhatIsTold, "call %d (%s): it is %s, and what is next is %s", c.Sequence, c.Method, word(m.State), lower(kind.String(), "NEXT_ACTION_KIND_"))
	}
}

// shows: whatever a sentence is about, it names no secret and teaches no way round.
func (w *wording) shows(c *eval.Call, text string) {
	if w.hidden(text) {
		w.add(eval.WhatIsTold, "call %d (%s): a sentence names a secret", c.Sequence, c.Method)
	}
	if w.read(text).teaches {
		w.bad(c, text, "the text teaches a way to get a repetition through")
	}
}

// records: what is kept and shown beside answers names no secret either.
func (w *wording) records() {
	r := w.record
	for id, events := range sorted(r.Events) {
		for _, e := range events {
			for name, value := range sorted(e.Detail) {
				if w.hidden(value) {
					w.add(eval.WhatIsTold, "operation %s: event %d names a secret in %s", id, e.Sequence, name)
				}
			}
		}
	}
	for _, o := range r.Operations {
		for _, in := range o.Incidents {
			if w.hidden(in.Description) {
				w.add(eval.WhatIsTold, "operation %s: an incident names a secret", o.OperationId)
			}
		}
	}
	for i, a := range r.Accounts {
		if w.hidden(a.Json) || w.hidden(a.Prose) {
			w.add(eval.WhatIsTold, "account %d names a secret", i+1)
		}
	}
}

func (w *wording) hidden(text string) bool {
	for _, s := range w.secrets {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// secretsOf are the values that nobody is shown: the record's own, and every token of its answers.
func secretsOf(r *eval.Record) []string {
	secrets := slices.DeleteFunc(slices.Clone(r.Secrets), func(s string) bool { return s == "" })
	for i := range r.Calls {
		switch m := r.Calls[i].Answer.(type) {
		case *pb.ProposeOperationResponse:
			if t := m.GetPermit().GetAttemptToken(); t != "" {
				secrets = append(secrets, t)
			}
		case *pb.AcquireEntityLeaseResponse:
			if t := m.GetGrant().GetLeaseToken(); t != "" {
				secrets = append(secrets, t)
			}
		}
	}
	return secrets
}

// operation finds an operation of the record; nil where it holds none of that id.
func (f *findings) operation(id string) *pb.Operation {
	for _, o := range f.record.Operations {
		if o.OperationId == id {
			return o
		}
	}
	return nil
}

// class is the class of the operation that a result is of.
func (w *wording) class(m *pb.ToolResult) pb.ToolClass {
	if o := w.operation(m.OperationId); o != nil {
		return o.ToolClass
	}
	return pb.ToolClass(pb.ToolClass_value["TOOL_CLASS_"+string(w.record.Class)])
}
