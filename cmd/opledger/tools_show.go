package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry/toolfile"
)

func newToolsShow() *cobra.Command {
	var version int32
	var effective bool
	cmd := &cobra.Command{
		Use: "show TOOL", Short: "Show one tool, as a file that can be applied", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		req := &pb.GetToolRequest{Tool: args[0]}
		if version != 0 {
			req.ToolVersion = &version
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.registry.GetTool(ctx, req)
			if err != nil {
				return err
			}
			shown := res.Tool.Definition
			if effective && res.Tool.Effective != nil {
				shown = res.Tool.Effective
			}
			text, err := toolfile.Marshal(shown)
			if err != nil {
				return err
			}
			return answer(cmd, res.Tool, func(p *printer) {
				t := res.Tool
				fmt.Fprintf(p, "# %s, version %d, applied %s by %s\n", t.Name, t.Version, clock(t.ApplyTime), printable(t.AppliedBy))
				if t.Disabled != nil {
					fmt.Fprintf(p, "# switched off: %s\n", printable(t.Disabled.Reason))
				}
				for _, l := range t.Loosened {
					fmt.Fprintf(p, "# looser than its class: %s (%s): %s\n", printable(l.Path), printable(l.ClassDefault), printable(l.Reason))
				}
				p.Write(text)
			})
		})
	}
	cmd.ValidArgsFunction = completeTools(c)
	cmd.Flags().Int32Var(&version, "version", 0, "this version (default: the newest)")
	cmd.Flags().BoolVar(&effective, "effective", false, "with every default filled in: what the ledger goes by")
	return cmd
}
