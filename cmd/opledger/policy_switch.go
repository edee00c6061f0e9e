package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newPolicyPause() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "pause", Short: "Stop a tool, a class or the namespace: what is in flight ends, nothing new starts", Args: cobra.NoArgs,
		Long:    "Stops a part of the namespace. When the command returns, nothing new starts there on any server; what is in flight ends.",
		Example: "  opledger policy pause --class irreversible --reason \"incident 4711\"\n  opledger policy pause --namespace --reason \"the agents have gone mad\"",
	}
	c := addConnectionFlags(cmd)
	f := addScopeFlags(cmd, c)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		scope, err := f.scope()
		if err != nil {
			return err
		}
		id, err := newRequestID()
		if err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.PauseScope(ctx, &pb.PauseScopeRequest{RequestId: id, Scope: scope, Reason: reason})
			if err != nil {
				return err
			}
			return answer(cmd, res.Pause, func(p *printer) {
				fmt.Fprintf(p, "Paused: %s. Nothing new starts there.\n", printable(scopeName(res.Pause.GetScope())))
			})
		})
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why; recorded, and shown to whoever proposes (required)")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}

func newPolicyResume() *cobra.Command {
	req := &pb.ResumeScopeRequest{}
	cmd := &cobra.Command{
		Use: "resume", Short: "End a pause", Args: cobra.NoArgs,
		Example: "  opledger policy resume --class irreversible --reason \"incident 4711 is closed\"",
	}
	c := addConnectionFlags(cmd)
	f := addScopeFlags(cmd, c)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if req.Scope, err = f.scope(); err != nil {
			return err
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.ResumeScope(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.Pause, func(p *printer) {
				fmt.Fprintf(p, "Resumed: %s, which %s had paused at %s: %s\n", printable(scopeName(res.Pause.GetScope())),
					printable(res.Pause.GetPrincipal()), clock(res.Pause.GetTime()), printable(res.Pause.GetReason()))
			})
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	flags.StringVar(&req.Etag, "etag", "", "refuse where the pause is no longer at the etag that you saw")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}

func newPolicyPauses() *cobra.Command {
	cmd := &cobra.Command{Use: "pauses", Short: "List what is paused, the newest first", Args: cobra.NoArgs}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all := &pb.ListPausesResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				page, err := r.policy.ListPauses(ctx, &pb.ListPausesRequest{PageSize: size, PageToken: token})
				all.Pauses = append(all.Pauses, page.GetPauses()...)
				return len(page.GetPauses()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, one := range all.Pauses {
				rows = append(rows, []string{scopeName(one.Scope), clock(one.Time), one.Principal, one.Reason, one.Etag})
			}
			p.list("Nothing is paused.", []string{"PAUSED", "SINCE", "BY", "REASON", "ETAG"}, rows, all.NextPageToken, *limit)
		})
	}
	return cmd
}

func newPolicyShadow() *cobra.Command {
	return family("shadow", "Let policy rules of a part decide and record, but pass", newPolicyShadowSwitch(true), newPolicyShadowSwitch(false))
}

// newPolicyShadowSwitch makes "policy shadow on" or "policy shadow off".
func newPolicyShadowSwitch(on bool) *cobra.Command {
	req := &pb.SetShadowRequest{Shadow: &on}
	cmd := &cobra.Command{
		Use: "on", Short: "Put a part's policy rules in shadow", Args: cobra.NoArgs,
		Long: "Puts the policy rules of a part in shadow: they decide, record what they would have done and hold and charge as if\n" +
			"they were in force, and let pass. Identity, permits, begin, groups, leases, switches and approvals of the irreversible\n" +
			"class stay in force. \"opledger policy stats\" tells what would have happened.",
		Example: "  opledger policy shadow on --tool refund.create --reason \"trying the new limits for a week\"",
	}
	if !on {
		cmd.Use, cmd.Short, cmd.Long = "off", "Put a part's policy rules in force again", ""
		cmd.Example = "  opledger policy shadow off --tool refund.create --reason \"the limits fit\""
	}
	c := addConnectionFlags(cmd)
	f := addScopeFlags(cmd, c)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if req.Scope, err = f.scope(); err != nil {
			return err
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.SetShadow(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) {
				how := "in force"
				if res.Shadow {
					how = "in shadow: they decide and record, and let pass"
				}
				fmt.Fprintf(p, "The policy rules of %s are %s.\n", printable(scopeName(res.Scope)), how)
			})
		})
	}
	cmd.Flags().StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}
