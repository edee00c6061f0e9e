package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newNotifications() *cobra.Command {
	return family("notifications", "Tell chats and pagers by signed webhooks",
		newNotificationsCreate(), newNotificationsList(), newNotificationsShow(), newNotificationsDelete(), newNotificationsDeliveries())
}

func newNotificationsCreate() *cobra.Command {
	var kinds, states []string
	var variable, file string
	terms := &pb.SubscriptionTerms{}
	req := &pb.CreateSubscriptionRequest{Terms: terms}
	cmd := &cobra.Command{
		Use: "create", Short: "Subscribe an address to events", Args: cobra.NoArgs,
		Long: "Subscribes an address. Each delivery is signed with a secret that only the server knows: name where the server finds\n" +
			"it, an environment variable or a file of its secrets folder; the secret itself is never sent or stored.",
		Example: "  opledger notifications create --kind needs_human,approval_waiting --url https://chat.example/hooks/1 --secret-env OPLEDGER_SECRET_CHAT",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if terms.Kinds, err = parseWords[pb.NotificationKind]("kind", notificationKindEnum, kinds); err != nil {
			return err
		}
		if terms.EndStates, err = parseWords[pb.Operation_State]("end-state", stateEnum, states); err != nil {
			return err
		}
		terms.SigningSecret = &pb.SecretRef{Place: &pb.SecretRef_File{File: file}}
		if variable != "" {
			terms.SigningSecret.Place = &pb.SecretRef_Environment{Environment: variable}
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.notifications.CreateSubscription(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.Subscription, func(p *printer) { p.subscription(res.Subscription) })
		})
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&kinds, "kind", nil, "what is told (required)")
	flags.StringVar(&terms.Url, "url", "", "the address, HTTPS (required)")
	flags.StringVar(&variable, "secret-env", "", "the server's environment variable with the secret that signs")
	flags.StringVar(&file, "secret-file", "", "the file in the server's secrets folder with the secret that signs")
	flags.StringSliceVar(&terms.Tools, "tool", nil, "only about these tools")
	flags.StringSliceVar(&states, "end-state", nil, "only about operations that end in these states")
	flags.StringVar(&terms.Owner, "owner", "", "only for this owner, of what waits for a person")
	flags.StringVar(&terms.Description, "description", "", "what it is for")
	must(cmd.MarkFlagRequired("kind"))
	must(cmd.MarkFlagRequired("url"))
	cmd.MarkFlagsMutuallyExclusive("secret-env", "secret-file")
	cmd.MarkFlagsOneRequired("secret-env", "secret-file")
	must(cmd.RegisterFlagCompletionFunc("kind", completeWords(words(notificationKindEnum)...)))
	must(cmd.RegisterFlagCompletionFunc("end-state", completeWords(words(stateEnum)...)))
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

func newNotificationsShow() *cobra.Command {
	cmd := &cobra.Command{Use: "show SUBSCRIPTION", Short: "Show one subscription", Args: cobra.ExactArgs(1)}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.notifications.GetSubscription(ctx, &pb.GetSubscriptionRequest{SubscriptionId: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, res.Subscription, func(p *printer) { p.subscription(res.Subscription) })
		})
	}
	return cmd
}

func (p *printer) subscription(s *pb.Subscription) {
	t := s.GetTerms()
	p.facts(
		"subscription", s.GetSubscriptionId(),
		"tells", kindWords(t.GetKinds()),
		"address", t.GetUrl(),
		"description", t.GetDescription(),
		"only tools", strings.Join(t.GetTools(), " "),
		"only end states", stateWords(t.GetEndStates()),
		"only for", t.GetOwner(),
		"signed with", secretPlace(t.GetSigningSecret()),
		"and with", secretPlace(t.GetPreviousSigningSecret()),
		"paused", yes(t.GetPaused()),
		"made by", s.GetPrincipal(),
		"made", clock(s.GetCreateTime()),
		"changed", clock(s.GetUpdateTime()),
		"failed in a row", fmt.Sprint(s.GetFailuresInARow()),
		"etag", s.GetEtag(),
	)
}

func kindWords(list []pb.NotificationKind) string {
	var texts []string
	for _, k := range list {
		texts = append(texts, short(k))
	}
	return strings.Join(texts, " ")
}

func stateWords(list []pb.Operation_State) string {
	var texts []string
	for _, s := range list {
		texts = append(texts, short(s))
	}
	return strings.Join(texts, " ")
}

// secretPlace is where the server finds a secret.
func secretPlace(s *pb.SecretRef) string {
	switch place := s.GetPlace().(type) {
	case *pb.SecretRef_Environment:
		return "the server's variable " + place.Environment
	case *pb.SecretRef_File:
		return "the server's secret file " + place.File
	}
	return ""
}

func newNotificationsDelete() *cobra.Command {
	req := &pb.DeleteSubscriptionRequest{}
	cmd := &cobra.Command{
		Use: "delete SUBSCRIPTION", Short: "End a subscription; deliveries under way may still arrive", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.SubscriptionId = args[0]
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.notifications.DeleteSubscription(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { fmt.Fprintf(p, "%s has ended.\n", printable(req.SubscriptionId)) })
		})
	}
	cmd.Flags().StringVar(&req.Etag, "etag", "", "refuse where the subscription is no longer at the etag that you saw")
	return cmd
}
