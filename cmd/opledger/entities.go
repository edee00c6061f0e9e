package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newEntities() *cobra.Command {
	return family("entities", "See and set the states of entities, which guards read",
		newEntitiesShow(), newEntitiesSet(), newEntitiesList())
}

func newEntitiesShow() *cobra.Command {
	cmd := &cobra.Command{
		Use: "show ENTITY", Short: "Show an entity's state, attributes and version", Args: cobra.ExactArgs(1),
		Example: "  opledger entities show order/order_123",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		entity, err := parseEntityArgument(args[0])
		if err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.entities.GetEntityState(ctx, &pb.GetEntityStateRequest{Entity: entity})
			if err != nil {
				return err
			}
			return answer(cmd, res.EntityState, func(p *printer) { p.entityState(res.EntityState) })
		})
	}
	return cmd
}

func (p *printer) entityState(s *pb.EntityState) {
	p.facts(
		"entity", entityName(s.GetEntity()),
		"state", s.GetState(),
		"attributes", s.GetAttributesJson(),
		"version", fmt.Sprint(s.GetVersion()),
		"etag", s.GetEtag(),
		"changed", clock(s.GetUpdateTime()),
		"by", setBy(s),
		"because", s.GetReason(),
	)
}

// setBy is who changed a state: an operation, or somebody from outside.
func setBy(s *pb.EntityState) string { return or(s.GetOperationId(), s.GetPrincipal()) }

func newEntitiesSet() *cobra.Command {
	var state, attributes string
	req := &pb.SetEntityStateRequest{}
	cmd := &cobra.Command{
		Use: "set ENTITY", Short: "Set an entity's state or attributes from outside", Args: cobra.ExactArgs(1),
		Long: "Sets what guards read of an entity: its state, its attributes, or both. What is not named stays as it is; attributes are\n" +
			"replaced whole. Tools set the state by themselves when they succeed.",
		Example: "  opledger entities set order/order_123 --state refunded --reason \"settled by the bank\"\n" +
			"  opledger entities set customer/c_1 --attributes @customer.json --reason \"nightly import\"",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if req.Entity, err = parseEntityArgument(args[0]); err != nil {
			return err
		}
		req.State = ifChanged(cmd, "state", &state)
		if cmd.Flags().Changed("attributes") {
			text, err := readArguments(cmd, attributes)
			if err != nil {
				return err
			}
			req.AttributesJson = &text
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.entities.SetEntityState(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.EntityState, func(p *printer) { p.entityState(res.EntityState) })
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&state, "state", "", "the state (an empty one: none)")
	flags.StringVar(&attributes, "attributes", "", "the attributes as a JSON object, @FILE, or @- for the standard input")
	flags.StringVar(&req.Etag, "etag", "", "refuse where the entity is no longer at the etag that you saw")
	flags.StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	cmd.MarkFlagsOneRequired("state", "attributes")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}

func newEntitiesList() *cobra.Command {
	var state string
	req := &pb.ListEntityStatesRequest{}
	cmd := &cobra.Command{Use: "list", Short: "List the states of entities, by entity", Args: cobra.NoArgs}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		req.State = ifChanged(cmd, "state", &state)
		all := &pb.ListEntityStatesResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.entities.ListEntityStates(ctx, req)
				all.EntityStates = append(all.EntityStates, page.GetEntityStates()...)
				return len(page.GetEntityStates()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, s := range all.EntityStates {
				rows = append(rows, []string{entityName(s.Entity), s.State, fmt.Sprint(s.Version), clock(s.UpdateTime), setBy(s), strings.TrimSpace(s.AttributesJson)})
			}
			p.list("No entity has a state.", []string{"ENTITY", "STATE", "VERSION", "CHANGED", "BY", "ATTRIBUTES"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.EntityType, "entity-type", "", "only entities of this type")
	flags.StringVar(&state, "state", "", "only entities in this state")
	return cmd
}
