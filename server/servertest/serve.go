package servertest

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/server"
)

// poll is how often a test's servers look for what others did: often, since a test waits for it.
const poll = 5 * time.Millisecond

// drainTimeout bounds a test server's end.
const drainTimeout = 10 * time.Second

// Option changes a server's configuration before it starts.
type Option func(*server.Config)

// WithCallers lets callers in by their tokens.
func WithCallers(a callers.Authenticator) Option {
	return func(c *server.Config) { c.Callers = a }
}

// running is one server of a world.
type running struct {
	server *server.Server
	ledger *transact.Ledger
	served chan error
	end    sync.Once
}

// kill ends the server at once: calls under way are cut off.
func (r *running) kill() {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	r.stop(gone)
}

func (r *running) stop(ctx context.Context) {
	r.end.Do(func() {
		r.server.Drain(ctx)
		<-r.served
		r.ledger.Close()
	})
}

// Drain stops every server of the world as an operator does: calls under way may end.
func (w *World) Drain() {
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	for _, s := range w.served {
		s.stop(ctx)
	}
}

// Serve starts one more server on the world's database and connects to it. It has no dispatcher: see Dispatch.
func (w *World) Serve(options ...Option) *Client {
	w.TB.Helper()
	l := transact.New(w.Engine, transact.Options{OnDefect: func(err error) { w.TB.Errorf("defect: %v", err) }})
	config := server.Config{Ledger: l, Callers: callers.Local{}, TokenKey: w.key, Poll: poll, AllowPlainHTTP: true}
	for _, o := range options {
		o(&config)
	}
	s, err := server.New(config)
	if err != nil {
		w.TB.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.TB.Fatal(err)
	}
	r := &running{server: s, ledger: l, served: make(chan error, 1)}
	go func() { r.served <- s.Serve(listener) }()
	w.served, w.options = append(w.served, r), options
	w.TB.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
		defer cancel()
		r.stop(ctx)
	})
	return Connect(w.TB, listener.Addr().String())
}

// Twin starts one more server as the last one was started: on PostgreSQL as another process, with connections of its own;
// on SQLite, which has one process a file, as a second server object on the same store.
func (w *World) Twin() *Client {
	w.TB.Helper()
	if w.URL == "" {
		return w.Serve(w.options...)
	}
	return w.Beside().Serve(w.options...)
}

// Dispatch runs a loop of due work on the world's database until the returned function is called or the test ends.
func (w *World) Dispatch() (stop func()) {
	w.TB.Helper()
	l := transact.New(w.Engine, transact.Options{OnDefect: func(err error) { w.TB.Errorf("defect: %v", err) }})
	d, err := dispatch.New(dispatch.Config{
		Ledger: l, Claimer: "test", FirstPoll: poll, LongestPoll: poll,
		Records: []dispatch.Records{
			dispatch.Workflows(w.Engine, nil),
			server.Compensations(func() *server.Server { return w.served[len(w.served)-1].server }),
		},
	})
	if err != nil {
		w.TB.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			<-done
			l.Close()
		})
	}
	w.TB.Cleanup(stop)
	return stop
}
