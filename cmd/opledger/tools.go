package main

import "github.com/spf13/cobra"

func newTools() *cobra.Command {
	return family("tools", "Apply, check and see tool definitions",
		newToolsApply(), newToolsValidate(), newToolsList(), newToolsShow(), newToolsProviders(), newToolsSwitch(false), newToolsSwitch(true))
}
