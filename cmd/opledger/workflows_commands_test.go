package main

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func aWorkflow() *pb.Workflow {
	return &pb.Workflow{
		WorkflowId: "wf_1", State: pb.Workflow_STATE_OPEN, NormalizedIntent: "refund order_1", Requester: "kim@example.com", CurrentRunId: "run_1",
		SourceEvents: []*pb.SourceEvent{{Source: "slack", EventId: "ev_1"}}, CorrelationKey: "msg:C1", CreateTime: at9, Principal: "agent",
		Runs: []*pb.WorkflowRun{{RunId: "run_1"}},
	}
}

// ends runs a command line that must end with a status.
func (c *canned) ends(t *testing.T, status int, args ...string) string {
	t.Helper()
	got := c.at(t, "", args...)
	if got.status != status {
		t.Fatalf("opledger %v: %+v, want status %d", args, got, status)
	}
	return got.out
}

func TestStartingAWorkflow(t *testing.T) {
	c := answering(t, map[string]proto.Message{"StartWorkflow": &pb.StartWorkflowResponse{Workflow: aWorkflow(), RunId: "run_1"}})
	out := c.ok(t, "workflows", "start", "--event", "slack/ev/1", "--key", "msg:C1", "--window", "5m", "--intent", "refund order_1",
		"--requester", "kim@example.com", "--user-request", "my money back", "--label", "team=care", "--workflow", "wf_1", "--run", "run_1")
	has(t, "the workflow", out, "wf_1", "run_1", "open")
	same(t, request[*pb.StartWorkflowRequest](t, c, "StartWorkflow"), &pb.StartWorkflowRequest{
		WorkflowId: "wf_1", RunId: "run_1", SourceEvent: &pb.SourceEvent{Source: "slack", EventId: "ev/1"}, CorrelationKey: "msg:C1",
		CorrelationWindow: durationpb.New(5 * time.Minute), NormalizedIntent: "refund order_1", Requester: "kim@example.com",
		UserRequest: "my money back", Labels: map[string]string{"team": "care"},
	})

	for name, by := range map[string]*pb.UnitedWith{
		"slack/ev_1 came before": {By: &pb.UnitedWith_SourceEvent{SourceEvent: &pb.SourceEvent{Source: "slack", EventId: "ev_1"}}},
		"by the key msg:C1":      {By: &pb.UnitedWith_CorrelationKey{CorrelationKey: "msg:C1"}},
		"wf_1 was started":       {By: &pb.UnitedWith_WorkflowId{WorkflowId: "wf_1"}},
	} {
		c.replies["StartWorkflow"] = &pb.StartWorkflowResponse{Workflow: aWorkflow(), UnitedWith: by}
		out := c.ends(t, exitFailed, "workflows", "start", "--event", "slack/ev_1")
		has(t, "who acts", out, name, "Its")
	}
	c.replies["StartWorkflow"] = &pb.StartWorkflowResponse{Workflow: aWorkflow(), RunId: "run_2", Flag: &pb.IntentFlag{WorkflowId: "wf_9", NormalizedIntent: "cancel"}}
	has(t, "the flag", c.ok(t, "workflows", "start", "--key", "msg:C1"), "wf_9", "means something else", "A person should look")
	c.ends(t, exitUsage, "workflows", "start", "--event", "slack")
}

func TestResumingAWorkflow(t *testing.T) {
	c := answering(t, map[string]proto.Message{"ResumeWorkflow": &pb.ResumeWorkflowResponse{
		Workflow: aWorkflow(), RunId: "run_2", Projection: &pb.Projection{Json: `{"schema":"opledger.projection/1"}`, Prose: "Workflow wf_1 is open.\n- op_1 \x1b[2Jx: done."},
	}})
	out := c.ok(t, "workflows", "resume", "wf_1", "--run", "run_2", "--wait", "3s", "--max-bytes", "2048")
	has(t, "the account", out, "run_2", "Workflow wf_1 is open.\n- op_1 ")
	if strings.Contains(out, "\x1b") {
		t.Error("what others wrote reaches the terminal")
	}
	size := int32(2048)
	same(t, request[*pb.ResumeWorkflowRequest](t, c, "ResumeWorkflow"), &pb.ResumeWorkflowRequest{WorkflowId: "wf_1", RunId: "run_2", Wait: durationpb.New(3 * time.Second), MaxProjectionBytes: &size})
	c.ends(t, exitUsage, "workflows", "resume", "wf_1", "--wait", "2h")
}

