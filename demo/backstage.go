package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"google.golang.org/grpc"

	"github.com/opledger/opledger/demo/provider"
	"github.com/opledger/opledger/internal/childproc"
)

// backstage is what an act through Opledger stands on: a provider with empty books, and a real server with a database, a
// file of tokens and a port of its own.
type backstage struct {
	provider    *provider.Provider
	address     string // of the ledger
	credentials credentials
	director    *grpc.ClientConn
}

// behind sets everything up for a cast, lets an act be played and clears everything away again, whatever came of the act.
func behind(ctx context.Context, o Options, players cast, p *provider.Provider, act func(context.Context, *backstage) error) (err error) {
	dir, err := os.MkdirTemp("", "opledger-demo-")
	if err != nil {
		return fmt.Errorf("a folder for the demonstration's database: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tokens := filepath.Join(dir, "tokens")
	creds, err := makeCredentials(tokens, players)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	server, err := childproc.StartServer(ctx, o.Executable, filepath.Join(dir, "demo.db"), "--tokens", tokens)
	if err != nil {
		return err
	}
	defer func() { stop(); <-server.Done() }()
	conn, err := connect(server.Address, creds.token(director))
	if err != nil {
		return err
	}
	defer conn.Close()
	return act(ctx, &backstage{provider: p, address: server.Address, credentials: creds, director: conn})
}
