package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/registry"
)

func newToolsValidate() *cobra.Command {
	cmd := &cobra.Command{
		Use: "validate FILE...", Short: "Check tool files without a server", Args: cobra.MinimumNArgs(1),
		Long: "Checks tool files: every field, every rule against the schema, every template, and whether this release can enforce what\n" +
			"they ask for. Nothing is sent. \"tools apply --dry-run\" asks a server as well, which knows the versions before.\n" +
			"The exit status is 1 where a file has an error; warnings do not count.",
		RunE: func(cmd *cobra.Command, args []string) error {
			tools, faults, warnings, err := readTools(cmd, args)
			if err != nil {
				return err
			}
			can := registry.ThisRelease()
			can.PlainHTTP = true // for the server's operator to say, and no fault of the file
			for _, s := range tools {
				faults = append(faults, problemsOf(s.Locate(registry.Missing(s.Definition, can)), false)...)
			}
			names := []string{}
			for _, s := range tools {
				names = append(names, s.Definition.Name)
			}
			told := map[string]any{"tools": names, "errors": append([]problem{}, faults...), "warnings": append([]problem{}, warnings...)}
			err = answer(cmd, told, func(p *printer) {
				p.problems(faults)
				p.problems(warnings)
				if len(faults) == 0 {
					fmt.Fprintf(p, "%d tools are as they should be.\n", len(tools))
				}
			})
			if err == nil && len(faults) > 0 {
				return errSaid
			}
			return err
		},
	}
	addJSONFlag(cmd)
	return cmd
}
