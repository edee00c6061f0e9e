package main

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

func newTokensCreate() *cobra.Command {
	var databaseURL string
	b := &bearer{}
	cmd := &cobra.Command{
		Use: "create", Short: "Make a token in the database", Args: cobra.NoArgs,
		Long: "Makes a token and prints it once. The database keeps its hash, from which it cannot be had back; servers started with\n" +
			"--database-tokens let its bearer in at once. A SQLite file must not be open in a server.",
		Example: "  opledger tokens create --database-url postgres://opledger@db/opledger --namespace shop --principal checkout-agent --roles propose,execute,read",
		RunE: func(cmd *cobra.Command, _ []string) error {
			token, err := callers.NewToken(rand.Reader)
			if err != nil {
				return err
			}
			return withTokens(cmd.Context(), databaseURL, func(ctx context.Context, d callers.Database, l *transact.Ledger) error {
				command, err := d.NewCredential(ctx, token, b.caller())
				if err != nil {
					return &usageError{err}
				}
				if _, err := l.Do(ctx, command); err != nil {
					return err
				}
				id := tokenID(command.Hash)
				return answer(cmd, map[string]string{"token": token, "token_id": id}, func(p *printer) {
					fmt.Fprintf(p, "The token %s, which is shown once and goes to its bearer:\n\n%s\n", id, token)
				})
			})
		},
	}
	b.addFlags(cmd)
	addDatabaseFlag(cmd, &databaseURL)
	return cmd
}

// tokenIDLength is how much of a hash names a token to people: enough to tell a billion apart.
const tokenIDLength = 16

func tokenID(hash string) string { return hash[:min(len(hash), tokenIDLength)] }

// withTokens opens the database for a command on its tokens.
func withTokens(ctx context.Context, databaseURL string, use func(context.Context, callers.Database, *transact.Ledger) error) (err error) {
	d, err := parseDatabase(databaseURL)
	if err != nil {
		return err
	}
	var engine ledger.Engine
	if engine, err = d.open(ctx, engineOptions{}); err != nil {
		return err
	}
	l := transact.New(engine, transact.Options{})
	defer func() {
		l.Close()
		if bad := engine.Close(); err == nil {
			err = bad
		}
	}()
	return use(ctx, callers.Database{Records: engine}, l)
}
