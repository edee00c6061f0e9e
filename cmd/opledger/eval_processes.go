//go:build unix

package main

import (
	"github.com/spf13/cobra"

	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/storm"
)

// newEvalProcesses are what an evaluation starts in processes of their own: the provider, agents and workers.
func newEvalProcesses() []*cobra.Command {
	return []*cobra.Command{
		{
			Use: "provider", Short: "The provider of an evaluation", Args: cobra.NoArgs, Hidden: true,
			RunE: func(cmd *cobra.Command, _ []string) error { return provider.Main(cmd.Context(), cmd.OutOrStdout()) },
		},
		{
			Use: "hand", Short: "An agent or a worker of an evaluation", Args: cobra.NoArgs, Hidden: true,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return storm.Hand(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
			},
		},
	}
}
