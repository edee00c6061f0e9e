package check

import (
	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Answers checks what is true of every answer: a permit is there exactly with EXECUTE, and it names its attempt; a decision,
// what is next and what to say are always set; only REPLAYED answers from the record; an error bears
// a reason of the API's, and none is the server's own.
func Answers(r eval.Record) []eval.Finding {
	if !judged(&r) {
		return nil
	}
	f := &findings{checker: checkerAnswers, record: &r}
	for i := range r.Calls {
		c := &r.Calls[i]
		if !excused(c.Error) {
			f.add(pressed(&r), "call %d (%s) failed with %q, which is no reason of the API's", c.Sequence, c.Method, c.Error)
		}
		if m, ok := c.Answer.(*pb.ProposeOperationResponse); ok && m != nil {
			f.proposed(c, m)
		}
	}
	return f.found
}

// excused reports whether an error is one of the API's reasons, or one that a client or the wire makes by itself and that has
// no reason.
func excused(reason string) bool {
	switch reason {
	case "", "Canceled", "DeadlineExceeded", "Unavailable":
		return true
	case "UNSPECIFIED", "INTERNAL":
		return false
	}
	_, known := pb.ErrorReason_value["ERROR_REASON_"+reason]
	return known
}

func (f *findings) proposed(c *eval.Call, m *pb.ProposeOperationResponse) {
	r := f.record
	if (m.Permit != nil) != (m.Decision == pb.Decision_DECISION_EXECUTE) {
		f.add(pressed(r), "call %d was answered %s, and that a permit is there is %t", c.Sequence, decision(m), m.Permit != nil)
	}
	if p := m.Permit; p != nil && (p.OperationId == "" || p.AttemptId == "" || p.AttemptToken == "" || p.AttemptNumber < 1) {
		f.add(pressed(r), "call %d got a permit that does not name its attempt", c.Sequence)
	}
	if m.Decision == pb.Decision_DECISION_UNSPECIFIED || m.Result.GetNextAction().GetKind() == pb.NextActionKind_NEXT_ACTION_KIND_UNSPECIFIED ||
		m.Result.GetSafeUserMessage() == "" || m.Result.GetModelMessage() == "" {
		f.add(eval.WhatIsTold, "call %d was answered %s without a decision, what is next, or what to say", c.Sequence, decision(m))
	}
	if m.Result.GetReplayed() && m.Decision != pb.Decision_DECISION_REPLAYED {
		f.add(eval.ReplaySafety, "call %d was answered %s and says that it replays", c.Sequence, decision(m))
	}
}

// decision is a decision as the design writes it: EXECUTE.
func decision(m *pb.ProposeOperationResponse) string { return m.Decision.String()[len("DECISION_"):] }
