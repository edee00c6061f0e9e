package main

import (
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/dispatch"
)

// httpOptions say what tools that the server itself carries out may reach, and how much of that goes on at once.
type httpOptions struct {
	allowPrivate, allowHTTP bool
	allowedHosts            []string
	concurrency             int
	queueLimit              int64
}

// defaultQueueLimit is some minutes' work of a busy tool: who proposes beyond it should know that it would wait for long.
const defaultQueueLimit = 100_000

func (o *httpOptions) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.allowPrivate, "http-allow-private", false,
		"let tools that the server carries out reach this machine and private networks; whoever administers a namespace can then reach them")
	flags.BoolVar(&o.allowHTTP, "http-allow-http", false, "let tools that the server carries out send unencrypted")
	flags.StringSliceVar(&o.allowedHosts, "http-allowed-hosts", nil,
		"the only hosts that tools may name, such as api.example.com,*.example.org (default: those that each tool names)")
	flags.IntVar(&o.concurrency, "http-concurrency", dispatch.DefaultHTTPConcurrency, "requests of tools under way at once, a quarter of them to one provider and three quarters for one namespace")
	flags.Int64Var(&o.queueLimit, "queue-limit", defaultQueueLimit,
		"operations of a tool that may wait for its executor in a namespace before new ones are put off with RETRY_LATER; 0: any number")
}

// check refuses what could only be a mistake, before anything is opened.
func (o *httpOptions) check() error {
	switch {
	case o.concurrency < 1:
		return usagef("--http-concurrency has to be at least 1")
	case o.queueLimit < 0:
		return usagef("--queue-limit is a number of operations, or 0 for no limit")
	}
	for _, host := range o.allowedHosts {
		if name := strings.TrimPrefix(host, "*."); name == "" || strings.ContainsAny(name, "*/:@ ") {
			return usagef("--http-allowed-hosts %q: write a host such as api.example.com, or *.example.com, without scheme and port", host)
		}
	}
	return nil
}

// executor makes the loop that carries out tools. The breakers are shared with the server that hands out work.
func (o *httpOptions) executor(p *process) (*dispatch.Executor, error) {
	caller := adapter.New(adapter.Config{
		Secrets: p.options.notify.rules().Secrets, AllowPrivate: o.allowPrivate, AllowHTTP: o.allowHTTP, AllowedHosts: o.allowedHosts,
	})
	return dispatch.NewExecutor(dispatch.ExecutorConfig{
		Ledger: p.ledger, Claimer: claimerName(), Configurations: p.server, Adapter: caller, Breakers: p.breakers,
		Concurrency: o.concurrency, PerProvider: max(1, o.concurrency/4), Drain: drainFor(p.options.shutdownTimeout),
		Announce: p.server.Announce, Observer: p.metrics, Logger: p.log,
	})
}

// drainFor is how long requests under way may take when the server stops: most of the time that it has, the rest is for
// their reports.
func drainFor(shutdown time.Duration) time.Duration { return max(shutdown*3/4, time.Millisecond) }

// newBreakers makes the circuit breakers of this process.
func newBreakers(p *process) *breaker.Set {
	return breaker.NewSet(breaker.Config{Observer: p.metrics, Logger: p.log})
}
