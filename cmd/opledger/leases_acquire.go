package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newLeasesAcquire() *cobra.Command {
	var ttl, wait time.Duration
	var join bool
	req := &pb.AcquireEntityLeaseRequest{}
	cmd := &cobra.Command{
		Use: "acquire ENTITY...", Short: "Take leases on entities for a workflow, all of them or none", Args: cobra.MinimumNArgs(1),
		Long: "Takes leases on all the entities, or on none. The lease token proves them: it renews, releases and comes with each\n" +
			"proposal. Whoever has it speaks for the run, so it is not shown: it goes to --lease-token-file, which only you can read,\n" +
			"or into the answer of --json where no file is named. The exit status is 1 where somebody else holds an entity.",
		Example: "  opledger leases acquire order/order_123 --workflow wf_1 --run run_1 --ttl 2m --lease-token-file lease.token\n" +
			"  opledger leases acquire account/1 account/2 --workflow wf_1 --run run_1 --wait 30s --json",
	}
	c := addConnectionFlags(cmd)
	f := addLeaseTokenFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := atMost("wait", wait, longestWait); err != nil {
			return err
		}
		if req.Entities, err = parseEntityArguments(args); err != nil {
			return err
		}
		if join {
			if req.LeaseToken, err = f.read(); err != nil {
				return err
			}
		} else if f.path == "" && !wantsJSON(cmd) {
			return usagef("say where the lease token goes: --lease-token-file FILE, or --json; without the token nobody can use the lease")
		}
		if req.RequestId == "" {
			if req.RequestId, err = newRequestID(); err != nil {
				return err
			}
		}
		req.Ttl = durationpb.New(ttl)
		if wait > 0 {
			req.Wait = durationpb.New(wait)
		}
		file, err := f.prepare()
		if err != nil {
			return err
		}
		defer file.abandon()
		return c.call(cmd, wait, func(ctx context.Context, r *remote) error {
			res, err := r.leases.AcquireEntityLease(ctx, req)
			if err != nil {
				return err
			}
			if err := file.keep(res.Grant); err != nil {
				return err
			}
			if err := answer(cmd, res, func(p *printer) { p.acquired(res, f.path) }); err != nil {
				return err
			}
			if res.Grant == nil {
				return errSaid
			}
			return nil
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.WorkflowId, "workflow", "", "the workflow that will own the lease (required)")
	flags.StringVar(&req.RunId, "run", "", "the workflow's current run, in whose hands it will be (required)")
	flags.DurationVar(&ttl, "ttl", 5*time.Minute, "how long it lasts without being renewed: 1s to 1h")
	flags.DurationVar(&wait, "wait", 0, "wait so long for the entities to become free")
	flags.BoolVar(&join, "join", false, "let the entities join the lease whose token is in --lease-token-file or "+leaseTokenVariable)
	flags.StringVar(&req.RequestId, "request-id", "", "a UUID that you keep in retries of this very command (default: a new one)")
	must(cmd.MarkFlagRequired("workflow"))
	must(cmd.MarkFlagRequired("run"))
	return cmd
}

// acquired writes the lease without its token, or who holds what was asked for.
func (p *printer) acquired(res *pb.AcquireEntityLeaseResponse, path string) {
	if res.Grant == nil {
		fmt.Fprintln(p, "It was not granted.")
		p.holders("held by", res.Holders)
		if res.WaitingBefore > 0 {
			fmt.Fprintf(p, "\n%d are waiting already\n", res.WaitingBefore)
		}
		return
	}
	p.granted(res.Grant, path)
}

// granted writes a lease in its holder's hands, and where its token is.
func (p *printer) granted(g *pb.LeaseGrant, path string) {
	facts := append(leaseFacts(g.GetLease()), "remaining", lasting(g.GetRemaining().AsDuration()), "renewable for", lasting(g.GetGreatestRemaining().AsDuration()))
	if path != "" {
		facts = append(facts, "token", "in "+path)
	}
	p.facts(facts...)
}

func newLeasesRenew() *cobra.Command {
	var ttl time.Duration
	cmd := &cobra.Command{
		Use: "renew", Short: "Lengthen a lease that you hold", Args: cobra.NoArgs,
		Long:    "Lengthens a lease, up to its greatest total age. The token comes from --lease-token-file or " + leaseTokenVariable + ",\nnever from the command line, which others can read.",
		Example: "  opledger leases renew --lease-token-file lease.token --ttl 5m",
	}
	c := addConnectionFlags(cmd)
	f := addLeaseTokenFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		req := &pb.RenewEntityLeaseRequest{}
		if req.LeaseToken, err = f.read(); err != nil {
			return err
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		if cmd.Flags().Changed("ttl") {
			req.Ttl = durationpb.New(ttl)
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.leases.RenewEntityLease(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.granted(res.Grant, f.path) })
		})
	}
	cmd.Flags().DurationVar(&ttl, "ttl", 0, "how long it lasts from now: 1s to 1h (default: as when it was acquired)")
	return cmd
}

func newLeasesRelease() *cobra.Command {
	cmd := &cobra.Command{
		Use: "release [ENTITY...]", Short: "Give a lease back, or some of its entities",
		Long:    "Gives a lease back: the named entities, or all of them. The token comes from --lease-token-file or " + leaseTokenVariable + ".",
		Example: "  opledger leases release --lease-token-file lease.token",
	}
	c := addConnectionFlags(cmd)
	f := addLeaseTokenFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req := &pb.ReleaseEntityLeaseRequest{}
		if req.Entities, err = parseEntityArguments(args); err != nil {
			return err
		}
		if req.LeaseToken, err = f.read(); err != nil {
			return err
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.leases.ReleaseEntityLease(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) {
				if res.WasLost {
					fmt.Fprintln(p, "The lease had been lost before: another workflow may have acted since.")
				} else {
					fmt.Fprintln(p, "Given back.")
				}
				p.holders("still kept by", res.KeptBy)
			})
		})
	}
	return cmd
}
