package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// completionTimeout bounds what a shell waits for while somebody types.
const completionTimeout = time.Second

// completion answers a shell that completes a word.
type completion = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective)

// completeWords offers fixed words, also after the commas of a list.
func completeWords(words ...string) completion {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndex(begun, ",")+1]
		var found []string
		for _, w := range words {
			if strings.HasPrefix(w, begun[len(before):]) {
				found = append(found, before+w)
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeRemote offers what a server answers for a first argument, and nothing where no server answers.
func completeRemote(c *connection, find func(ctx context.Context, r *remote, begun string) []string) completion {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 || applyEnvironment(cmd.Flags()) != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		r, err := c.dial()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer r.close()
		ctx, cancel := context.WithTimeout(context.Background(), completionTimeout)
		defer cancel()
		return find(ctx, r, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeTools offers the names of the server's tools.
func completeTools(c *connection) completion {
	return completeRemote(c, func(ctx context.Context, r *remote, begun string) (found []string) {
		list, err := r.registry.ListTools(ctx, &pb.ListToolsRequest{NamePrefix: begun, PageSize: 100})
		if err != nil {
			return nil
		}
		for _, t := range list.Tools {
			found = append(found, t.Name+"\t"+t.GetDefinition().GetTitle())
		}
		return found
	})
}

// completeToolFlag is completeTools for the value of a flag, which is completed whatever the arguments are.
func completeToolFlag(c *connection) completion {
	return func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return completeTools(c)(cmd, nil, begun)
	}
}
