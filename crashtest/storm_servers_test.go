//go:build unix

package crashtest

import (
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"

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

// dialAll connects to several servers as through a load balancer: each call goes to the next of those that take any.
func dialAll(addresses []string) (*grpc.ClientConn, error) {
	servers := manual.NewBuilderWithScheme("fleet")
	state := resolver.State{}
	for _, a := range addresses {
		state.Addresses = append(state.Addresses, resolver.Address{Addr: a})
	}
	servers.InitialState(state)
	quick := backoff.Config{BaseDelay: 5 * time.Millisecond, Multiplier: 1.5, Jitter: 0.2, MaxDelay: 100 * time.Millisecond}
	return grpc.NewClient("fleet:///servers", grpc.WithResolvers(servers), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: quick, MinConnectTimeout: time.Second}))
}
