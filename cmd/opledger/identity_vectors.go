package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/canon/vectors"
)

// newIdentityTest makes "identity test". Its file is not named identity_test.go, which Go would take for a test.
func newIdentityTest() *cobra.Command {
	cmd := &cobra.Command{
		Use: "test FILE...", Short: "Run files of identity vectors", Args: cobra.MinimumNArgs(1),
		Long: "Runs files of identity vectors: pairs of arguments, each with the answer to one question, are they the same operation?\n" +
			"No server is needed. The exit status is 1 where a vector fails.",
		RunE: func(cmd *cobra.Command, args []string) error {
			reports, failed := []*vectors.Report{}, 0
			p := &printer{}
			for _, name := range args {
				data, err := readFile(cmd, name)
				if err != nil {
					return err
				}
				file, err := vectors.Read(data)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				report := file.Run()
				reports = append(reports, report)
				failed += report.Total.Failed
				fmt.Fprintf(p, "%s\n", printable(name))
				if err := report.WriteText(p); err != nil {
					return err
				}
			}
			told := map[string]any{"failed": failed, "files": reports}
			if err := answer(cmd, told, func(to *printer) { to.Write(p.Bytes()) }); err != nil {
				return err
			}
			if failed > 0 {
				return errSaid
			}
			return nil
		},
	}
	addJSONFlag(cmd)
	return cmd
}
