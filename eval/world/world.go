package world

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"

	"github.com/opledger/opledger/ledger"
)

// World is one database and the servers on it. It is used from one goroutine, its connections from any.
type World struct {
	options  Options
	database database
	key      []byte // by which attempt tokens are made
	random   *random

	offset atomic.Int64 // nanoseconds that were passed, and how far the world's start is from the engine's time

	mu      sync.Mutex
	servers []*running
	conns   []*grpc.ClientConn
}

// Open makes the database, and starts one server on it.
func Open(ctx context.Context, o Options) (w *World, err error) {
	if o.Start.IsZero() {
		o.Start = Start
	}
	w = &World{options: o, random: newRandom(o.Seed, o.SteadyJitter)}
	if w.database, err = newDatabase(ctx, o, &w.offset); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	if _, err = w.start(ctx); err != nil {
		return w, err
	}
	at, err := w.Engine().Time(ctx)
	if err != nil {
		return w, err
	}
	w.offset.Add(int64(o.Start.Sub(at)))
	return w, nil
}

// Engine is the database as the first server sees it.
func (w *World) Engine() ledger.Engine { return w.at(0).engine }

// Now is the world's time.
func (w *World) Now() time.Time { return w.database.now() }

// Pass lets time pass. What becomes due is done by Settle.
func (w *World) Pass(d time.Duration) { w.offset.Add(int64(d)) }

// Restart kills every server as a crash does, and starts as many again on what the database has kept. Connections go on
// with the new ones.
func (w *World) Restart(ctx context.Context) error {
	w.mu.Lock()
	servers := w.servers
	w.servers = nil
	w.mu.Unlock()
	for _, s := range servers {
		s.kill()
	}
	if err := w.cutOff(ctx); err != nil {
		return err
	}
	if err := closeEngines(servers); err != nil {
		return err
	}
	for range servers {
		if _, err := w.start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// cutOff waits until every connection knows that its server is gone. One that does not yet sends the next call to nobody,
// and that call fails.
func (w *World) cutOff(ctx context.Context) error {
	w.mu.Lock()
	conns := w.conns
	w.mu.Unlock()
	for _, c := range conns {
		for s := c.GetState(); s == connectivity.Ready || s == connectivity.Connecting; s = c.GetState() {
			if !c.WaitForStateChange(ctx, s) {
				return ctx.Err()
			}
		}
	}
	return nil
}

// Twin starts one more server on the database, on PostgreSQL with connections of its own, and answers a connection to it.
func (w *World) Twin(ctx context.Context) (*grpc.ClientConn, error) {
	index, err := w.start(ctx)
	if err != nil {
		return nil, err
	}
	return w.dial(index, "")
}

// Conn is a connection of a caller without a credential to the first server.
func (w *World) Conn() (*grpc.ClientConn, error) { return w.dial(0, "") }

// As is a connection of whoever bears the token.
func (w *World) As(token string) (*grpc.ClientConn, error) { return w.dial(0, token) }

// Address is where the first server listens, for webhooks.
func (w *World) Address() string { return w.at(0).address }

// Close ends the servers and removes the database.
func (w *World) Close() error {
	w.mu.Lock()
	servers, conns := w.servers, w.conns
	w.servers, w.conns = nil, nil
	w.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
	for _, s := range servers {
		s.kill()
	}
	return errors.Join(closeEngines(servers), w.database.remove())
}

func (w *World) at(index int) *running {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.servers[index]
}

// all are the servers that run, in the order of their starts.
func (w *World) all() []*running {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.servers)
}

// address is where a server listens; during a restart there is none.
func (w *World) address(index int) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if index >= len(w.servers) {
		return "", fmt.Errorf("server %d is not running", index)
	}
	return w.servers[index].address, nil
}

// closeEngines closes each engine once: servers of one SQLite file share theirs.
func closeEngines(servers []*running) (err error) {
	closed := map[ledger.Engine]bool{}
	for _, s := range servers {
		if !closed[s.engine] {
			closed[s.engine] = true
			err = errors.Join(err, s.engine.Close())
		}
	}
	return err
}
