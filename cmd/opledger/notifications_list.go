package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newNotificationsList() *cobra.Command {
	var kind string
	var paused bool
	req := &pb.ListSubscriptionsRequest{}
	cmd := &cobra.Command{Use: "list", Short: "List subscriptions by id", Args: cobra.NoArgs}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if kind != "" {
			n, err := parseWord("kind", notificationKindEnum, kind)
			if err != nil {
				return err
			}
			req.Kind = pb.NotificationKind(n)
		}
		req.Paused = ifChanged(cmd, "paused", &paused)
		all := &pb.ListSubscriptionsResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.notifications.ListSubscriptions(ctx, req)
				all.Subscriptions = append(all.Subscriptions, page.GetSubscriptions()...)
				return len(page.GetSubscriptions()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, s := range all.Subscriptions {
				rows = append(rows, []string{s.SubscriptionId, kindWords(s.Terms.GetKinds()), s.Terms.GetUrl(), yes(s.Terms.GetPaused()), fmt.Sprint(s.FailuresInARow), s.Terms.GetDescription()})
			}
			p.list("No subscription.", []string{"SUBSCRIPTION", "TELLS", "ADDRESS", "PAUSED", "FAILED IN A ROW", "DESCRIPTION"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", "", "only those that tell of this")
	flags.BoolVar(&paused, "paused", false, "only those that are paused (=false: that are not)")
	must(cmd.RegisterFlagCompletionFunc("kind", completeWords(words(notificationKindEnum)...)))
	return cmd
}

func newNotificationsDeliveries() *cobra.Command {
	var states []string
	req := &pb.ListDeliveriesRequest{}
	cmd := &cobra.Command{
		Use: "deliveries [SUBSCRIPTION]", Short: "List what was sent, the newest first", Args: cobra.MaximumNArgs(1),
		Example: "  opledger notifications deliveries --state failed",
	}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if len(args) > 0 {
			req.SubscriptionId = args[0]
		}
		if req.States, err = parseWords[pb.Delivery_State]("state", deliveryStateEnum, states); err != nil {
			return err
		}
		all := &pb.ListDeliveriesResponse{}
		err = c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.notifications.ListDeliveries(ctx, req)
				all.Deliveries = append(all.Deliveries, page.GetDeliveries()...)
				return len(page.GetDeliveries()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, d := range all.Deliveries {
				about := or(d.OperationId, or(d.ApprovalId, d.WorkflowId))
				rows = append(rows, []string{d.DeliveryId, d.SubscriptionId, short(d.Kind), about, short(d.State), fmt.Sprint(d.Tries), clock(d.CreateTime), clock(d.NextTryTime), d.LastAnswer})
			}
			p.list("No delivery.", []string{"DELIVERY", "SUBSCRIPTION", "TELLS", "ABOUT", "STATE", "TRIES", "CAUSED", "NEXT TRY", "LAST ANSWER"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&states, "state", nil, "only in these states")
	flags.StringVar(&req.OperationId, "operation", "", "only about this operation")
	must(cmd.RegisterFlagCompletionFunc("state", completeWords(words(deliveryStateEnum)...)))
	return cmd
}
