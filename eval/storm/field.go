//go:build unix

package storm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"google.golang.org/grpc"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/internal/childproc"
	"github.com/opledger/opledger/internal/wirefault"
	"github.com/opledger/opledger/registry/toolfile"
)

// field is where one round takes place: servers on a database of their own, and a provider.
type field struct {
	env      eval.Env
	database string
	servers  []*childproc.Server
	flags    [][]string // of each server
	provider *bank
	conn     *grpc.ClientConn
	api      pb.OperationServiceClient
	hands    []*member
	drop     func() error     // the database
	gate     *gate            // before the provider, on the servers' way to it
	wire     *wirefault.Proxy // before the database; nil: none
	cutters  []*cutter        // before the servers; none: hands connect to them directly
	outward  *cutter          // before the gate; nil: none
}

// lay makes the field. Its processes end with the context.
func lay(ctx context.Context, env eval.Env, name string, bad bool) (f *field, err error) {
	if env.Binary == "" {
		if env.Binary, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	f = &field{env: env, drop: func() error { return nil }}
	defer func() {
		if err != nil {
			f.clear()
		}
	}()
	dir := filepath.Join(env.Dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	size := 1 // SQLite has one process a file
	f.database = filepath.Join(dir, "ledger.db")
	if env.Engine == "postgresql" {
		size = 2
		if f.database, f.drop, err = world.NewDatabase(ctx, env.DatabaseURL); err != nil {
			return nil, err
		}
		if bad {
			if f.wire, err = wirefault.Open(f.database); err != nil {
				return nil, err
			}
			f.database = f.wire.URL()
		}
	}
	for i := range size {
		if err := f.nameServer(dir, i); err != nil {
			return nil, err
		}
		s, err := childproc.StartServer(ctx, env.Binary, f.database, f.flags[i]...)
		if err != nil {
			return nil, err
		}
		f.servers = append(f.servers, s)
	}
	for i, s := range f.servers {
		if !bad {
			break
		}
		c, err := openCutter(s.Address, env.Seed+uint64(i), callerChunks)
		if err != nil {
			return nil, err
		}
		f.cutters = append(f.cutters, c)
	}
	if f.provider, err = openBank(ctx, env.Binary, filepath.Join(dir, "provider.journal")); err != nil {
		return nil, err
	}
	if f.gate, err = openGate(f.provider.url()); err != nil {
		return nil, err
	}
	address := f.gate.address
	if bad {
		if f.outward, err = openCutter(address, env.Seed+uint64(size), exchangeChunks); err != nil {
			return nil, err
		}
		address = f.outward.address
	}
	if f.conn, err = dialAll(f.addresses()); err != nil {
		return nil, err
	}
	f.api = pb.NewOperationServiceClient(f.conn)
	return f, f.apply(ctx, "http://"+address)
}

// nameServer makes the flags of a server: what it carries out by itself may reach the provider on this machine, and its
// name is a secret that its requests bear, so that the gate knows whose they are.
func (f *field) nameServer(dir string, i int) error {
	secrets := filepath.Join(dir, fmt.Sprintf("server-%d", i))
	f.flags = append(f.flags, []string{"--http-allow-private", "--http-allow-http", "--secrets-dir", secrets})
	if err := os.MkdirAll(secrets, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(secrets, "name"), []byte(filepath.Base(secrets)), 0o600)
}

// sender is the index of the server whose request for a business key is held; the first one where none is.
func (f *field) sender(businessKey string) int {
	for i := range f.servers {
		if f.gate.sender(businessKey) == fmt.Sprintf("server-%d", i) {
			return i
		}
	}
	return 0
}

// addresses are where the servers take calls, before and after each restart.
func (f *field) addresses() (list []string) {
	for _, s := range f.servers {
		list = append(list, s.Address)
	}
	return list
}

// apply makes the tools known. Servers reach the provider at the address.
func (f *field) apply(ctx context.Context, address string) error {
	sources, problems := toolfile.Parse("tools.yaml", definitions(address))
	if len(problems) > 0 {
		return fmt.Errorf("the storm's tools: %v", problems)
	}
	registry := pb.NewRegistryServiceClient(f.conn)
	for i, s := range sources {
		_, err := within(ctx, registry.ApplyTool, &pb.ApplyToolRequest{RequestId: fmt.Sprintf("5701c0de-0000-4000-8000-%012d", i), Definition: s.Proto})
		if err != nil {
			return fmt.Errorf("apply %s: %w", s.Proto.GetName(), err)
		}
	}
	return nil
}

// start starts a hand of the field.
func (f *field) start(ctx context.Context, id string, hold Step, refs ...string) (*member, error) {
	addresses := f.addresses()
	for i, c := range f.cutters {
		addresses[i] = c.address
	}
	m, err := f.hire(ctx, post{Servers: addresses, Provider: f.provider.url(), ID: id, Hold: hold, Refs: refs})
	if err != nil {
		return nil, err
	}
	f.hands = append(f.hands, m)
	return m, nil
}

// restartServer kills a server in the middle of whatever it does, and starts it again where it was. What it had sent, and
// is on its way still, arrives in between.
func (f *field) restartServer(ctx context.Context, i int) error {
	address := f.servers[i].Address
	if !f.servers[i].Kill() {
		return fmt.Errorf("the server had ended by itself: %w", f.servers[i].Wait())
	}
	f.gate.release()
	s, err := childproc.StartServer(ctx, f.env.Binary, f.database, append([]string{"--listen", address}, f.flags[i]...)...)
	if err != nil {
		return err
	}
	f.servers[i] = s
	return nil
}

// freeze stops a process past the end of every permit, and wakes it.
func freeze(ctx context.Context, p *childproc.Process) error {
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	select {
	case <-time.After(frozenFor): // it is the length of the freeze, not a wait for something
	case <-ctx.Done():
	}
	return p.Signal(syscall.SIGCONT)
}

// clear ends every process and removes the database.
func (f *field) clear() {
	for _, h := range f.hands {
		h.Kill()
	}
	if f.conn != nil {
		_ = f.conn.Close()
	}
	for _, c := range f.cutters {
		c.close()
	}
	for _, s := range f.servers {
		s.Kill()
	}
	if f.wire != nil {
		f.wire.Close()
	}
	if f.outward != nil {
		f.outward.close()
	}
	if f.gate != nil {
		f.gate.close()
	}
	if f.provider != nil {
		f.provider.close()
	}
	_ = f.drop() // a database that is left behind is no finding
}
