package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/notify"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/admin"
	"github.com/opledger/opledger/server/jsonport"
)

// messageServing is the log's message when calls are taken. Tests and scripts wait for it and read the addresses there.
const messageServing = "serving"

// tokenKeyBytes is the length of the key by which attempt tokens are made.
const tokenKeyBytes = 32

// serve runs a server until the context ends and it has drained.
func serve(ctx context.Context, o serveOptions, log *slog.Logger) (err error) {
	if err := o.http.check(); err != nil {
		return err
	}
	letIn, err := o.callers.open(ctx, log)
	if err != nil {
		return err
	}
	// Listening comes first: a port that is taken, or that must not be taken, is the likeliest fault.
	calls, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", o.listen, err)
	}
	defer func() { _ = calls.Close() }()
	if err := callers.CheckListener(calls.Addr(), !letIn.anybodyHere); err != nil {
		return err
	}
	served, err := withTLS(calls, o.tlsCert, o.tlsKey, letIn.certificates)
	if err != nil {
		return err
	}
	if o.tlsCert == "" && !o.allowPlaintext {
		if err := callers.CheckClear(calls.Addr()); err != nil {
			return err
		}
	}
	adminPort, err := listenAdmin(o.adminListen)
	if err != nil {
		return err
	}
	if adminPort != nil {
		defer func() { _ = adminPort.Close() }()
	}

	p := &process{log: log, options: o, letIn: letIn}
	defer func() { err = errors.Join(err, p.close()) }()
	if err := p.open(ctx); err != nil {
		return err
	}
	p.tell(ctx, calls.Addr(), adminPort)
	return p.run(ctx, served, adminPort)
}

func listenAdmin(address string) (net.Listener, error) {
	if address == "off" {
		return nil, nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--admin-listen %s: %w", address, err)
	}
	return l, nil
}

// process is a server with everything below it.
type process struct {
	log        *slog.Logger
	options    serveOptions
	letIn      *letIn
	database   database
	engine     ledger.Engine
	metrics    *admin.Metrics
	ledger     *transact.Ledger
	dispatcher *dispatch.Dispatcher
	deliverer  *notify.Deliverer
	breakers   *breaker.Set
	executor   *dispatch.Executor
	server     *server.Server
	admin      *admin.Port
}

// open builds the server from the database upwards.
func (p *process) open(ctx context.Context) (err error) {
	if p.database, err = parseDatabase(p.options.databaseURL); err != nil {
		return err
	}
	// The engine is made before the metrics that name it; it tells of retries only once it is used.
	retries := func(reason string) {
		if p.metrics != nil {
			p.metrics.TransactionRetry(reason)
		}
	}
	p.engine, err = p.database.open(ctx, engineOptions{execMode: p.options.execMode, onRetry: retries, noMigrate: p.options.noMigrate})
	if err != nil {
		return err
	}
	if p.letIn.database != nil {
		p.letIn.database.Records = p.engine
	}
	p.metrics = admin.NewMetrics(versionNow(), p.engine)
	p.ledger = transact.New(p.engine, transact.Options{
		Writers: p.options.writers, OnBatch: p.metrics.Batch,
		OnDefect: func(err error) {
			p.metrics.Defect(err)
			p.log.Error("a decision failed by a defect of this server; nothing was changed", "error", err)
		},
	})
	key, err := p.tokenKey(ctx)
	if err != nil {
		return err
	}
	p.dispatcher, err = dispatch.New(dispatch.Config{
		Ledger: p.ledger, Claimer: claimerName(), Observer: p.metrics, Logger: p.log,
		Changed: func(o *ledger.Operation) { p.server.Changed(o); p.deliverer.Poke() }, // it runs only once these are made
		Records: []dispatch.Records{
			dispatch.Workflows(p.engine, func(o *ledger.Operation) { p.server.Changed(o) }),
			server.Compensations(func() *server.Server { return p.server }),
		},
	})
	if err != nil {
		return err
	}
	if p.deliverer, err = p.options.notify.deliverer(p.ledger, p.metrics, p.log); err != nil {
		return err
	}
	p.admin = admin.New(admin.Config{Metrics: p.metrics, Engine: p.engine, Logger: p.log, Profiles: p.options.profiles})
	p.breakers = newBreakers(p)
	taken, err := p.options.webhooks.open(p.letIn, p.options.notify.rules().Secrets)
	if err != nil {
		return err
	}
	p.server, err = server.New(server.Config{
		Ledger: p.ledger, Callers: p.letIn.authenticator, TokenKey: key, Logger: p.log, Observer: p.metrics, Notify: p.options.notify.rules(),
		Poke:     func() { p.dispatcher.Poke(); p.deliverer.Poke(); p.executor.Poke() }, // it takes calls only once these are made
		Breakers: p.breakers, QueueLimit: p.options.http.queueLimit, AllowPlainHTTP: p.options.http.allowHTTP,
		Inbox: taken,
		JSON:  jsonport.Options{Hosts: p.options.httpHosts, Origins: p.options.httpOrigins},
	})
	if err != nil {
		return err
	}
	p.executor, err = p.options.http.executor(p)
	return err
}

