package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/providers"
)

// newToolsProviders lists the shipped provider profiles, or shows one with where each of its claims comes from.
func newToolsProviders() *cobra.Command {
	cmd := &cobra.Command{
		Use: "providers [NAME]", Short: "List the provider profiles that ship, or show one with its sources", Args: cobra.MaximumNArgs(1),
		Long: "A tool starts from a shipped profile by provider.base, and states only what is otherwise for it. Each claim of a profile\n" +
			"has a source. No server is asked.",
		Example:           "  opledger tools providers\n  opledger tools providers stripe.v1",
		ValidArgsFunction: completeWords(providers.Names()...),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listProviders(cmd)
			}
			base, found := providers.Find(args[0])
			if !found {
				return usagef("there is no shipped profile %q; there are %s", args[0], strings.Join(providers.Names(), ", "))
			}
			return showProvider(cmd, base)
		},
	}
	addJSONFlag(cmd)
	return cmd
}

func listProviders(cmd *cobra.Command) error {
	type listed struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	}
	all := []listed{}
	for _, name := range providers.Names() {
		base, _ := providers.Find(name)
		all = append(all, listed{name, base.Title})
	}
	return answer(cmd, map[string]any{"providers": all}, func(p *printer) {
		var rows [][]string
		for _, l := range all {
			rows = append(rows, []string{l.Name, l.Title})
		}
		p.table([]string{"BASE", "PROVIDER"}, rows)
	})
}

func showProvider(cmd *cobra.Command, base *providers.Base) error {
	profile, err := yamlproto.Marshal(base.Profile)
	if err != nil {
		return err
	}
	asJSON, err := encode(base.Profile)
	if err != nil {
		return err
	}
	told := map[string]any{"name": base.Name, "title": base.Title, "notes": base.Notes, "profile": json.RawMessage(asJSON), "sources": base.Sources}
	return answer(cmd, told, func(p *printer) {
		fmt.Fprintf(p, "%s: %s\n\n%s\n%s\n", base.Name, base.Title, base.Notes, profile)
		for _, s := range base.Sources {
			fmt.Fprintf(p, "%s (read %s) on %s:\n  %s\n", s.URL, s.Read, strings.Join(s.Claims, ", "), s.Says)
		}
	})
}
