package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/opledger/opledger/demo"
	"github.com/opledger/opledger/demo/provider"
)

func newDemo() *cobra.Command {
	o := demo.Options{}
	var fast bool
	cmd := &cobra.Command{
		Use: "demo", Short: "Play what agents do to payments, refunds and plans, without Opledger and with it", Args: cobra.NoArgs,
		Long: "Plays three stories for real, each first without Opledger and then through a server that is started for it. Effects are\n" +
			"counted at a provider on loopback. Nothing is kept, no port has to be free, and no model is called.\n\n" +
			"payments: the provider commits and loses its answers, a loop retries; on top a crash and a second channel. Exactly one\n" +
			"charge and one e-mail are to be counted.\n\n" +
			"control: one run refunds an order while another credits it, and a refund above a threshold waits for two people while\n" +
			"the model rephrases it, splits it and tries another tool. Exactly one remedy for each order is to be counted.\n\n" +
			"plan: a run dies in the middle of three steps, and the last step fails for good. Exactly one of each step and one of\n" +
			"what undoes it are to be counted.\n\n" +
			"The exit status is 0 only if the provider counted that through Opledger, and the ledger's record says the same.",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Executable, err = os.Executable(); err != nil {
				return fmt.Errorf("which program this is: %w", err)
			}
			o.Out = cmd.OutOrStdout()
			terminal := isTerminal(o.Out)
			o.Colour, o.Pauses = terminal && os.Getenv("NO_COLOR") == "", terminal && !fast
			if wantsJSON(cmd) {
				o.Out, o.Pauses = io.Discard, false
			}
			result, err := demo.Play(cmd.Context(), o)
			switch {
			case cmd.Context().Err() != nil:
				return errors.New("stopped; the server and the agents of the demonstration are gone")
			case err != nil:
				return err
			}
			if err := answer(cmd, result, func(*printer) {}); err != nil {
				return err
			}
			if !result.OK {
				for _, p := range result.Problems {
					fmt.Fprintln(cmd.ErrOrStderr(), "opledger demo: not kept:", p)
				}
				return errSaid
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&fast, "fast", false, "no pauses for readers (there are none without a terminal)")
	flags.StringVar(&o.Story, "story", demo.StoryAll, "what is played: "+strings.Join(demo.Stories(), ", "))
	flags.StringVar(&o.Account, "account", provider.KeyedAccount, "the account to pay with: "+provider.KeyedAccount+" honours idempotency keys, "+provider.PlainAccount+" does not")
	addJSONFlag(cmd)
	must(cmd.RegisterFlagCompletionFunc("story", completeWords(demo.Stories()...)))
	must(cmd.RegisterFlagCompletionFunc("account", completeWords(provider.KeyedAccount, provider.PlainAccount)))
	cmd.AddCommand(newDemoAgent())
	return cmd
}

// newDemoAgent is an agent of the play, which the play starts in a process of its own so that it can be killed.
func newDemoAgent() *cobra.Command {
	o := demo.AgentOptions{}
	cmd := &cobra.Command{
		Use: "agent", Short: "An agent of the demonstration", Args: cobra.NoArgs, Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return demo.RunAgent(cmd.Context(), o, cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.LedgerAddress, "ledger", "", "where the ledger answers (default: there is none)")
	flags.StringVar(&o.ProviderURL, "provider", "", "where the provider answers")
	flags.StringVar(&o.RunID, "run", "", "the run's id")
	flags.StringVar(&o.Channel, "channel", "", "who asks: agent, console or planner")
	return cmd
}

// isTerminal reports whether people read the stream as it is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