// tokenKey is the database's key of attempt tokens; the first server of a database makes it.
func (p *process) tokenKey(ctx context.Context) ([]byte, error) {
	fresh := make([]byte, tokenKeyBytes)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	return p.engine.TokenKey(ctx, fresh)
}

// claimerName tells this process apart from others that dispatch on the same database.
func claimerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()[:8])
}

// tell says where the server listens, on which engine, who is let in, and what is weaker than it should be.
func (p *process) tell(ctx context.Context, address net.Addr, adminPort net.Listener) {
	facts := []any{"version", versionNow(), "address", address.String(), "engine", p.engine.Name(), "database", p.database.String()}
	if adminPort != nil {
		facts = append(facts, "admin_address", adminPort.Addr().String())
	}
	if p.letIn.anybodyHere {
		p.log.Info("open to this machine alone: whoever runs on it acts as the principal \"local\" of the namespace \"default\", with every right")
	}
	facts = append(facts, p.letIn.facts...)
	for _, w := range p.letIn.warnings() {
		p.log.Warn(w)
	}
	if p.options.tlsCert == "" && !callers.IsLoopback(address) {
		p.log.Warn("calls travel in the clear up to this server (--allow-plaintext): see to it that something in front of it encrypts them")
	}
	weaker, err := p.engine.Settings(ctx)
	if err != nil {
		p.log.Warn("the database's settings could not be checked, so that it is not known how durable a commit is", "error", err)
	}
	for _, sentence := range weaker {
		p.log.Warn("the database is weaker than Opledger promises: " + sentence)
	}
	p.log.Info(messageServing, facts...)
}

// run serves until the context ends or a listener fails, and then drains.
func (p *process) run(ctx context.Context, calls, adminPort net.Listener) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var running sync.WaitGroup
	defer running.Wait()
	ended := make(chan error, 2)
	start := func(what string, serve func(net.Listener) error, l net.Listener) {
		running.Go(func() {
			if err := serve(l); err != nil && !errors.Is(err, net.ErrClosed) {
				ended <- fmt.Errorf("%s: %w", what, err)
			}
		})
	}
	running.Go(func() { p.dispatcher.Run(background) })
	running.Go(func() { p.deliverer.Run(background) })
	carryOut, rest := context.WithCancel(background)
	defer rest()
	running.Go(func() { p.executor.Run(carryOut) })
	for _, f := range p.letIn.files {
		running.Go(func() { f.watch(background, p.log) })
	}
	if adminPort != nil {
		start("the admin port failed", p.admin.Serve, adminPort)
	}
	start("calls are not taken any more", p.server.Serve, calls)

	var failure error
	select {
	case <-ctx.Done():
		p.log.Info("stopping: no new call is taken, those under way may end", "within", p.options.shutdownTimeout.String())
	case failure = <-ended:
	}
	drain, cancel := context.WithTimeout(background, p.options.shutdownTimeout)
	defer cancel()
	p.admin.Drain()
	rest() // no new request to a provider; those under way have as long as calls have
	p.server.Drain(drain)
	stop() // the dispatcher ends its batches under way, the deliverer its tries
	failure = errors.Join(failure, p.admin.Close(drain))
	running.Wait()
	p.log.Info("stopped")
	return failure
}

// close closes what was opened, the database last.
func (p *process) close() error {
	if p.ledger != nil {
		p.ledger.Close()
	}
	if p.engine != nil {
		return p.engine.Close()
	}
	return nil
}
