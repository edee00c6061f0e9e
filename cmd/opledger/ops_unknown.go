package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// mostUnknown bounds how many operations are read to find those that have waited longest: the server lists the newest
// first.
const mostUnknown = 10_000

func newOpsUnknown() *cobra.Command {
	var tool string
	var limit int
	cmd := &cobra.Command{
		Use: "unknown", Short: "List what is not known, or waits for a person, the longest first", Args: cobra.NoArgs,
		Long: "Lists operations whose outcome is not known and those that wait for a person, whoever has waited longest first: why, since\n" +
			"when, when their provider is asked next, and which person is asked. \"opledger ops show\" tells everything of one,\n" +
			"\"opledger ops reconcile\" asks at once, or takes what you have found out.",
		Example: "  opledger ops unknown\n  opledger ops unknown --tool payment.capture --json",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if limit < 1 {
			return usagef("--limit has to be at least 1")
		}
		found := map[string]*pb.Operation{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			waits := true
			for _, req := range []*pb.ListOperationsRequest{
				{Tool: tool, States: []pb.Operation_State{pb.Operation_STATE_UNKNOWN_OUTCOME}}, {Tool: tool, NeedsHuman: &waits},
			} {
				if err := collect(ctx, r, req, found); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		all := longestFirst(found)
		shown := &pb.ListOperationsResponse{Operations: all[:min(limit, len(all))]}
		return answer(cmd, shown, func(p *printer) { p.unknown(shown.Operations, len(all)-len(shown.Operations), limit) })
	}
	cmd.Flags().StringVar(&tool, "tool", "", "only of this tool")
	cmd.Flags().IntVar(&limit, "limit", 50, "how many at most")
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

// collect reads the pages of a list, as far as the bound allows.
func collect(ctx context.Context, r *remote, req *pb.ListOperationsRequest, into map[string]*pb.Operation) error {
	req.PageSize = pageSize
	for len(into) < mostUnknown {
		page, err := r.operations.ListOperations(ctx, req)
		if err != nil {
			return err
		}
		for _, o := range page.Operations {
			into[o.OperationId] = o
		}
		if req.PageToken = page.NextPageToken; req.PageToken == "" {
			return nil
		}
	}
	return nil
}

// completeUnknown offers operations that are not known or wait for a person, with their tools.
func completeUnknown(c *connection) completion {
	return completeRemote(c, func(ctx context.Context, r *remote, begun string) (offered []string) {
		found := map[string]*pb.Operation{}
		waits := true
		for _, req := range []*pb.ListOperationsRequest{
			{PageSize: pageSize, States: []pb.Operation_State{pb.Operation_STATE_UNKNOWN_OUTCOME}}, {PageSize: pageSize, NeedsHuman: &waits},
		} {
			page, err := r.operations.ListOperations(ctx, req)
			if err != nil {
				return nil
			}
			for _, o := range page.Operations {
				if strings.HasPrefix(o.OperationId, begun) {
					found[o.OperationId] = o
				}
			}
		}
		for _, o := range longestFirst(found) {
			offered = append(offered, o.OperationId+"\t"+o.Tool)
		}
		return offered
	})
}

// openSince is since when an operation has been waited for: since its outcome became unknown, or a person was asked,
// whichever was first.
func openSince(o *pb.Operation) time.Time {
	since := o.NeedsHuman.GetSince().AsTime()
	if unknown := o.StateTime.AsTime(); o.NeedsHuman == nil || o.State == pb.Operation_STATE_UNKNOWN_OUTCOME && unknown.Before(since) {
		since = unknown
	}
	return since
}

func longestFirst(found map[string]*pb.Operation) []*pb.Operation {
	var all []*pb.Operation
	for _, o := range found {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b *pb.Operation) int {
		return cmp.Or(openSince(a).Compare(openSince(b)), cmp.Compare(a.OperationId, b.OperationId))
	})
	return all
}

// unknown writes them for a person.
func (p *printer) unknown(list []*pb.Operation, more, limit int) {
	if len(list) == 0 {
		fmt.Fprintln(p, "Every outcome is known, and nothing waits for a person.")
		return
	}
	var rows [][]string
	for _, o := range list {
		rows = append(rows, []string{
			o.OperationId, o.Tool, short(o.State), openSince(o).UTC().Format("2006-01-02 15:04:05Z"), whyOpen(o), nextLook(o), askedPerson(o.NeedsHuman),
		})
	}
	p.table([]string{"OPERATION", "TOOL", "STATE", "SINCE", "WHY", "NEXT", "ASKED"}, rows)
	if more > 0 {
		fmt.Fprintf(p, "\nThere are %d more: --limit %d\n", more, limit+more)
	}
}

// whyOpen says in a few words why it is not known.
func whyOpen(o *pb.Operation) string {
	switch f := o.Failure; {
	case len(o.Incidents) > 0:
		return "incident: " + short(o.Incidents[len(o.Incidents)-1].Kind)
	case o.NeedsHuman != nil && o.State != pb.Operation_STATE_UNKNOWN_OUTCOME:
		return o.NeedsHuman.Reason
	case f != nil && f.Code != "":
		return short(f.Category) + " (" + f.Code + ")"
	case f != nil:
		return short(f.Category)
	case o.NeedsHuman != nil:
		return o.NeedsHuman.Reason
	}
	return "no report came"
}

// nextLook says what is done about it without anybody's help, and when.
func nextLook(o *pb.Operation) string {
	w := o.NextWork
	switch {
	case w == nil && o.PermitHolder != nil:
		return "a permit is out"
	case w == nil:
		return "nothing by itself"
	case w.Kind == pb.WorkKind_WORK_KIND_LOOKUP:
		return fmt.Sprintf("lookup %d at %s", w.Lookups+1, clock(w.Time))
	}
	return "next attempt at " + clock(w.Time)
}

// askedPerson says who is asked, and whether anybody has taken it up.
func askedPerson(h *pb.NeedsHuman) string {
	switch {
	case h == nil:
		return "nobody"
	case h.AcknowledgedBy != "":
		return h.AcknowledgedBy + " has taken it up"
	case h.EscalateTime != nil:
		return h.EscalateTo + ", after " + h.Owner
	case h.DueTime != nil:
		return h.Owner + ", due " + clock(h.DueTime)
	}
	return h.Owner
}
