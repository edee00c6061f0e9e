package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newOpsCompensate() *cobra.Command {
	req := &pb.CompensateOperationRequest{}
	var wait time.Duration
	cmd := &cobra.Command{
		Use: "compensate OPERATION", Short: "Undo one effect of an operation by its tool's playbook", Args: cobra.ExactArgs(1),
		Long: "Undoes one effect by the playbook of the operation's tool. Every step is recorded at once and carried out as an ordinary\n" +
			"operation, one after the other. Asked again it shows the same steps and how far they have come.",
		Example: "  opledger ops compensate op_… --reason \"the order was cancelled\" --wait 30s",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := atMost("wait", wait, longestWait); err != nil {
			return err
		}
		id, err := newRequestID()
		if err != nil {
			return err
		}
		req.OperationId, req.RequestId = args[0], id
		if wait > 0 {
			req.Wait = durationpb.New(wait)
		}
		return c.call(cmd, wait, func(ctx context.Context, r *remote) error {
			res, err := r.operations.CompensateOperation(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) {
				fmt.Fprintf(p, "%s is %s.\n", res.Operation.OperationId, short(res.Operation.State))
				p.compensation(res.Operation)
				p.result(res.Result)
			})
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Reason, "reason", "", "why; recorded")
	flags.StringVar(&req.EffectId, "effect-id", "", "the effect that is to be undone, where there are several")
	flags.StringVar(&req.Etag, "etag", "", "only while the operation is as it was when it was read")
	flags.DurationVar(&wait, "wait", 0, "wait so long for it to be undone")
	_ = cmd.MarkFlagRequired("reason")
	return cmd
}

// compensation writes how an operation's effects are undone, and what it undoes itself.
func (p *printer) compensation(o *pb.Operation) {
	if o.CompensatesOperationId != "" {
		fmt.Fprintf(p, "\nundoes an effect of %s\n", printable(o.CompensatesOperationId))
	}
	if len(o.CompensationSteps) == 0 {
		return
	}
	var rows [][]string
	for _, s := range o.CompensationSteps {
		why := s.WaitsFor
		if s.Status == pb.CompensationStep_STATUS_OPEN {
			why = short(s.State)
		}
		rows = append(rows, []string{s.Step, s.EffectId, short(s.Status), s.Tool, s.OperationId, s.Occurrence, why})
	}
	fmt.Fprintln(p)
	p.table([]string{"STEP", "UNDOES", "STATUS", "TOOL", "OPERATION", "OCCURRENCE", "WHY"}, rows)
}
