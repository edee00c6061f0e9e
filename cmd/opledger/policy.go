package main

import "github.com/spf13/cobra"

func newPolicy() *cobra.Command {
	return family("policy", "Apply rules, test them, and see what they decide",
		newPolicyApply(), newPolicyTest(), newPolicyList(), newPolicyShow(), newPolicyRemove(),
		newPolicyPause(), newPolicyResume(), newPolicyPauses(), newPolicyShadow(),
		newPolicyEval(), newPolicyStats(), newPolicyDecisions(), newPolicyLift())
}
