package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newPolicyLift() *cobra.Command {
	req := &pb.LiftExclusionRequest{}
	cmd := &cobra.Command{
		Use: "lift ENTITY", Short: "Let others of a group pass an operation that holds an entity", Args: cobra.ExactArgs(1),
		Long: "Lifts the hold that one open operation has on an entity in an exclusive group, on the record. It shows the operation\n" +
			"first; where it has changed meanwhile, nothing is lifted. A permit that was not begun ends. A begun one may still have\n" +
			"its effect: whoever passes may do the same thing twice.",
		Example: "  opledger policy lift order/order_123 --group refund.create --operation op_01... --reason \"the bank confirms: nothing under way\"",
	}
	c := addConnectionFlags(cmd)
	confirm := addConfirmation(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if req.Entity, err = parseEntityArgument(args[0]); err != nil {
			return err
		}
		if err := confirm.possible(cmd); err != nil {
			return err
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		var seen *pb.Operation
		err = c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.operations.GetOperation(ctx, &pb.GetOperationRequest{OperationId: req.OperationId})
			seen = res.GetOperation()
			return err
		})
		if err != nil {
			return err
		}
		req.SeenOperationVersion = seen.Version
		question := fmt.Sprintf("Let others of the group %s pass this operation on %s?", req.Group, entityName(req.Entity))
		if err := confirm.ask(cmd, question, func(p *printer) { p.operation(seen) }); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.LiftExclusion(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) {
				fmt.Fprintf(p, "%s no longer holds %s in the group %s.\n", printable(req.OperationId), printable(entityName(req.Entity)), printable(req.Group))
				if text := mayStillCome(res.Lifted); text != "" {
					fmt.Fprintf(p, "%s.\n", strings.ToUpper(text[:1])+text[1:])
				}
			})
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Group, "group", "", "the exclusive group (required)")
	flags.StringVar(&req.OperationId, "operation", "", "the operation whose hold is lifted (required)")
	flags.StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	for _, name := range []string{"group", "operation", "reason"} {
		must(cmd.MarkFlagRequired(name))
	}
	return cmd
}
