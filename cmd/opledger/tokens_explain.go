package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/grpc/metadata"

	"github.com/opledger/opledger/callers"
)

func newTokensExplain() *cobra.Command {
	o := &callersOptions{}
	cmd := &cobra.Command{
		Use: "explain FILE", Short: "Say whom a token lets in, or why it lets nobody in", Args: cobra.ExactArgs(1),
		Long: "Reads a token from a file, or from the standard input where FILE is -, and judges it as a server started with the same\n" +
			"flags would. Unlike a server, which tells its callers little, it names the fault.",
		Example: "  opledger tokens explain - --oidc-issuer https://login.example --jwt-audience opledger < token\n" +
			"  opledger tokens explain token --tokens /etc/opledger/tokens",
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readFile(cmd, args[0])
			if err != nil {
				return err
			}
			judge, err := o.judgeTokens(cmd.Context())
			if err != nil {
				return err
			}
			header := metadata.Pairs("authorization", "Bearer "+strings.TrimSpace(string(text)))
			caller, err := judge.Authenticate(metadata.NewIncomingContext(cmd.Context(), header))
			var refused *callers.UnauthenticatedError
			if errors.As(err, &refused) {
				return fmt.Errorf("not let in: %s", strings.TrimSuffix(string(refused.Fault)+": "+refused.Detail, ": "))
			}
			if err != nil {
				return err
			}
			return answer(cmd, explained(caller), func(p *printer) { p.facts(explainedFacts(caller)...) })
		},
	}
	o.addTokenFlags(cmd.Flags())
	allowEnvironment(cmd.Flags())
	addJSONFlag(cmd)
	must(cmd.RegisterFlagCompletionFunc("jwt-algorithms", completeWords(callers.Algorithms...)))
	return cmd
}

// judgeTokens judges tokens as a server does, without its log.
func (o callersOptions) judgeTokens(ctx context.Context) (callers.Authenticator, error) {
	l, chain := &letIn{}, callers.Chain{}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := errors.Join(o.openTokens(l, &chain), o.openIssuer(ctx, l, &chain)); err != nil {
		return nil, err
	}
	if len(l.weaker) > 0 {
		return nil, errors.New(l.weaker[0])
	}
	if chain.Tokens == nil && chain.JWT == nil {
		return nil, usagef("say how the server lets callers in: --tokens, --oidc-issuer or --jwt-jwks-file")
	}
	return chain, nil
}

// explained is the JSON form of a caller.
func explained(c callers.Caller) map[string]any {
	m := map[string]any{"namespace": c.Namespace, "principal": c.Principal, "roles": append([]callers.Role{}, c.Roles...), "teams": append([]string{}, c.Teams...)}
	if c.Person != "" {
		m["person"] = c.Person
	}
	if c.Tools != nil {
		m["tools"] = c.Tools
	}
	return m
}

func explainedFacts(c callers.Caller) []string {
	tools := "all"
	if c.Tools != nil {
		tools = otherwise(strings.Join(c.Tools, ", "), "none")
	}
	return []string{
		"namespace", string(c.Namespace), "principal", string(c.Principal), "person", c.Person,
		"roles", otherwise(strings.Join(roleWords(c), ", "), "none"), "teams", strings.Join(c.Teams, ", "), "tools", tools,
	}
}

func roleWords(c callers.Caller) []string {
	words := make([]string, len(c.Roles))
	for i, r := range c.Roles {
		words[i] = string(r)
	}
	return words
}

func otherwise(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}
