package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newEvents() *cobra.Command {
	cmd := &cobra.Command{
		Use: "events", Short: "Hand in what a provider says by itself", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEventsRecord(), newEventsSign())
	return cmd
}

func newEventsRecord() *cobra.Command {
	var payload, at string
	req := &pb.RecordInboundEventRequest{}
	cmd := &cobra.Command{
		Use: "record SOURCE EVENT", Short: "Hand in an event of a provider, on your own word", Args: cobra.ExactArgs(2),
		Long: "Hands in an event that you have checked yourself, such as one from a provider's log. What it means and what it is about is\n" +
			"read from its body by the settings of its source (opledger serve --webhook-sources), except what a flag says. The same\n" +
			"event again changes nothing.",
		Example: "  opledger events record acme-pay evt_1 --payload @event.json\n" +
			"  opledger events record acme-pay evt_1 --type charge.succeeded --client-reference opr-... --object-id ch_1",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.Source, req.EventId = args[0], args[1]
		text, err := readArguments(cmd, payload)
		if err != nil {
			return err
		}
		req.Payload = &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: text}
		if at != "" {
			if req.EventTime, err = parseTime("at", at); err != nil {
				return err
			}
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			m, err := r.workflows.RecordInboundEvent(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, m, func(p *printer) {
				about := strings.Join(m.OperationIds, ", ")
				if about == "" {
					about = "no operation yet"
				}
				p.facts("event", req.Source+" "+req.EventId, "stored", clock(m.StoreTime), "stored before", yes(m.Deduplicated), "about", about)
			})
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&payload, "payload", "{}", "the event's body: JSON, @FILE, or @- for the standard input")
	flags.StringVar(&req.EventType, "type", "", "the event's type (default: as the body says)")
	flags.StringVar(&at, "at", "", "when the provider made it, RFC 3339 (default: as the body says, else now)")
	flags.StringVar(&req.ClientReference, "client-reference", "", "the operation's client reference (default: as the body says)")
	flags.StringVar(&req.VendorIdempotencyKey, "vendor-key", "", "the operation's vendor key (default: as the body says)")
	flags.StringVar(&req.ProviderObjectId, "object-id", "", "the provider's object (default: as the body says)")
	return cmd
}
