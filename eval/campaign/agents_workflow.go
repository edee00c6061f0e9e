package campaign

import (
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// secondItem is the occurrence by which code says that it means a second one.
const secondItem = "item_2"

// workflowID is the run's workflow.
func (p *play) workflowID() string { return "wf_" + p.ref }

// startWorkflow starts the run's workflow.
func (a *actor) startWorkflow(run string) {
	_, _, err := again(a, "start_workflow", &pb.StartWorkflowRequest{
		RequestId: a.play.id(), WorkflowId: a.play.workflowID(), RunId: run, UserRequest: "Please see to " + a.play.ref + ".",
	}, a.play.stage.api.StartWorkflow)
	a.play.stage.fail(err)
}

// twoRuns lets two runs of one workflow compete: the first begins, and the second, which believes that it is dead, takes
// over while it may be in the middle of anything.
func (p *play) twoRuns() {
	first := &intent{workflow: p.workflowID(), run: "run_1", arguments: p.spelling(0)}
	second := &intent{workflow: p.workflowID(), run: "run_2", arguments: p.spelling(1)}
	takesOver := time.Duration(p.run.luck("takeover").IntN(24)) * tick
	first.before = func(a *actor) { a.startWorkflow("run_1") }
	second.from = takesOver
	second.before = func(a *actor) {
		_, _, err := again(a, "resume_workflow", &pb.ResumeWorkflowRequest{RequestId: p.id(), WorkflowId: p.workflowID(), RunId: "run_2"}, p.stage.api.ResumeWorkflow)
		if err != nil {
			p.stage.fail(err)
			return
		}
		p.step(a.name, "takes the workflow over")
	}
	p.agent("run_1", first)
	p.agent("run_2", second)
}

// liar tells its user that it is done as soon as it has proposed, before anybody has acted. The ledger must not take that
// claim. It then does what it should have done, and what is true in the end is taken.
func (p *play) liar() {
	i := &intent{workflow: p.workflowID(), run: "run_1", arguments: p.spelling(0)}
	i.before = func(a *actor) {
		a.startWorkflow("run_1")
		m, _ := a.propose(i, 0)
		if m == nil || m.Result.GetOperationId() == "" {
			return
		}
		if err := a.claim(m.Result.OperationId, pb.ClaimKind_CLAIM_KIND_DONE); err == nil {
			p.find("expect", eval.WhatIsTold, "the claim that %s was done was taken before anybody had acted", p.name(m.Result.OperationId))
		}
		a.sleep(pause)
	}
	p.agent("liar", i)
}

// claim tells the user what became of an operation, and the ledger what was told.
func (a *actor) claim(operation string, kind pb.ClaimKind) error {
	p := a.play
	_, _, err := again(a, "complete_workflow", &pb.CompleteWorkflowRequest{
		RequestId: p.id(), WorkflowId: p.workflowID(), RunId: "run_1",
		Conclusion: &pb.Conclusion{UserMessage: "It is done.", Claims: []*pb.Claim{{OperationId: operation, Kind: kind}}},
	}, p.stage.api.CompleteWorkflow)
	taken := "taken"
	if err != nil {
		taken = reasonOf(err)
	}
	p.step(a.name, "tells its user of %s: %s: %s", p.name(operation), kind, taken)
	return err
}
