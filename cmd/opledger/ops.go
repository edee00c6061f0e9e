package main

import "github.com/spf13/cobra"

func newOps() *cobra.Command {
	return family("ops", "See operations, and settle what is not known",
		newOpsList(), newOpsUnknown(), newOpsShow(), newOpsEvents(), newOpsWatch(), newOpsReconcile(), newOpsCancel(), newOpsCompensate())
}
