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

// director applies tools and rules, and reads what has happened.
const director = "director"

// tokenVariable hands an agent its token: a command line can be read by everybody on the machine.
const tokenVariable = "DEMO_AGENT_TOKEN"

// cast are those who take part in a story, by principal. Each has a token of its own. Who acts cannot administer or
// decide, and the other way round.
type cast map[string]callers.Caller

// credentials are the play's tokens, by principal.
type credentials map[string]string

func (c credentials) token(principal string) string { return c[principal] }

// makeCredentials makes a token for each of the cast and writes the file by which the server knows them, as
// "opledger tokens new" does it.
func makeCredentials(path string, players cast) (credentials, error) {
	made := credentials{}
	var file strings.Builder
	for principal, caller := range players {
		token, err := callers.NewToken(rand.Reader)
		if err != nil {
			return nil, err
		}
		caller.Namespace, caller.Principal = callers.LocalNamespace, ledger.Principal(principal)
		line, err := callers.FormatLine(token, caller)
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
