package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newLeasesList() *cobra.Command {
	var expired bool
	var age time.Duration
	req := &pb.ListEntityLeasesRequest{}
	cmd := &cobra.Command{
		Use: "list", Short: "List leases, the oldest first", Args: cobra.NoArgs,
		Example: "  opledger leases list --min-age 10m --expired=false",
	}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		req.Expired = ifChanged(cmd, "expired", &expired)
		if age > 0 {
			req.MinAge = durationpb.New(age)
		}
		all := &pb.ListEntityLeasesResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.leases.ListEntityLeases(ctx, req)
				all.Leases = append(all.Leases, page.GetLeases()...)
				return len(page.GetLeases()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, l := range all.Leases {
				rows = append(rows, []string{
					l.LeaseId, strings.Join(leaseEntities(l), " "), l.WorkflowId, l.RunId, l.Principal,
					clock(l.AcquireTime), leaseEnd(l), fmt.Sprint(l.RenewCount), or(clock(l.LastProposalTime), "never"),
				})
			}
			p.list("No lease.", []string{"LEASE", "ENTITIES", "WORKFLOW", "RUN", "PRINCIPAL", "ACQUIRED", "EXPIRES", "RENEWED", "LAST PROPOSAL"},
				rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.WorkflowId, "workflow", "", "only of this workflow")
	flags.StringVar(&req.EntityType, "entity-type", "", "only on entities of this type")
	flags.BoolVar(&expired, "expired", false, "only those that have expired (=false: that have not)")
	flags.DurationVar(&age, "min-age", 0, "only those that are at least this old")
	return cmd
}
