package main

import (
	"crypto/rand"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger"
)

func newTokens() *cobra.Command {
	return family("tokens", "Make tokens for callers, and check the file that lists them", newTokensNew(), newTokensCheck(), newTokensExplain())
}

func newTokensNew() *cobra.Command {
	var namespace, principal, person string
	var roles, teams, tools []string
	cmd := &cobra.Command{
		Use: "new", Short: "Make a token, and the line that lets its bearer in", Args: cobra.NoArgs,
		Long: "Makes a token and prints it once, with the line for the file that \"opledger serve --tokens FILE\" reads.\n" +
			"The file holds a hash: the token cannot be had back from it.\n\n" +
			"A credential that may propose or execute can never approve, resolve, override, break_leases or set_entity_state as well,\n" +
			"and one that decides names its person.",
		Example: "  opledger tokens new --namespace shop --principal checkout-agent --roles propose,execute,read\n" +
			"  opledger tokens new --namespace shop --principal ann --person ann@example.com --roles approve,resolve,read --teams finance-lead",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := callers.Caller{Namespace: ledger.Namespace(namespace), Principal: ledger.Principal(principal), Person: person, Teams: teams, Tools: tools}
			for _, r := range roles {
				c.Roles = append(c.Roles, callers.Role(r))
			}
			token, err := callers.NewToken(rand.Reader)
			if err != nil {
				return err
			}
			line, err := callers.FormatLine(token, c)
			if err != nil {
				return &usageError{err}
			}
			return answer(cmd, map[string]string{"token": token, "line": line}, func(p *printer) {
				fmt.Fprintf(p, "The token, which is shown once and goes to its bearer:\n\n%s\n\nThe line for the file of tokens:\n\n%s\n", token, line)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&namespace, "namespace", string(callers.LocalNamespace), "the namespace that the bearer acts in")
	flags.StringVar(&principal, "principal", "", "the name under which the bearer is recorded (required)")
	flags.StringVar(&person, "person", "", "the human being behind it; required for roles that decide")
	flags.StringSliceVar(&roles, "roles", nil, "what the bearer may do (required)")
	flags.StringSliceVar(&teams, "teams", nil, "names by which rules and approvals know the bearer, such as finance-lead")
	flags.StringSliceVar(&tools, "tools", nil, "the tools that the bearer may propose, by name or as payment.*; all of them unless stated")
	addJSONFlag(cmd)
	must(cmd.MarkFlagRequired("principal"))
	must(cmd.MarkFlagRequired("roles"))
	must(cmd.RegisterFlagCompletionFunc("roles", completeWords(roleNames()...)))
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
