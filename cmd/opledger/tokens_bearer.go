package main

import (
	"github.com/spf13/cobra"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger"
)

// bearer is whom a token is made for.
type bearer struct {
	namespace, principal, person string
	roles, teams, tools          []string
}

func (b *bearer) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&b.namespace, "namespace", string(callers.LocalNamespace), "the namespace that the bearer acts in")
	flags.StringVar(&b.principal, "principal", "", "the name under which the bearer is recorded (required)")
	flags.StringVar(&b.person, "person", "", "the human being behind it; required for roles that decide")
	flags.StringSliceVar(&b.roles, "roles", nil, "what the bearer may do (required)")
	flags.StringSliceVar(&b.teams, "teams", nil, "names by which rules and approvals know the bearer, such as finance-lead")
	flags.StringSliceVar(&b.tools, "tools", nil, "the tools that the bearer may propose, by name or as payment.*; all of them unless stated")
	must(cmd.MarkFlagRequired("principal"))
	must(cmd.MarkFlagRequired("roles"))
	must(cmd.RegisterFlagCompletionFunc("roles", completeWords(roleNames()...)))
}

func (b *bearer) caller() callers.Caller {
	c := callers.Caller{
		Namespace: ledger.Namespace(b.namespace), Principal: ledger.Principal(b.principal), Person: b.person,
		Teams: b.teams, Tools: b.tools,
	}
	for _, r := range b.roles {
		c.Roles = append(c.Roles, callers.Role(r))
	}
	return c
}
