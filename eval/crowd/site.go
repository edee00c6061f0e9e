package crowd

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/internal/childproc"
)

// site is where a crowd meets: a server that is given, or processes of its own.
type site struct {
	given   string // the address of the server that is given; empty: none is
	dial    func(caller int, options ...grpc.DialOption) (*grpc.ClientConn, error)
	conn    *grpc.ClientConn // of the evaluation itself, whose calls are not judged
	servers []*childproc.Server
	drop    func() error // the database
	refused func(error)  // ends what the crowd does
}

// open finds the server that is given, or starts two on one database; SQLite has one process a file. They end with the
// context.
func open(ctx context.Context, env eval.Env) (s *site, err error) {
	s = &site{drop: func() error { return nil }}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if env.Server != "" {
		s.given = env.Server
		s.dial = func(_ int, options ...grpc.DialOption) (*grpc.ClientConn, error) { return env.Dial(options...) }
	} else if err = s.start(ctx, env); err != nil {
		return s, err
	}
	s.conn, err = s.dial(0)
	return s, err
}

func (s *site) start(ctx context.Context, env eval.Env) (err error) {
	binary := env.Binary
	if binary == "" {
		if binary, err = os.Executable(); err != nil {
			return err
		}
	}
	size, database := 1, filepath.Join(env.Dir, "ledger.db")
	if env.Engine == world.PostgreSQL {
		size = 2
		if database, s.drop, err = world.NewDatabase(ctx, env.DatabaseURL); err != nil {
			return err
		}
	}
	for range size {
		server, err := childproc.StartServer(ctx, binary, database)
		if err != nil {
			return err
		}
		s.servers = append(s.servers, server)
	}
	s.dial = func(caller int, options ...grpc.DialOption) (*grpc.ClientConn, error) {
		at := s.servers[caller%size].Address
		return grpc.NewClient("passthrough:///"+at, append([]grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}, options...)...)
	}
	return nil
}

// close ends what was started.
func (s *site) close() error {
	if s.conn != nil {
		_ = s.conn.Close()
	}
	for _, server := range s.servers {
		server.Kill()
	}
	return s.drop()
}
