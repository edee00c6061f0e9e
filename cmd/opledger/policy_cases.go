package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/policy/policytest"
)

// newPolicyTest makes "policy test". (A file named policy_test.go would be a test.)
func newPolicyTest() *cobra.Command {
	cmd := &cobra.Command{
		Use: "test FILE...", Short: "Test rules against example proposals, without a server", Args: cobra.MinimumNArgs(1),
		Long: "Tests rules against example proposals: each case of a file says what is proposed, in which world, and what must be\n" +
			"decided. Rules and tools are compiled and judged as a server does it; nothing is sent. The exit status is 1 where a case\n" +
			"comes out otherwise than it says. examples/policy/test.yaml shows the format.",
		Example: "  opledger policy test examples/policy/test.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			reports := []policytest.Report{}
			ok := true
			p := &printer{}
			for i, name := range args {
				report, err := policytest.Run(name)
				if err != nil {
					return err
				}
				if i > 0 {
					fmt.Fprintln(p)
				}
				if err := report.Write(p); err != nil {
					return err
				}
				reports, ok = append(reports, report), ok && report.OK()
			}
			if err := answer(cmd, map[string]any{"reports": reports}, func(to *printer) { _, _ = to.Write(p.Bytes()) }); err != nil {
				return err
			}
			if !ok {
				return errSaid
			}
			return nil
		},
	}
	addJSONFlag(cmd)
	return cmd
}
