package main

import "github.com/spf13/cobra"

func newIdentity() *cobra.Command {
	return family("identity", "Test and explain which calls are the same operation", newIdentityTest(), newIdentityExplain())
}
