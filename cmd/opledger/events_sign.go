package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
)

// newEventsSign makes the command that signs a trial delivery. It needs no server: what it needs is the source's secret.
func newEventsSign() *cobra.Command {
	var file, namespace, url, id string
	secrets := outward.Secrets{}
	cmd := &cobra.Command{
		Use: "sign SOURCE BODYFILE", Short: "Print a signed delivery as a curl command, to try a source", Args: cobra.ExactArgs(2),
		Long: "Signs a body as its provider would, with the first secret of the source, and prints a curl command that delivers it. It\n" +
			"counts as long as the source's tolerance says.",
		Example: "  opledger events sign acme-pay event.json --webhook-sources webhooks.yaml | sh",
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return fmt.Errorf("--webhook-sources: %w", err)
			}
			all, err := inbox.Parse(file, text, inbox.Options{Unsigned: true})
			if err != nil {
				return err
			}
			source := all.Find(ledger.Namespace(namespace), args[0])
			if source == nil {
				return fmt.Errorf("%s has no source %s of the namespace %s", file, args[0], namespace)
			}
			body, err := os.ReadFile(args[1])
			if err != nil {
				return err
			}
			headers, err := signed(source, &secrets, body, id)
			if err != nil {
				return err
			}
			return printCurl(cmd, strings.TrimSuffix(url, "/")+"/webhooks/"+namespace+"/"+args[0], args[1], headers)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&file, "webhook-sources", "", "the file of sources (required)")
	flags.StringVar(&namespace, "namespace", "default", "the source's namespace")
	flags.StringVar(&url, "url", "http://"+defaultServer, "where the server takes webhooks")
	flags.StringVar(&id, "id", "msg_trial", "the delivery's id, for schemes that sign one")
	flags.StringVar(&secrets.Dir, "secrets-dir", "", "the folder with secrets that sources may name by file")
	flags.StringVar(&secrets.EnvPrefix, "secrets-env-prefix", outward.DefaultEnvPrefix, "how the names of environment variables begin that sources may name as secrets")
	must(cmd.MarkFlagRequired("webhook-sources"))
	must(cmd.MarkFlagDirname("secrets-dir"))
	allowEnvironment(flags)
	return cmd
}

// signed makes the headers of a delivery that is sent now.
func signed(source *inbox.Source, secrets *outward.Secrets, body []byte, id string) (map[string]string, error) {
	var key []byte
	if source.Signs() {
		keys, err := source.Keys(secrets)
		if err != nil {
			return nil, err
		}
		key = keys[0]
	}
	return source.Sign(&inbox.Delivery{Body: body}, key, id, time.Now())
}

// printCurl prints a delivery. Its signature is no secret: it counts for this body, and where the scheme covers a time for
// a short while.
func printCurl(cmd *cobra.Command, address, body string, headers map[string]string) error {
	line := "curl -sS " + quote(address)
	var names []string
	for name := range headers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		line += " \\\n  -H " + quote(name+": "+headers[name])
	}
	line += " \\\n  -H 'Content-Type: application/json' --data-binary @" + quote(body)
	_, err := fmt.Fprintln(cmd.OutOrStdout(), line)
	return err
}

// quote quotes a text for a POSIX shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