func TestEndingAWorkflow(t *testing.T) {
	ended := aWorkflow()
	ended.State = pb.Workflow_STATE_COMPLETED
	c := answering(t, map[string]proto.Message{"CompleteWorkflow": &pb.CompleteWorkflowResponse{
		Workflow: ended, CancelledOperationIds: []string{"op_2"}, OpenOperationIds: []string{"op_3", "op_4"},
	}})
	out := c.ok(t, "workflows", "complete", "wf_1", "--run", "run_1", "--message", "It is done.", "--claim", "op_1=done", "--claim", "op_2=not-done", "--etag", "v3")
	has(t, "the end", out, "wf_1 is completed", "op_2", "op_3 op_4")
	same(t, request[*pb.CompleteWorkflowRequest](t, c, "CompleteWorkflow"), &pb.CompleteWorkflowRequest{
		WorkflowId: "wf_1", RunId: "run_1", Etag: "v3", Conclusion: &pb.Conclusion{UserMessage: "It is done.", Claims: []*pb.Claim{
			{OperationId: "op_1", Kind: pb.ClaimKind_CLAIM_KIND_DONE}, {OperationId: "op_2", Kind: pb.ClaimKind_CLAIM_KIND_NOT_DONE},
		}},
	})
	for _, claim := range []string{"op_1", "op_1=perhaps"} {
		c.ends(t, exitUsage, "workflows", "complete", "wf_1", "--claim", claim)
	}
}

func TestSeeingWorkflows(t *testing.T) {
	w := aWorkflow()
	w.Conclusion = &pb.Conclusion{Claims: []*pb.Claim{{OperationId: "op_1", Kind: pb.ClaimKind_CLAIM_KIND_OPEN}}}
	w.Flags = []*pb.IntentFlag{{WorkflowId: "wf_9", NormalizedIntent: "cancel"}}
	c := answering(t, map[string]proto.Message{
		"GetWorkflow": &pb.GetWorkflowResponse{
			Workflow: w, OpenOperationIds: []string{"op_1"}, MoreOperations: true,
			Operations: []*pb.Operation{{OperationId: "op_1", Tool: "email.send", State: pb.Operation_STATE_UNKNOWN_OUTCOME, Entity: order1, CreateTime: at9}},
		},
		"ListWorkflows": &pb.ListWorkflowsResponse{Workflows: []*pb.Workflow{aWorkflow()}},
	})
	has(t, "the workflow", c.ok(t, "workflows", "show", "wf_1"), "slack/ev_1", "msg:C1", "wf_9 cancel", "op_1", "unknown_outcome", "order/1", "THE USER WAS TOLD", "ops list --workflow wf_1")
	has(t, "the list", c.ok(t, "workflows", "list", "--state", "open,completed", "--event", "slack/ev_1", "--key", "k", "--requester", "kim"), "wf_1", "refund order_1", "kim@example.com")
	same(t, request[*pb.ListWorkflowsRequest](t, c, "ListWorkflows"), &pb.ListWorkflowsRequest{
		PageSize: 50, States: []pb.Workflow_State{pb.Workflow_STATE_OPEN, pb.Workflow_STATE_COMPLETED},
		SourceEvent: &pb.SourceEvent{Source: "slack", EventId: "ev_1"}, CorrelationKey: "k", Requester: "kim",
	})
	has(t, "completion", do(t, "__complete", "workflows", "resume", "--server", c.address, "wf_").out, "wf_1")
}
