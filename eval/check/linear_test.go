package check

import (
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// story is a hand-made history: calls one after the other, a second each, unless one is made to last longer.
type story []eval.Call

func (s *story) call(request, answer any, reason string) *eval.Call {
	n := len(*s)
	began := dawn.Add(time.Duration(n) * time.Second)
	*s = append(*s, eval.Call{By: "a", Method: "call", Request: request, Answer: answer, Error: reason, Began: began, Ended: began.Add(time.Millisecond), Sequence: 10 * n, EndSeq: 10*n + 5})
	return &(*s)[n]
}

func minute() *durationpb.Duration { return durationpb.New(time.Minute) }

// executes is a proposal that earns the permit of an attempt.
func (s *story) executes(request string, attempt int32) *eval.Call {
	return s.call(proposes(request), &pb.ProposeOperationResponse{
		Decision: pb.Decision_DECISION_EXECUTE, Result: &pb.ToolResult{OperationId: "op_1", State: dispatched},
		Permit: &pb.Permit{OperationId: "op_1", AttemptId: fmt.Sprint("att_", attempt), AttemptToken: "t", AttemptNumber: attempt, Remaining: minute(), BeginRequired: true},
	}, "")
}

func proposes(request string) *pb.ProposeOperationRequest {
	return &pb.ProposeOperationRequest{RequestId: request, Tool: "email.send"}
}

// answered is a proposal that is answered without a permit.
func (s *story) answered(d pb.Decision, in state, holder string) *eval.Call {
	m := &pb.ProposeOperationResponse{Decision: d, Result: &pb.ToolResult{OperationId: "op_1", State: in}}
	if holder != "" {
		m.Holder = &pb.Holder{AttemptId: holder}
	}
	return s.call(proposes("other"), m, "")
}

func (s *story) begins(attempt int, nonce, reason string) *eval.Call {
	var m any
	if reason == "" {
		m = &pb.BeginAttemptResponse{Begun: &pb.BegunPermit{Remaining: minute()}}
	}
	return s.call(&pb.BeginAttemptRequest{OperationId: "op_1", AttemptId: fmt.Sprint("att_", attempt), BeginNonce: []byte(nonce)}, m, reason)
}

func (s *story) reports(attempt int, succeeded bool, to state, reason string) *eval.Call {
	q := &pb.ReportAttemptRequest{OperationId: "op_1", AttemptId: fmt.Sprint("att_", attempt), Outcome: &pb.ReportAttemptRequest_NotSent{NotSent: &pb.OutcomeNotSent{}}}
	if succeeded {
		q.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
	}
	var m any
	if reason == "" {
		m = &pb.ReportAttemptResponse{Operation: &pb.Operation{State: to}}
	}
	return s.call(q, m, reason)
}

// lost makes a call one whose answer never came.
func lost(c *eval.Call) { c.Lost, c.Answer = true, nil }

// short makes the permit of a call last no longer than it took.
func short(c *eval.Call) { c.Answer.(*pb.ProposeOperationResponse).Permit.Remaining = nil }

func TestHistoriesOfOperations(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(s *story)
		want Verdict
	}{
		"a life": {func(s *story) {
			s.executes("r1", 1)
			s.answered(inFlight, dispatched, "att_1")
			s.begins(1, "n", "")
			s.reports(1, false, retryable, "")
			s.executes("r2", 2)
			s.reports(2, true, success, "")
			s.answered(replayed, success, "")
		}, Ordered},
		"two permits": {func(s *story) { s.executes("r1", 1); s.executes("r2", 2) }, Unordered},
		"two permits at once": {func(s *story) {
			s.executes("r1", 1).EndSeq = 40
			s.executes("r2", 2)
		}, Unordered},
		"an attempt left out":                    {func(s *story) { s.executes("r1", 2) }, Unordered},
		"the same request again":                 {func(s *story) { s.executes("r1", 1); s.executes("r1", 1) }, Ordered},
		"another request, the same permit":       {func(s *story) { s.executes("r1", 1); s.executes("r2", 1) }, Unordered},
		"the same request again after its begin": {func(s *story) { s.executes("r1", 1); s.begins(1, "n", ""); s.executes("r1", 1) }, Unordered},
		"a permit after the deadline":            {func(s *story) { short(s.executes("r1", 1)); s.executes("r2", 2) }, Ordered},
		"a permit after the end":                 {func(s *story) { s.executes("r1", 1); s.reports(1, true, success, ""); s.executes("r2", 2) }, Unordered},
		"a permit after a late word of the effect": {func(s *story) {
			short(s.executes("r1", 1))
			s.reports(1, true, absent, "STALE_ATTEMPT")
			s.executes("r2", 2)
		}, Unordered},
		"a lost answer that was a permit": {func(s *story) { lost(s.executes("r1", 1)); s.answered(inFlight, dispatched, ""); s.executes("r1", 1) }, Ordered},
		"a lost answer that was none": {func(s *story) {
			s.answered(unsure, unknown, "")
			lost(s.executes("r1", 1))
			s.answered(unsure, unknown, "")
		}, Ordered},
		"a replay before any end":        {func(s *story) { s.executes("r1", 1); s.answered(replayed, success, "") }, Unordered},
		"a replay of what is open":       {func(s *story) { s.answered(replayed, unknown, "") }, Unordered},
		"in flight and nobody holds it":  {func(s *story) { s.answered(inFlight, dispatched, "att_1") }, Unordered},
		"in flight and another holds it": {func(s *story) { s.executes("r1", 1); s.answered(inFlight, dispatched, "att_2") }, Unordered},
		"an end that is taken back":      {func(s *story) { s.answered(replayed, success, ""); s.answered(unsure, unknown, "") }, Unordered},
		"a failure that is tried again": {func(s *story) {
			s.answered(replayed, permanent, "")
			s.answered(pb.Decision_DECISION_RETRY_LATER, retryable, "")
		}, Unordered},
		"a failure that is contradicted":       {func(s *story) { s.answered(replayed, permanent, ""); s.answered(unsure, unknown, "") }, Ordered},
		"two begins":                           {func(s *story) { s.executes("r1", 1); s.begins(1, "n", ""); s.begins(1, "m", "") }, Unordered},
		"the same begin":                       {func(s *story) { s.executes("r1", 1); s.begins(1, "n", ""); s.begins(1, "n", "") }, Ordered},
		"a begin without a permit":             {func(s *story) { s.executes("r1", 1); s.reports(1, false, retryable, ""); s.begins(1, "n", "") }, Unordered},
		"a begin refused for no reason":        {func(s *story) { s.executes("r1", 1); s.begins(1, "n", "PERMIT_EXPIRED") }, Unordered},
		"a nonce refused for no reason":        {func(s *story) { s.executes("r1", 1); s.begins(1, "n", "BEGIN_NONCE_MISMATCH") }, Unordered},
		"a report that is stale for no reason": {func(s *story) { s.executes("r1", 1); s.reports(1, false, absent, "STALE_ATTEMPT") }, Unordered},
		"a success reported as a failure":      {func(s *story) { s.executes("r1", 1); s.reports(1, true, permanent, "") }, Unordered},
	} {
		s := &story{}
		c.tell(s)
		got := Histories(*s)
		if len(got) != 1 || got[0].Verdict != c.want || len(got[0].Shown) == 0 {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

var order = &pb.Entity{Type: "order", Id: "1"}

func (s *story) acquires(workflow, token string, number int64) *eval.Call {
	return s.call(&pb.AcquireEntityLeaseRequest{WorkflowId: workflow, Entities: []*pb.Entity{order}}, &pb.AcquireEntityLeaseResponse{Grant: &pb.LeaseGrant{
		LeaseToken: token, Remaining: minute(), Lease: &pb.EntityLease{FencingNumbers: []*pb.FencingNumber{{Entity: order, Scope: "lease", Number: number}}},
	}}, "")
}

func (s *story) waits(workflow, holder string) *eval.Call {
	return s.call(&pb.AcquireEntityLeaseRequest{WorkflowId: workflow, Entities: []*pb.Entity{order}},
		&pb.AcquireEntityLeaseResponse{Holders: []*pb.Holder{{WorkflowId: holder, Entity: order}}}, "")
}

func (s *story) renews(token, reason string) *eval.Call {
	var m any
	if reason == "" {
		m = &pb.RenewEntityLeaseResponse{Grant: &pb.LeaseGrant{LeaseToken: token, Remaining: minute()}}
	}
	return s.call(&pb.RenewEntityLeaseRequest{LeaseToken: token}, m, reason)
}

func (s *story) releases(token string, wasLost bool) *eval.Call {
	return s.call(&pb.ReleaseEntityLeaseRequest{LeaseToken: token}, &pb.ReleaseEntityLeaseResponse{WasLost: wasLost}, "")
}

func TestHistoriesOfLeases(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(s *story)
		want Verdict
	}{
		"a life": {func(s *story) {
			s.acquires("w1", "t1", 1)
			s.waits("w2", "w1")
			s.renews("t1", "")
			s.releases("t1", false)
			s.acquires("w2", "t2", 2)
			s.renews("t1", "LEASE_LOST")
		}, Ordered},
		"two holders": {func(s *story) { s.acquires("w1", "t1", 1); s.acquires("w2", "t2", 2) }, Unordered},
		"another holder after its time": {func(s *story) {
			s.acquires("w1", "t1", 1).Answer.(*pb.AcquireEntityLeaseResponse).Grant.Remaining = nil
			s.acquires("w2", "t2", 2)
		}, Ordered},
		"taken over by its own workflow":   {func(s *story) { s.acquires("w1", "t1", 1); s.acquires("w1", "t2", 2); s.renews("t1", "LEASE_LOST") }, Ordered},
		"a number that falls":              {func(s *story) { s.acquires("w1", "t1", 2); s.releases("t1", false); s.acquires("w1", "t2", 1) }, Unordered},
		"a number that stays":              {func(s *story) { s.acquires("w1", "t1", 1); s.releases("t1", false); s.acquires("w1", "t2", 1) }, Unordered},
		"held by nobody":                   {func(s *story) { s.waits("w2", "w1") }, Unordered},
		"renewed after its end":            {func(s *story) { s.acquires("w1", "t1", 1); s.releases("t1", false); s.renews("t1", "") }, Unordered},
		"lost for no reason":               {func(s *story) { s.acquires("w1", "t1", 1); s.renews("t1", "LEASE_LOST") }, Unordered},
		"given back as lost for no reason": {func(s *story) { s.acquires("w1", "t1", 1); s.releases("t1", true) }, Unordered},
		"given back though it was another's": {func(s *story) {
			s.acquires("w1", "t1", 1).Answer.(*pb.AcquireEntityLeaseResponse).Grant.Remaining = nil
			s.acquires("w2", "t2", 2)
			s.releases("t1", false)
		}, Unordered},
		"a lost answer": {func(s *story) { lost(s.acquires("w1", "t1", 1)); s.waits("w2", "w1"); s.acquires("w1", "t2", 2) }, Ordered},
	} {
		s := &story{}
		c.tell(s)
		got := Histories(*s)
		if len(got) != 1 || got[0].Verdict != c.want || len(got[0].Shown) == 0 {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

// TestLinearizable: a record's calls are judged, and what is found shows them.
func TestLinearizable(t *testing.T) {
	r, s := sound(), &story{}
	s.executes("r1", 1)
	s.executes("r2", 2)
	s.answered(inFlight, dispatched, "att_2")
	r.Calls = *s
	found := Linearizable(r)
	if len(found) != 1 || found[0].Checker != checkerLinearizable || len(found[0].History) != 2 {
		t.Errorf("two permits: %+v", found)
	}
	r.Calls[1].Request, r.Calls[1].Method = nil, "propose"
	if got := Histories(r.Calls); got != nil {
		t.Errorf("calls without requests are judged: %+v", got)
	}
}
