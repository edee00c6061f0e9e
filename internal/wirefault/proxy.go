package wirefault

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
)

// Proxy is a proxy at work. Its methods may be called from any goroutine.
type Proxy struct {
	url      string
	upstream *pgconn.Config
	rules    book
	pool     *pool // nil: each client has a server connection of its own

	listener net.Listener
	refusing atomic.Bool
	ctx      context.Context // ends when the proxy closes
	cancel   context.CancelFunc
	sessions sync.WaitGroup

	mutex sync.Mutex
	conns map[net.Conn]struct{} // every open connection, of both sides
}

// Option changes how a proxy works.
type Option func(*Proxy)

// Pooled makes the proxy a pooler in transaction mode with this many server connections. They are given to
// transactions in turn, so with two or more a client whose turn comes again meets another one.
func Pooled(connections int) Option {
	return func(p *Proxy) { p.pool = newPool(p, connections) }
}

// TB is what Start needs of a test; *testing.T has it.
type TB interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}

// Start opens a proxy before the database at upstreamURL and closes it at the test's end.
func Start(tb TB, upstreamURL string, options ...Option) *Proxy {
	tb.Helper()
	p, err := Open(upstreamURL, options...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.Close)
	return p
}

// Open starts a proxy before the database at upstreamURL.
func Open(upstreamURL string, options ...Option) (*Proxy, error) {
	upstream, err := pgconn.ParseConfig(upstreamURL)
	if err != nil {
		return nil, fmt.Errorf("the upstream URL: %w", err)
	}
	public, err := url.Parse(upstreamURL)
	if err != nil {
		return nil, fmt.Errorf("the upstream URL: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	public.Host = listener.Addr().String()
	query := public.Query()
	query.Set("sslmode", "disable") // the proxy must read along
	public.RawQuery = query.Encode()

	ctx, cancel := context.WithCancel(context.Background())
	p := &Proxy{url: public.String(), upstream: upstream, listener: listener, ctx: ctx, cancel: cancel,
		conns: map[net.Conn]struct{}{}}
	for _, option := range options {
		option(p)
	}
	p.sessions.Go(p.accept)
	return p, nil
}

// URL is the database's URL by way of the proxy.
func (p *Proxy) URL() string { return p.url }

// Inject adds a rule.
func (p *Proxy) Inject(rule Rule) *Injection { return p.rules.add(rule) }

// CutAll cuts every open connection, whatever it is doing. New ones are served.
func (p *Proxy) CutAll() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for conn := range p.conns {
		_ = conn.Close() // its session ends by itself
	}
}

// Refuse makes the proxy close every new connection unanswered, or serve them again. Open ones go on.
func (p *Proxy) Refuse(refuse bool) { p.refusing.Store(refuse) }

// Close ends the proxy and cuts every connection.
func (p *Proxy) Close() {
	p.cancel()
	_ = p.listener.Close()
	p.CutAll()
	p.sessions.Wait()
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		if p.refusing.Load() || !p.track(conn) {
			_ = conn.Close()
			continue
		}
		p.sessions.Go(func() {
			defer p.drop(conn)
			newSession(p, conn).run()
		})
	}
}

// track remembers an open connection; false when the proxy has been closed meanwhile.
func (p *Proxy) track(conn net.Conn) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.ctx.Err() != nil {
		return false
	}
	p.conns[conn] = struct{}{}
	return true
}

// drop closes a connection and forgets it.
func (p *Proxy) drop(conn net.Conn) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.conns, conn)
	_ = conn.Close()
}
