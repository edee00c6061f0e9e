package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// newToolsSwitch makes "tools disable" or "tools enable".
func newToolsSwitch(on bool) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "disable TOOL", Short: "Switch a tool off: what is in flight ends, nothing new starts", Args: cobra.ExactArgs(1),
		Long: "Switches a tool off, in every version. When the command returns, nothing new starts on any server.",
	}
	if on {
		cmd.Use, cmd.Short, cmd.Long = "enable TOOL", "Switch a tool on again", ""
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := newRequestID()
		if err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.registry.DisableTool(ctx, &pb.DisableToolRequest{RequestId: id, Tool: args[0], Reason: reason, EnableAgain: on})
			if err != nil {
				return err
			}
			return answer(cmd, res.Tool, func(p *printer) { fmt.Fprintf(p, "%s is %s\n", res.Tool.Name, printable(switchOf(res.Tool))) })
		})
	}
	cmd.ValidArgsFunction = completeTools(c)
	cmd.Flags().StringVar(&reason, "reason", "", "why; recorded, and shown to whoever proposes the tool (required)")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}
