package check

import pb "github.com/opledger/opledger/gen/go/opledger/v1"

// reported: a report counts while its attempt is live or is awaited by what the provider took on; else it is stale, and what
// it says of an effect is heeded all the same.
func (s held) reported(c *operationCall, q *pb.ReportAttemptRequest) []held {
	live := s.live == q.AttemptId || s.live == someone
	says := q.GetSucceeded() != nil
	m, answered := c.Answer.(*pb.ReportAttemptResponse)
	switch {
	case c.Error == "STALE_ATTEMPT":
		if s.live == q.AttemptId {
			return nil
		}
		s.heed = s.heed || says
		if s.live == "" {
			return []held{s.moved(), s.reopened(says)}
		}
		return []held{s}
	case indefinite(c.Call):
		if !live {
			s.heed = s.heed || says
			return []held{s.moved(), s.reopened(says)}
		}
		s = s.free()
		s.heed = s.heed || says
		return []held{s}
	case !answered:
		return []held{s}
	case m.Duplicate:
		return s.shows(m.Operation.GetState(), m.Operation.GetPermitHolder().GetAttemptId())
	case m.Operation.GetState() == dispatched: // it was kept, and the permit is out all the same
		return only(s, live)
	case says && saysNot(m.Operation.GetState()):
		return nil
	case live:
		s = s.free()
		s.known, s.heed, s.ends = m.Operation.GetState(), s.heed || says, 0
		if s.known == acknowledged {
			s.ends = m.Operation.GetFinishTime().AsTime().UnixNano()
		}
		return []held{s}
	}
	// Of what the provider took on, the attempt's last word is awaited though its permit has ended.
	return s.shows(m.Operation.GetState(), "")
}

// reopened is what a late word makes of an end: that there is an effect after all.
func (s held) reopened(says bool) held {
	if says && (s.known == permanent || s.known == noop) {
		s.known = absent
	}
	return s
}

// shows: an answer shows the operation in a state, and who holds its permit.
func (s held) shows(to state, holder string) []held {
	if to == dispatched {
		return only(s, s.live != "" && (holder == "" || s.live == someone || s.live == holder))
	}
	if s.live != "" || s.heed && saysNot(to) {
		return nil
	}
	switch s.known {
	case success, compensating, compensated:
		if !saysDone(to) {
			return nil
		}
	case permanent, noop:
		if to != s.known && to != success && to != unknown && !saysDone(to) {
			return nil
		}
	}
	if to == acknowledged && s.known != acknowledged {
		s.ends = 0 // by when it is to be finished was not seen
	}
	s.known = to
	return []held{s}
}

func only(s held, legal bool) []held {
	if legal {
		return []held{s}
	}
	return nil
}
