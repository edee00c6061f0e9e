package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

func newTokensRevoke() *cobra.Command {
	var databaseURL string
	cmd := &cobra.Command{
		Use: "revoke TOKEN_ID", Short: "End a token of the database", Args: cobra.ExactArgs(1),
		Long: "Ends a token by its id, as \"opledger tokens list\" shows it. Servers let its bearer in for a few seconds more at most.\n" +
			"A SQLite file must not be open in a server.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTokens(cmd.Context(), databaseURL, func(ctx context.Context, d callers.Database, l *transact.Ledger) error {
				list, err := d.List(ctx, true)
				if err != nil {
					return err
				}
				found, err := theToken(list, args[0])
				if err != nil {
					return err
				}
				if _, err := l.Do(ctx, &ledger.RevokeCredential{Hash: found.Credential.ID}); err != nil {
					return err
				}
				id := tokenID(found.Credential.ID)
				return answer(cmd, map[string]string{"token_id": id, "principal": string(found.Caller.Principal)}, func(p *printer) {
					fmt.Fprintf(p, "revoked %s, a token of %s\n", id, found.Caller.Principal)
				})
			})
		},
	}
	addDatabaseFlag(cmd, &databaseURL)
	return cmd
}

// theToken finds the one token whose hash begins with the id.
func theToken(list []callers.StoredToken, id string) (found callers.StoredToken, err error) {
	if len(id) < tokenIDLength {
		return found, usagef("a token's id has %d characters; \"opledger tokens list\" shows it", tokenIDLength)
	}
	for _, s := range list {
		if !strings.HasPrefix(s.Credential.ID, id) {
			continue
		}
		if found.Credential != nil {
			return found, usagef("more than one token is named %s; give more of its hash", id)
		}
		found = s
	}
	if found.Credential == nil {
		return found, fmt.Errorf("there is no token %s in the database", id)
	}
	return found, nil
}
