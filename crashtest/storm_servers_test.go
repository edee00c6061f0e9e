//go:build unix

package crashtest

import (
	"testing"

	"github.com/opledger/opledger/internal/childproc"
)

// fleet is several servers on one database.
type fleet struct {
	t        *testing.T
	database string
	servers  []*childproc.Server
	kills    int
}

func startFleet(t *testing.T, database string, size int) *fleet {
	t.Helper()
	f := &fleet{t: t, database: database}
	for range size {
		s, err := childproc.StartServer(t.Context(), binary, database)
		if err != nil {
			t.Fatal(err)
		}
		f.servers = append(f.servers, s)
	}
	t.Cleanup(func() {
		for _, s := range f.servers {
			s.Kill()
		}
	})
	return f
}

// addresses are where the servers take calls, now and after each restart.
func (f *fleet) addresses() (list []string) {
	for _, s := range f.servers {
		list = append(list, s.Address)
	}
	return list
}

// kill ends one server in the middle of whatever it does, and starts it again.
func (f *fleet) kill(i int) {
	f.t.Helper()
	address := f.servers[i].Address
	if !f.servers[i].Kill() {
		f.t.Fatalf("server %d had ended by itself: %v", i, f.servers[i].Wait())
	}
	f.kills++
	s, err := childproc.StartServer(f.t.Context(), binary, f.database, "--listen", address)
	if err != nil {
		f.t.Fatalf("server %d does not start again: %v", i, err)
	}
	f.servers[i] = s
}
