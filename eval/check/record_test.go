package check

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

var dawn = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// at is so many seconds after dawn.
func at(seconds int) *timestamppb.Timestamp {
	return timestamppb.New(dawn.Add(time.Duration(seconds) * time.Second))
}

// sound is a record in which nothing is wrong: one operation that was sent once and succeeded, and was told so.
func sound() eval.Record {
	deadline := dawn.Add(61 * time.Second).Format(time.RFC3339Nano)
	events := []*pb.OperationEvent{
		{OperationVersion: 1, Time: at(0), Type: created},
		{OperationVersion: 1, Time: at(0), Type: stateChanged, ToState: pending},
		{OperationVersion: 2, Time: at(1), Type: stateChanged, FromState: pending, ToState: dispatched},
		{OperationVersion: 2, Time: at(1), Type: permitGranted, AttemptNumber: 1, Detail: map[string]string{"deadline": deadline}},
		{OperationVersion: 3, Time: at(2), Type: attemptBegun, AttemptNumber: 1},
		{OperationVersion: 4, Time: at(3), Type: attributed, AttemptNumber: 1},
		{OperationVersion: 4, Time: at(3), Type: reported, AttemptNumber: 1, Detail: map[string]string{"outcome": "succeeded", "sender_returned": "true"}},
		{OperationVersion: 4, Time: at(3), Type: stateChanged, FromState: dispatched, ToState: success},
	}
	for i, e := range events {
		e.OperationId, e.Sequence = "op_1", int64(i)+1
	}
	o := &pb.Operation{
		OperationId: "op_1", State: success, Version: 4, ToolClass: pb.ToolClass_TOOL_CLASS_EXTERNAL_NON_IDEMPOTENT_WRITE, WorkflowId: "wf_1",
		ClientReference: "ref_1", CreateTime: at(0), UpdateTime: at(3), StateTime: at(3), EndTime: at(3),
		Keys:    []*pb.KeyClaim{{IdempotencyKey: "email:1", Number: 1}},
		Effects: []*pb.Effect{{Provider: "acme", EffectId: "msg_1", AttemptNumber: 1}},
		Attempts: []*pb.Attempt{{
			AttemptId: "att_1", AttemptNumber: 1, GrantTime: at(1), DeadlineTime: at(61), BeginTime: at(2), EndTime: at(3), Verdict: pb.AttemptVerdict_ATTEMPT_VERDICT_EFFECT,
			FencingNumbers: []*pb.FencingNumber{{Entity: &pb.Entity{Type: "order", Id: "1"}, Scope: "group/mail", Number: 1}},
		}},
	}
	account := &pb.Projection{
		Json:       `{"schema":"opledger.projection/1","workflow":{"id":"wf_1"},"open":[],"ended":[{"operation_id":"op_1","version":4,"state":"completed_success","outcome":"done"}]}`,
		Prose:      "Workflow wf_1 is open. This is what the ledger knows of it.\nEnded, 1, oldest first:\n- op_1 email.send: done on 2026-03-01T09:00:03Z.",
		Operations: []*pb.ProjectedOperation{{OperationId: "op_1", OperationVersion: 4, Result: &pb.ToolResult{State: success}}},
	}
	return eval.Record{
		Run: 7, Arm: eval.Opledger, Class: registry.ExternalNonIdempotentWrite, Agent: "retry_loop", Key: "email:1", Wanted: 1, Heard: true,
		Effects: []eval.Effect{{ID: "msg_1", Reference: "ref_1", At: dawn.Add(2 * time.Second)}}, Operations: []*pb.Operation{o},
		Events: map[string][]*pb.OperationEvent{"op_1": events}, Accounts: []*pb.Projection{account, proto.Clone(account).(*pb.Projection)},
		Secrets: []string{"4111111111111111"}, Steps: []string{"a step"},
		Calls: []eval.Call{{By: "agent", Method: "propose", Sequence: 1, EndSeq: 2, Began: dawn.Add(4 * time.Second), Ended: dawn.Add(5 * time.Second), Answer: replay()}},
	}
}

// replay is the answer to a proposal of what has succeeded.
func replay() *pb.ProposeOperationResponse {
	return &pb.ProposeOperationResponse{
		Decision: pb.Decision_DECISION_REPLAYED,
		Result: &pb.ToolResult{
			OperationId: "op_1", State: success, Replayed: true, EffectTime: at(3), NextAction: &pb.NextAction{Kind: pb.NextActionKind_NEXT_ACTION_KIND_USE_RESULT},
			SafeUserMessage: "This was already done on 1 March 2026 09:00:03 UTC; no new one was made.",
			ModelMessage:    "This operation was already carried out on 1 March 2026 09:00:03 UTC. The recorded result is the answer, and no new effect was made now. Use it; do not call again.",
		},
	}
}

// broken is a way to break a sound record.
type broken struct {
	name string
	harm func(*eval.Record)
	says string // part of what is found
}

// finds expects nothing of a sound record, and of each broken one exactly findings of the checker that say what is wrong.
func finds(t *testing.T, checker func(eval.Record) []eval.Finding, cases []broken) {
	t.Helper()
	if found := checker(sound()); len(found) > 0 {
		t.Fatalf("of a sound record it finds: %+v", found)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := sound()
			c.harm(&r)
			found := checker(r)
			if len(found) == 0 {
				t.Fatal("nothing is found")
			}
			for _, f := range found {
				if !strings.Contains(f.Message, c.says) || f.Checker == "" || f.Dimension == "" || f.Run != 7 || len(f.History) == 0 {
					t.Errorf("found %+v, want %q", f, c.says)
				}
			}
			r.Arm = eval.Naive
			if found := checker(r); len(found) > 0 {
				t.Errorf("a loop without a ledger is judged: %+v", found)
			}
		})
	}
}

func TestASoundRecord(t *testing.T) {
	if found := All(sound()); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	if found := Together([]eval.Record{sound(), sound()}); len(found) > 0 {
		t.Errorf("together: %+v", found)
	}
}
