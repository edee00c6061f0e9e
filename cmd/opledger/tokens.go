package main

import (
	"crypto/rand"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/callers"
)

func newTokens() *cobra.Command {
	return family("tokens", "Make tokens for callers, and check the file that lists them", newTokensNew(), newTokensCheck(), newTokensExplain(), newTokensCreate(), newTokensList(), newTokensRevoke())
}

func newTokensNew() *cobra.Command {
	b := &bearer{}
	cmd := &cobra.Command{
		Use: "new", Short: "Make a token, and the line that lets its bearer in", Args: cobra.NoArgs,
		Long: "Makes a token and prints it once, with the line for the file that \"opledger serve --tokens FILE\" reads.\n" +
			"The file holds a hash: the token cannot be had back from it.\n\n" +
			"A credential that may propose or execute can never approve, resolve, override, break_leases or set_entity_state as well,\n" +
			"and one that decides names its person.",
		Example: "  opledger tokens new --namespace shop --principal checkout-agent --roles propose,execute,read\n" +
			"  opledger tokens new --namespace shop --principal ann --person ann@example.com --roles approve,resolve,read --teams finance-lead",
		RunE: func(cmd *cobra.Command, _ []string) error {
			token, err := callers.NewToken(rand.Reader)
			if err != nil {
				return err
			}
			line, err := callers.FormatLine(token, b.caller())
			if err != nil {
				return &usageError{err}
			}
			return answer(cmd, map[string]string{"token": token, "line": line}, func(p *printer) {
				fmt.Fprintf(p, "The token, which is shown once and goes to its bearer:\n\n%s\n\nThe line for the file of tokens:\n\n%s\n", token, line)
			})
		},
	}
	b.addFlags(cmd)
	addJSONFlag(cmd)
	return cmd
}

func newTokensCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use: "check FILE", Short: "Check a file of tokens, as the server will read it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := callers.OpenFile(args[0])
			if err != nil {
				return err
			}
			return answer(cmd, map[string]any{"tokens": f.Count(), "warnings": append([]string{}, f.Warnings()...)}, func(p *printer) {
				fmt.Fprintf(p, "%d tokens\n", f.Count())
				for _, w := range f.Warnings() {
					fmt.Fprintln(p, "warning:", w)
				}
			})
		},
	}
	addJSONFlag(cmd)
	return cmd
}

func roleNames() []string {
	names := make([]string, len(callers.Roles))
	for i, r := range callers.Roles {
		names[i] = string(r)
	}
	return names
}

// must is for what only a mistake in this program can make fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
