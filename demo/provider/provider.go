package provider

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultPropagation is how long a message takes to show in the mail provider's log. Providers state such a figure;
// theirs is seconds to minutes.
const DefaultPropagation = time.Second

// Options change a provider. Zero fields take the defaults.
type Options struct {
	// Propagation is how long an e-mail takes to show in lookups. Transfers show at once.
	Propagation time.Duration
	// Now is the provider's clock. Nil: the system's.
	Now func() time.Time
}

// Provider is a running provider. Its methods are safe for use by several goroutines at once.
type Provider struct {
	books       *books
	propagation time.Duration
	faults      faults
	refused     atomic.Int64 // tickets
	http        *http.Server
	address     string
	closing     chan struct{}
	closeOnce   sync.Once
	served      chan error
}

// Start listens on a free loopback port and answers until Close.
func Start(options Options) (*Provider, error) {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Propagation == 0 {
		options.Propagation = DefaultPropagation
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the demonstration's provider: %w", err)
	}
	p := &Provider{
		books: newBooks(options.Now), propagation: options.Propagation,
		faults:  faults{lost: map[Kind]int{}},
		address: listener.Addr().String(), closing: make(chan struct{}), served: make(chan error, 1),
	}
	p.http = &http.Server{Handler: p.routes(), ReadHeaderTimeout: 5 * time.Second}
	go func() { p.served <- p.http.Serve(listener) }()
	return p, nil
}

// URL is where the provider answers.
func (p *Provider) URL() string { return "http://" + p.address }

// Close stops the provider. Answers that are being held are dropped.
func (p *Provider) Close() error {
	p.closeOnce.Do(func() { close(p.closing) })
	err := p.http.Close()
	if served := <-p.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	p.served <- http.ErrServerClosed // a second Close finds what the first one found
	return err
}

// LoseAnswers lets the answers to the next n effects of a kind get lost: each is committed, and its answer never comes.
func (p *Provider) LoseAnswers(kind Kind, n int) { p.faults.lose(kind, n) }

// Transfers lists the transfers of a kind that were really made, in every account.
func (p *Provider) Transfers(kind Kind) []Transfer {
	return p.books.listTransfers(func(t Transfer) bool { return t.Kind == kind })
}

// Emails lists the messages that were really sent.
func (p *Provider) Emails() []Email { return p.books.listEmails(func(Email) bool { return true }) }

// WaitFor returns once at least n effects of the kind have been made, or the context's error.
func (p *Provider) WaitFor(ctx context.Context, kind Kind, n int) error {
	for {
		have, changed := p.books.count(kind)
		if have >= n {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// faults are what the provider was told to get wrong.
type faults struct {
	mu   sync.Mutex
	lost map[Kind]int
}

func (f *faults) lose(kind Kind, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lost[kind] += n
}

// loses reports whether the answer to this effect gets lost, and counts it.
func (f *faults) loses(kind Kind) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost[kind] == 0 {
		return false
	}
	f.lost[kind]--
	return true
}
