package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newOpsCancel() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "cancel OPERATION", Short: "Wish an operation to be cancelled", Args: cobra.ExactArgs(1),
		Long: "Ends an operation of which no permit is out and nothing is unknown. Later it is a wish that stands: no further permit is\n" +
			"given, and as soon as the operation is known not to have happened it ends as cancelled.",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := newRequestID()
		if err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.operations.CancelOperation(ctx, &pb.CancelOperationRequest{OperationId: args[0], RequestId: id, Reason: reason})
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) {
				o := res.Operation
				switch {
				case o.State == pb.Operation_STATE_FAILED_PERMANENT && o.Failure.GetCategory() == pb.FailureCategory_FAILURE_CATEGORY_CANCELLED:
					fmt.Fprintf(p, "%s is cancelled: nothing was done.\n", o.OperationId)
				case o.EndTime != nil:
					fmt.Fprintf(p, "%s has ended as %s; there is nothing to cancel.\n", o.OperationId, short(o.State))
				default:
					fmt.Fprintf(p, "%s is %s. The wish is recorded; it is not known that nothing was done.\n", o.OperationId, short(o.State))
				}
				p.result(res.Result)
			})
		})
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why; recorded")
	return cmd
}
