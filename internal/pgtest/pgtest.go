package pgtest

import (
	"context"
	"os"
	"sync"
	"testing"
)

// EnvURL names the environment variable that holds the address of a server to use instead of starting one.
// Its user must be allowed to create databases.
const EnvURL = "OPLEDGER_TEST_PG_URL"

// Start starts a server for this test alone and stops it at the test's end.
func Start(tb testing.TB, options ...Option) *Server {
	tb.Helper()
	server, err := Launch(tb.Context(), options...)
	if err != nil {
		tb.Fatalf("PostgreSQL for this test: %v", err)
	}
	server.own = true
	tb.Cleanup(func() {
		if err := server.Stop(); err != nil {
			tb.Errorf("stop this test's PostgreSQL: %v", err)
		}
	})
	return server
}

// shared starts this process's server at its first use. Nothing stops it but the end of the process,
// at which its reaper cleans up: a package needs no TestMain.
var shared = sync.OnceValues(func() (*Server, error) {
	if url := os.Getenv(EnvURL); url != "" {
		return &Server{url: url}, nil
	}
	return Launch(context.Background())
})

// Shared returns the server that all tests of this process share.
func Shared(tb testing.TB) *Server {
	tb.Helper()
	server, err := shared()
	if err != nil {
		tb.Fatalf("PostgreSQL for tests: %v", err)
	}
	return server
}

// NewDatabase makes an empty database on the shared server, dropped at the test's end, and returns its URL.
func NewDatabase(tb testing.TB) string {
	tb.Helper()
	return Shared(tb).NewDatabase(tb)
}

// Kill ends this test's own server as a crash would: at once, with every connection cut and no checkpoint.
// Data stay; [Server.Restart] recovers them from the log as after a power cut.
func (s *Server) Kill(tb testing.TB) {
	tb.Helper()
	if !s.own {
		tb.Fatal("only a server that the test started for itself may be killed: others share this one")
	}
	if err := s.quit(); err != nil {
		tb.Fatal(err)
	}
}

// Restart starts a killed server again, at the same address, and returns when it answers.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	if s.process != nil {
		s.Kill(tb)
	}
	if err := s.start(tb.Context()); err != nil {
		tb.Fatalf("restart PostgreSQL: %v", err)
	}
}
