package world

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/server"
)

// poll is how often a server of a world looks for what others did while somebody waits: it is waited for in real time.
const poll = 5 * time.Millisecond

// running is one server of a world.
type running struct {
	engine     ledger.Engine
	ledger     *transact.Ledger
	server     *server.Server
	dispatcher *dispatch.Dispatcher
	executor   *dispatch.Executor // nil: nobody carries out
	address    string
	served     chan error
	end        sync.Once
	busy, dead atomic.Bool // at work on what is due; died at it
}

// start starts one more server, and answers its index.
func (w *World) start(ctx context.Context) (index int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &running{served: make(chan error, 1)}
	if w.database.shared && len(w.servers) > 0 {
		r.engine = w.servers[0].engine
	} else if r.engine, err = w.database.open(ctx); err != nil {
		return 0, err
	}
	if err := w.build(ctx, r, len(w.servers)); err != nil {
		_ = r.engine.Close()
		return 0, err
	}
	w.servers = append(w.servers, r)
	return len(w.servers) - 1, nil
}

// build makes a server on an engine, and lets it listen on loopback.
func (w *World) build(ctx context.Context, r *running, index int) (err error) {
	if w.key == nil {
		fresh := make([]byte, 32)
		_, _ = w.random.Read(fresh)
		w.key = fresh
	}
	if w.key, err = r.engine.TokenKey(ctx, w.key); err != nil {
		return err
	}
	who := w.options.Callers
	if who == nil {
		who = callers.Local{}
	}
	defect := w.options.Defect
	if defect == nil {
		defect = func(error) {}
	}
	r.ledger = transact.New(r.engine, transact.Options{OnDefect: defect})
	r.server, err = server.New(server.Config{
		Ledger: r.ledger, Callers: who, TokenKey: w.key, Random: w.random, Poll: poll, AllowPlainHTTP: true, Inbox: w.options.Inbox,
		Clock: w.Now, FiguresTick: make(chan time.Time), DepthTick: make(chan time.Time),
	})
	if err != nil {
		return err
	}
	claimer := fmt.Sprintf("server_%d", index)
	r.dispatcher, err = dispatch.New(dispatch.Config{
		Ledger: r.ledger, Claimer: claimer, Jitter: w.random.jitter, Changed: r.server.Changed,
		Records: []dispatch.Records{
			dispatch.Workflows(r.engine, r.server.Changed),
			server.Compensations(func() *server.Server { return r.server }),
		},
	})
	if err != nil {
		return err
	}
	if w.options.Adapter != nil {
		if r.executor, err = dispatch.NewExecutor(w.executor(r, claimer)); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	r.address = listener.Addr().String()
	go func() { r.served <- r.server.Serve(listener) }()
	return nil
}

// executor carries out by the world's clock: a request takes no time but what its adapter passes.
func (w *World) executor(r *running, claimer string) dispatch.ExecutorConfig {
	began := w.Now()
	return dispatch.ExecutorConfig{
		Ledger: r.ledger, Claimer: claimer, Configurations: r.server, Adapter: w.options.Adapter, Jitter: w.random.jitter,
		Clocks: dispatch.Clocks{Monotonic: func() time.Duration { return w.Now().Sub(began) }, Wall: w.Now},
		NewID:  w.random.id, NewUUID: w.random.uuid,
	}
}

// kill ends the server at once: calls under way are cut off.
func (r *running) kill() {
	r.end.Do(func() {
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		r.server.Drain(gone)
		<-r.served
		r.ledger.Close()
	})
}

// dial connects to a server by its index, whichever one that is by the time of a call.
func (w *World) dial(index int, token string) (*grpc.ClientConn, error) {
	fast := backoff.Config{BaseDelay: time.Millisecond, Multiplier: 1.5, MaxDelay: 50 * time.Millisecond}
	conn, err := grpc.NewClient("passthrough:///world",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: fast, MinConnectTimeout: time.Second}),
		grpc.WithDefaultCallOptions(grpc.WaitForReady(true)),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			address, err := w.address(index)
			if err != nil {
				return nil, err
			}
			return (&net.Dialer{}).DialContext(ctx, "tcp", address)
		}),
		grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, next grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			return next(bearing(ctx, token), method, req, reply, cc, opts...)
		}),
		grpc.WithStreamInterceptor(func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, next grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
			return next(bearing(ctx, token), desc, cc, method, opts...)
		}),
	)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns = append(w.conns, conn)
	return conn, nil
}

func bearing(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}
