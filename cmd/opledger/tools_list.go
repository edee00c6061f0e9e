package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newToolsList() *cobra.Command {
	var classes []string
	var disabled bool
	req := &pb.ListToolsRequest{PageSize: pageSize}
	cmd := &cobra.Command{Use: "list", Short: "List tools by name", Args: cobra.NoArgs}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		for _, word := range classes {
			n, err := parseWord("class", classEnum, word)
			if err != nil {
				return err
			}
			req.ToolClasses = append(req.ToolClasses, pb.ToolClass(n))
		}
		if cmd.Flags().Changed("disabled") {
			req.Disabled = &disabled
		}
		all := &pb.ListToolsResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			for {
				page, err := r.registry.ListTools(ctx, req)
				if err != nil {
					return err
				}
				all.Tools = append(all.Tools, page.Tools...)
				if req.PageToken = page.NextPageToken; req.PageToken == "" {
					return nil
				}
			}
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			if len(all.Tools) == 0 {
				fmt.Fprintln(p, "No tool. Apply one: opledger tools apply FILE")
				return
			}
			var rows [][]string
			for _, t := range all.Tools {
				rows = append(rows, []string{t.Name, fmt.Sprint(t.Version), short(t.GetDefinition().GetClass()), switchOf(t), clock(t.ApplyTime), t.AppliedBy})
			}
			p.table([]string{"TOOL", "VERSION", "CLASS", "SWITCH", "APPLIED", "BY"}, rows)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.NamePrefix, "prefix", "", "only those whose name begins so")
	flags.StringSliceVar(&classes, "class", nil, "only of these classes")
	flags.BoolVar(&disabled, "disabled", false, "only those that are switched off (=false: that are on)")
	flags.BoolVar(&req.AllVersions, "all-versions", false, "every version, not only the newest")
	must(cmd.RegisterFlagCompletionFunc("class", completeWords(words(classEnum)...)))
	return cmd
}

func switchOf(t *pb.Tool) string {
	if t.Disabled != nil {
		return "off: " + t.Disabled.Reason
	}
	return "on"
}
