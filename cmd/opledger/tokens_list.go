package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger/transact"
)

func newTokensList() *cobra.Command {
	var databaseURL string
	var revoked bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the tokens in the database", Args: cobra.NoArgs,
		Long: "Lists whom the tokens in the database let in. The tokens themselves are kept nowhere. A SQLite file must not be open in\na server.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withTokens(cmd.Context(), databaseURL, func(ctx context.Context, d callers.Database, _ *transact.Ledger) error {
				list, err := d.List(ctx, revoked)
				if err != nil {
					return err
				}
				told := []map[string]any{}
				var rows [][]string
				for _, s := range list {
					m, c := explained(s.Caller), s.Credential
					m["token_id"], m["created_at"] = tokenID(c.ID), c.CreatedAt.Format(time.RFC3339)
					state := "held"
					if !c.RevokedAt.IsZero() {
						state = "revoked"
						m["revoked_at"] = c.RevokedAt.Format(time.RFC3339)
					}
					told = append(told, m)
					rows = append(rows, []string{tokenID(c.ID), state, string(s.Caller.Namespace), string(s.Caller.Principal), s.Caller.Person, strings.Join(roleWords(s.Caller), ","), c.CreatedAt.Format(time.RFC3339)})
				}
				return answer(cmd, map[string]any{"tokens": told}, func(p *printer) {
					p.table([]string{"TOKEN", "STATE", "NAMESPACE", "PRINCIPAL", "PERSON", "ROLES", "CREATED"}, rows)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&revoked, "revoked", false, "list revoked ones as well")
	addDatabaseFlag(cmd, &databaseURL)
	return cmd
}
