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

	executable, database string
	flags                []string // of the server, beside its database and ports
	server               *childproc.Server
}

// behind sets everything up for a cast, lets an act be played and clears everything away again, whatever came of the act.
// Flags are those of the server that the story needs.
func behind(ctx context.Context, o Options, players cast, p *provider.Provider, act func(context.Context, *backstage) error, flags ...string) (err error) {
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
	b := &backstage{
		provider: p, credentials: creds, executable: o.Executable, database: filepath.Join(dir, "demo.db"),
		flags: append([]string{"--tokens", tokens}, flags...),
	}
	defer func() { stop(); b.close() }()
	if err := b.serve(ctx); err != nil {
		return err
	}
	return act(ctx, b)
}

// serve starts a server on the act's database and reaches it.
func (b *backstage) serve(ctx context.Context) (err error) {
	if b.server, err = childproc.StartServer(ctx, b.executable, b.database, b.flags...); err != nil {
		return err
	}
	b.address = b.server.Address
	b.director, err = connect(b.address, b.credentials.token(director))
	return err
}

// crash kills the server as a crash would: nothing is said or saved any more.
func (b *backstage) crash() error {
	if !b.server.Kill() {
		return errors.Join(errors.New("the server ended before it could be killed"), b.server.Wait())
	}
	b.server = nil
	b.close()
	return nil
}

func (b *backstage) close() {
	if b.director != nil {
		_ = b.director.Close() // it carries nothing any more
		b.director = nil
	}
	if b.server != nil {
		<-b.server.Done()
	}
}
