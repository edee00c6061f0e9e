package check

import (
	"bytes"
	"time"

	"github.com/anishathalye/porcupine"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// someone bears a permit whose answer nobody has seen.
const someone = "?"

// held is one operation as its callers can tell: who holds the one permit, and what is known of the end. It has no pointers,
// so that states are compared by their values.
type held struct {
	known    state  // the newest state that an answer showed; absent: none did since it could change by itself
	attempts int32  // permits given so far; below zero: they are not counted
	live     string // the attempt that holds the permit, or someone; empty: none is out
	owner    string // the request that earned the live permit
	begun    string // the nonce of the accepted begin
	ends     int64  // the earliest moment at which the live permit, or the provider's time, can have ended, in Unix nanoseconds
	heed     bool   // an attempt has said that the effect exists: from then on no permit or begin is given
}

// operationModel is one operation as a sequential object. What happens without a call is a choice of the model: a permit may
// end from its deadline on, and an operation that holds none may be moved by due work, webhooks and persons.
func operationModel(queued bool) porcupine.NondeterministicModel {
	return porcupine.NondeterministicModel{
		Hash: hash[held],
		Init: func() []any {
			if queued {
				return []any{held{attempts: -1}}
			}
			return []any{held{}}
		},
		Step: func(s, in, _ any) []any {
			c := in.(operationCall)
			var next []any
			for _, from := range s.(held).before(&c, queued) {
				for _, to := range from.step(&c) {
					next = append(next, to)
				}
				if indefinite(c.Call) {
					next = append(next, from)
				}
			}
			return next
		},
	}
}

// before lists what the operation may have become by itself when the call took effect.
func (s held) before(c *operationCall, queued bool) []held {
	all := []held{s}
	if s.live != "" && c.Ended.UnixNano() >= s.ends {
		all = append(all, s.free())
	}
	if s.known == acknowledged && c.Ended.UnixNano() >= s.ends {
		lapsed := s
		lapsed.known = absent
		all = append(all, lapsed)
	}
	if queued {
		for _, s := range all {
			if s.live == "" && !ended(s.known) && !s.heed {
				all = append(all, s.taken(someone, "", c.Began.UnixNano()))
			}
		}
	}
	return all
}

// free is the operation when its permit has ended.
func (s held) free() held {
	s.live, s.owner, s.begun, s.known = "", "", "", absent
	return s
}

// taken is the operation when a new permit is out.
func (s held) taken(attempt, request string, ends int64) held {
	if s.attempts >= 0 {
		s.attempts++
	}
	s.known, s.live, s.owner, s.begun, s.ends = dispatched, attempt, request, "", ends
	return s
}

// step lists what a call makes of the operation, given its answer; none: the answer is wrong here. Of a call whose answer
// is not known it lists what the call makes where it is carried out.
func (s held) step(c *operationCall) []held {
	switch q := c.Request.(type) {
	case *pb.ProposeOperationRequest:
		if indefinite(c.Call) {
			return s.proposedInSilence(c, q)
		}
		return s.proposed(c, q)
	case *pb.PollWorkRequest:
		return s.granted(c, "")
	case *pb.BeginAttemptRequest:
		return s.begins(c, q)
	case *pb.ExtendAttemptRequest:
		if indefinite(c.Call) {
			return nil // it can only last longer than is known
		}
		return s.extends(c, q)
	case *pb.ReportAttemptRequest:
		return s.reported(c, q)
	}
	if m, shows := c.Answer.(interface{ GetOperation() *pb.Operation }); shows && m.GetOperation() != nil {
		return s.shows(m.GetOperation().State, m.GetOperation().GetPermitHolder().GetAttemptId())
	}
	if indefinite(c.Call) {
		return []held{s.moved()}
	}
	return []held{s}
}

// moved is the operation after something that may have changed what is known while no permit is out.
func (s held) moved() held {
	if s.live == "" && !ended(s.known) {
		s.known = absent
	}
	return s
}

func (s held) proposed(c *operationCall, q *pb.ProposeOperationRequest) []held {
	m, answered := c.Answer.(*pb.ProposeOperationResponse)
	switch {
	case !answered || c.Error != "":
		return []held{s} // it was refused, and changed nothing
	case c.permit != nil:
		return s.granted(c, q.RequestId)
	case m.Decision == pb.Decision_DECISION_PLANNED:
		return []held{s}
	case m.Decision == pb.Decision_DECISION_REPLAYED && !ended(m.Result.GetState()) && m.Result.GetState() != compensating:
		return nil
	case m.Decision == pb.Decision_DECISION_IN_FLIGHT && m.Result.GetState() == dispatched:
		return s.shows(dispatched, m.Holder.GetAttemptId())
	}
	return s.shows(m.Result.GetState(), "")
}

// granted: a new permit only where none is out and none stands against it; the same one again only to the request that
// earned it, and before its begin.
func (s held) granted(c *operationCall, request string) []held {
	p := c.permit
	ends := c.Began.Add(p.Remaining.AsDuration()).UnixNano()
	switch {
	case s.live == "" && !ended(s.known) && s.known != acknowledged && s.known != compensating && !s.heed && s.counts(p.AttemptNumber, 1):
		return []held{s.taken(p.AttemptId, request, ends)}
	case s.live == someone && (s.owner == request || request == "") && s.counts(p.AttemptNumber, 0):
		s.live, s.ends, s.owner = p.AttemptId, ends, request
		return []held{s}
	case s.live == p.AttemptId && s.owner == request && (s.begun == "" || !p.BeginRequired) && s.counts(p.AttemptNumber, 0):
		return []held{s}
	}
	return nil
}

// counts reports whether the attempt's number is the count of permits and so many more.
func (s held) counts(number, more int32) bool { return s.attempts < 0 || number == s.attempts+more }

// proposedInSilence: the permit may be out, and nobody has seen for how long.
func (s held) proposedInSilence(c *operationCall, q *pb.ProposeOperationRequest) []held {
	if s.live != "" || ended(s.known) || s.heed {
		return []held{s}
	}
	return []held{s.moved(), s.taken(someone, q.RequestId, c.Began.UnixNano())}
}

func (s held) begins(c *operationCall, q *pb.BeginAttemptRequest) []held {
	mine := s.live == q.AttemptId || s.live == someone
	free := s.begun == "" || s.begun == string(q.BeginNonce)
	switch {
	case c.Error == "BEGIN_NONCE_MISMATCH":
		return only(s, s.live == q.AttemptId && !free)
	case c.Error == "PERMIT_EXPIRED":
		return only(s, s.live != q.AttemptId)
	case c.Error != "" && !indefinite(c.Call):
		return []held{s}
	case !mine || !free || s.heed:
		return nil
	}
	s.live, s.begun = q.AttemptId, string(bytes.Clone(q.BeginNonce))
	if m, ok := c.Answer.(*pb.BeginAttemptResponse); ok {
		s.ends = max(s.ends, until(c, m.GetBegun().GetRemaining().AsDuration()))
	}
	return []held{s}
}

func (s held) extends(c *operationCall, q *pb.ExtendAttemptRequest) []held {
	switch {
	case c.Error == "PERMIT_EXPIRED":
		return only(s, s.live != q.AttemptId)
	case c.Error != "":
		return []held{s}
	case s.live != q.AttemptId && s.live != someone, s.heed:
		return nil
	}
	s.live = q.AttemptId
	if m, ok := c.Answer.(*pb.ExtendAttemptResponse); ok {
		s.ends = max(s.ends, until(c, m.GetRemaining().AsDuration()))
	}
	return []held{s}
}

func until(c *operationCall, remaining time.Duration) int64 { return c.Began.Add(remaining).UnixNano() }
