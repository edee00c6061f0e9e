package demo

import (
	"context"
	"strings"

	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// desk is where the third story's second act is played: two runs of one plan, a server that dies, and the person who has
// the plan undone.
type desk struct {
	hall
	options Options
	result  *Plan
}

// play lets the first run die, a second one go on to the step that fails for good, and the plan be undone and ended.
func (d *desk) play(ctx context.Context) error {
	for _, scene := range []struct {
		title string
		play  func(context.Context) error
	}{
		{"A run dies in the middle", d.die},
		{"Another run goes on", d.goOn},
		{"The plan is undone, and the server dies in the middle", d.undo},
		{"What may be said in the end", d.end},
	} {
		d.screen.scene(scene.title)
		if err := scene.play(ctx); err != nil {
			return err
		}
		d.screen.pause()
	}
	return nil
}

// die lets the first run have its mail sent, and kills it.
func (d *desk) die(ctx context.Context) error {
	a, err := startAgent(ctx, d.options.Executable, d.credentials.token(channelPlan), d.tell,
		"--ledger", d.address, "--provider", d.provider.URL(), "--run", "run_1", "--channel", channelPlan)
	if err != nil {
		return err
	}
	if err := a.killedAt(ctx, d.provider, provider.KindEmail, 1); err != nil {
		return err
	}
	d.tell(note{Who: "run_1", Kind: noteDeath, Text: "killed (SIGKILL): the mail has left, and its answer is lost"})
	return nil
}

// planner gives a run of the plan its hands.
func (d *desk) planner() (*planner, error) {
	conn, err := d.as(channelPlan)
	if err != nil {
		return nil, err
	}
	say := func(n note) { n.Who = "run_2"; d.tell(n) }
	return &planner{
		governedHands: &governedHands{ledger: pb.NewOperationServiceClient(conn), say: say},
		workflows:     pb.NewWorkflowServiceClient(conn),
	}, nil
}

// goOn lets a second run take the plan up: it reads what happened, and then does what models do, which is to begin at the
// top.
func (d *desk) goOn(ctx context.Context) error {
	p, err := d.planner()
	if err != nil {
		return err
	}
	if err := p.start(ctx, ""); err != nil {
		return err
	}
	d.result.Redelivered, d.result.WorkflowID = p.runID == "", p.workflow
	account, err := p.resume(ctx, "run_2")
	if err != nil {
		return err
	}
	d.result.Projection = account.Prose
	d.tell(note{Kind: noteLedger, Text: p.runID + " is the current run. This is what happened:"})
	for line := range strings.Lines(account.Prose) {
		d.screen.read(strings.TrimSuffix(line, "\n"))
	}
	return work(ctx, p, secondCalls(), p.say)
}
