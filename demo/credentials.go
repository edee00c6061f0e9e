package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger"
)

// The channels by which an agent is asked, and the one who applies the tools and reads the history. Each is a principal
// with a token of its own.
const (
	channelAgent   = "agent"
	channelConsole = "console"
	director       = "director"
)

// tokenVariable hands an agent its token: a command line can be read by everybody on the machine.
const tokenVariable = "DEMO_AGENT_TOKEN"

// rights are what each principal may do: who acts cannot administer, and who administers cannot act.
var rights = map[string][]callers.Role{
	channelAgent:   {callers.Propose, callers.Execute},
	channelConsole: {callers.Propose, callers.Execute},
	director:       {callers.Administer, callers.Read},
}

// credentials are the play's tokens, by principal.
type credentials map[string]string

func (c credentials) token(principal string) string { return c[principal] }

// makeCredentials makes a token for each principal and writes the file by which the server knows them.
func makeCredentials(path string) (credentials, error) {
	made := credentials{}
	var file strings.Builder
	for principal, roles := range rights {
		token, err := callers.NewToken(rand.Reader)
		if err != nil {
			return nil, err
		}
		line, err := callers.FormatLine(token, callers.Caller{
			Namespace: callers.LocalNamespace, Principal: ledger.Principal(principal), Roles: roles,
		})
		if err != nil {
			return nil, fmt.Errorf("the credential of %s: %w", principal, err)
		}
		made[principal] = token
		file.WriteString(line + "\n")
	}
	return made, os.WriteFile(path, []byte(file.String()), 0o600)
}

// connect reaches a server on loopback with a token.
func connect(address, token string) (*grpc.ClientConn, error) {
	return grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, call grpc.UnaryInvoker, options ...grpc.CallOption) error {
			return call(metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token), method, req, reply, conn, options...)
		}),
	)
}
