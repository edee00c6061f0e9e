package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newLeases() *cobra.Command {
	return family("leases", "Take, give back and see leases on entities",
		newLeasesAcquire(), newLeasesRenew(), newLeasesRelease(), newLeasesShow(), newLeasesList(), newLeasesBreak())
}

func newLeasesShow() *cobra.Command {
	cmd := &cobra.Command{
		Use: "show ENTITY", Short: "Tell who holds or keeps an entity", Args: cobra.ExactArgs(1),
		Example: "  opledger leases show order/order_123",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		entity, err := parseEntityArgument(args[0])
		if err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.leases.GetEntityLease(ctx, &pb.GetEntityLeaseRequest{Entity: entity})
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.entityHeld(entity, res) })
		})
	}
	return cmd
}

// entityHeld writes who holds an entity, and which operations keep it.
func (p *printer) entityHeld(entity *pb.Entity, res *pb.GetEntityLeaseResponse) {
	if res.Lease == nil && len(res.KeptBy) == 0 {
		fmt.Fprintf(p, "Nobody holds %s.\n", printable(entityName(entity)))
	}
	p.lease(res.Lease)
	p.holders("kept by", res.KeptBy)
	if res.WaitingCount > 0 {
		fmt.Fprintf(p, "\n%d waiting for it\n", res.WaitingCount)
	}
}

// lease writes one lease, which everybody may see.
func (p *printer) lease(l *pb.EntityLease) {
	if l == nil {
		return
	}
	p.facts(leaseFacts(l)...)
}

func leaseFacts(l *pb.EntityLease) []string {
	return []string{
		"lease", l.GetLeaseId(),
		"entities", strings.Join(leaseEntities(l), " "),
		"fencing numbers", fencingNumbers(l.GetFencingNumbers()),
		"workflow", strings.TrimSpace(l.GetWorkflowId() + " " + l.GetRunId()),
		"principal", l.GetPrincipal(),
		"acquired", clock(l.GetAcquireTime()),
		"expires", leaseEnd(l),
		"at the latest", clock(l.GetGreatestExpireTime()),
		"renewed", fmt.Sprintf("%d times", l.GetRenewCount()),
		"last proposal", or(clock(l.GetLastProposalTime()), "never"),
	}
}

func leaseEntities(l *pb.EntityLease) []string {
	var names []string
	for _, n := range l.GetFencingNumbers() {
		names = append(names, entityName(n.Entity))
	}
	return names
}

func fencingNumbers(list []*pb.FencingNumber) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, fmt.Sprintf("%s=%d", entityName(n.Entity), n.Number))
	}
	return strings.Join(texts, " ")
}

func leaseEnd(l *pb.EntityLease) string {
	if l.GetExpired() {
		return "expired " + clock(l.GetExpireTime())
	}
	return clock(l.GetExpireTime())
}

// holders writes who stands in the way, under a heading.
func (p *printer) holders(heading string, list []*pb.Holder) {
	if len(list) == 0 {
		return
	}
	var rows [][]string
	for _, h := range list {
		rows = append(rows, []string{
			entityName(h.Entity), or(h.OperationId, "a lease"), h.Scope, short(h.State), begunWord(h),
			strings.TrimSpace(h.WorkflowId + " " + h.RunId), h.Principal, clock(h.Since), or(clock(h.Until), "it is settled"),
		})
	}
	if p.Len() > 0 {
		fmt.Fprintln(p)
	}
	p.table([]string{"ENTITY", strings.ToUpper(heading), "SCOPE", "STATE", "PERMIT", "WORKFLOW", "PRINCIPAL", "SINCE", "UNTIL"}, rows)
}

// begunWord says what is known of a permit. Where its tool requires no begin, no begin proves nothing.
func begunWord(h *pb.Holder) string {
	switch {
	case h.Begun:
		return "begun"
	case h.AttemptId != "":
		return "no begin"
	}
	return ""
}

// mayStillCome says of an operation that no longer holds others up whether its effect may come all the same. Empty: no
// permit was out.
func mayStillCome(h *pb.Holder) string {
	switch {
	case h.GetBegun():
		return "it was begun: its effect may still come"
	case h.GetAttemptId() != "":
		return "no begin is on record: its effect may still come where its tool requires none"
	}
	return ""
}
