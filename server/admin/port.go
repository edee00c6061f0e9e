package admin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/opledger/opledger/callers"
)

// DefaultAddress is where the admin port listens unless it is told otherwise.
const DefaultAddress = "127.0.0.1:7118"

// The bounds of the HTTP side.
const (
	readyTimeout      = 2 * time.Second
	scrapeTimeout     = 10 * time.Second
	concurrentScrapes = 4
	headerTimeout     = 5 * time.Second
	answerTimeout     = 90 * time.Second // a profile runs for 30 s unless it is told otherwise
	headerBytes       = 16 << 10
)

// Config is what an admin port is made of.
type Config struct {
	Metrics *Metrics
	Engine  Engine
	Logger  *slog.Logger
	// Profiles opens /debug/pprof/. Profiles show the program's inside and cost it time.
	Profiles bool
}

// Port is the admin port of one server.
type Port struct {
	config   Config
	http     *http.Server
	draining atomic.Bool
	// loopback is set by Serve: the port is then asked under a name of this machine alone.
	loopback atomic.Bool
}

// New makes the port. It does not listen yet.
func New(config Config) *Port {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	p := &Port{config: config}
	p.http = &http.Server{
		Handler: p.handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout, WriteTimeout: answerTimeout,
		MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(config.Logger.Handler(), slog.LevelDebug),
	}
	return p
}

func (p *Port) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.config.Metrics.registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: concurrentScrapes, Timeout: scrapeTimeout, ErrorLog: slog.NewLogLogger(p.config.Logger.Handler(), slog.LevelWarn),
	}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", p.ready)
	mux.HandleFunc("GET /{$}", p.index)
	if p.config.Profiles {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return p.guard(mux)
}

// guard answers under known names only while the port is on loopback. A page in a browser can reach loopback, under a
// name of its own that it lets point here.
func (p *Port) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.loopback.Load() && !namesLoopback(r.Host) {
			say(w, http.StatusMisdirectedRequest, "ask under localhost or a loopback address")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func namesLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ready says whether calls should be sent here: the database answers and the server is not stopping. What the database
// said in its place is for the log, since it may tell of names and addresses.
func (p *Port) ready(w http.ResponseWriter, r *http.Request) {
	if p.draining.Load() {
		say(w, http.StatusServiceUnavailable, "this server is stopping")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if _, err := p.config.Engine.Time(ctx); err != nil {
		p.config.Logger.Warn("not ready: the database does not answer", "error", err)
		say(w, http.StatusServiceUnavailable, "the database does not answer")
		return
	}
	say(w, http.StatusOK, "ready")
}

func (p *Port) index(w http.ResponseWriter, _ *http.Request) {
	text := "Opledger's admin port.\n\n/metrics  for Prometheus\n/healthz  the process is alive\n/readyz   calls can be sent here"
	if p.config.Profiles {
		text += "\n/debug/pprof/  profiles"
	}
	say(w, http.StatusOK, text)
}

func say(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	fmt.Fprintln(w, text)
}

// Serve answers on the listener until Close.
func (p *Port) Serve(l net.Listener) error {
	p.loopback.Store(callers.IsLoopback(l.Addr()))
	if err := p.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Drain makes the server unready. Metrics are still given.
func (p *Port) Drain() { p.draining.Store(true) }

// Close stops the port, at the latest when the context ends.
func (p *Port) Close(ctx context.Context) error {
	if err := p.http.Shutdown(ctx); err != nil {
		return p.http.Close()
	}
	return nil
}
