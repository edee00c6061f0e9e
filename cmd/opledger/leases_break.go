package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newLeasesBreak() *cobra.Command {
	req := &pb.BreakEntityLeaseRequest{}
	cmd := &cobra.Command{
		Use: "break ENTITY", Short: "Free an entity on your word: permits that were not begun end", Args: cobra.ExactArgs(1),
		Long: "Frees an entity whoever holds it, on the record. It shows first who holds the entity and which operations keep it, and\n" +
			"frees it from exactly those: where the lease or the operations have changed meanwhile, nothing is broken. Permits that\n" +
			"were not begun end. A begun one may still have its effect; it is never extended nor resent.",
		Example: "  opledger leases break order/order_123 --reason \"the run died; the provider confirms that nothing is under way\"",
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
		seen, err := c.seeEntity(cmd, req.Entity)
		if err != nil {
			return err
		}
		req.Etag = seen.Lease.GetEtag()
		for _, h := range seen.KeptBy {
			if h.OperationId != "" {
				req.SeenOperationIds = append(req.SeenOperationIds, h.OperationId)
			}
		}
		question := "Break it? Another workflow may act on " + entityName(req.Entity) + " from then on."
		if err := confirm.ask(cmd, question, func(p *printer) { p.entityHeld(req.Entity, seen) }); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.leases.BreakEntityLease(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.broken(req.Entity, res) })
		})
	}
	cmd.Flags().StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}

// seeEntity reads who holds an entity that is to be freed. One that nobody holds is an error: there is nothing to free.
func (c *connection) seeEntity(cmd *cobra.Command, entity *pb.Entity) (seen *pb.GetEntityLeaseResponse, err error) {
	err = c.call(cmd, 0, func(ctx context.Context, r *remote) error {
		seen, err = r.leases.GetEntityLease(ctx, &pb.GetEntityLeaseRequest{Entity: entity})
		return err
	})
	if err == nil && seen.Lease == nil && len(seen.KeptBy) == 0 {
		err = fmt.Errorf("nobody holds or keeps %s; there is nothing to break", entityName(entity))
	}
	return seen, err
}

// broken writes what was lifted, and what may still come.
func (p *printer) broken(entity *pb.Entity, res *pb.BreakEntityLeaseResponse) {
	fmt.Fprintf(p, "%s is free.\n", printable(entityName(entity)))
	if res.Lease != nil {
		fmt.Fprintln(p)
		p.facts("broken lease", res.Lease.LeaseId, "of workflow", res.Lease.WorkflowId, "run", res.Lease.RunId, "principal", res.Lease.Principal)
	}
	p.holders("lifted", res.Lifted)
	for _, h := range res.Lifted {
		if text := mayStillCome(h); text != "" {
			fmt.Fprintf(p, "\n%s: %s.\n", printable(h.OperationId), text)
		}
	}
}
