package adapter

import (
	"context"
	"crypto/x509"
	"net"
	"time"

	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// Config says what a server's operator allows tools to reach, and where their secrets are.
type Config struct {
	// Secrets are the places that tools may name. A zero value releases none.
	Secrets outward.Secrets
	// AllowPrivate lets tools reach this machine and private networks.
	AllowPrivate bool
	// AllowHTTP lets tools send without TLS.
	AllowHTTP bool
	// AllowedHosts bound what every tool may name, exactly or as "*.example.com"; none: each tool's own list alone does.
	AllowedHosts []string
	// Roots are the certificate authorities; nil: the system's.
	Roots *x509.CertPool
	// Resolver resolves hosts; nil: the system's.
	Resolver *net.Resolver
	// Clock tells how far away a date is at which a provider wants to be asked again. nil: time.Now.
	Clock func() time.Time
	// ConnectTimeout bounds resolving, connecting and the TLS handshake; zero: DefaultConnectTimeout.
	ConnectTimeout time.Duration
}

// DefaultConnectTimeout is long enough for a connection that loses its first packets, which are sent again after one and
// after three seconds.
const DefaultConnectTimeout = 10 * time.Second

// Caller carries out tools over HTTP. It keeps nothing between two requests, and serves any number of goroutines.
type Caller struct {
	config Config
	dialer *net.Dialer
}

var _ dispatch.Adapter = (*Caller)(nil)

// New makes a caller.
func New(config Config) *Caller {
	if config.Clock == nil {
		config.Clock = time.Now
	}
	if config.ConnectTimeout <= 0 {
		config.ConnectTimeout = DefaultConnectTimeout
	}
	dialer := outward.Dialer(config.ConnectTimeout, config.AllowPrivate)
	dialer.Resolver = config.Resolver
	return &Caller{config: config, dialer: dialer}
}

// Act sends the one request of an attempt and says what came of it.
func (c *Caller) Act(ctx context.Context, tool *registry.Definition, effect dispatch.Effect) ledger.Report {
	if tool.HTTP == nil {
		return failed(&fault{code: CodeTemplate, message: "the tool has no HTTP request"})
	}
	values := map[string]string{
		"vendor_key": effect.VendorKey, "client_reference": effect.ClientReference, "operation_id": string(effect.OperationID),
	}
	w, f := c.render(effect.Namespace, tool, &tool.HTTP.Request, effect.Arguments, values)
	if f == nil {
		f = w.addKey(tool, effect.VendorKey)
	}
	if f != nil {
		return failed(f)
	}
	a, f := c.exchange(ctx, w, effect.Ready)
	if f != nil {
		return failed(f)
	}
	return c.report(tool, a)
}

// Ask puts one question to the provider and says what it answered.
func (c *Caller) Ask(ctx context.Context, tool *registry.Definition, q dispatch.Question) ledger.Statement {
	s := ledger.Statement{Source: ledger.SourceLookup, Says: ledger.SaysUnknown, By: q.By, AskedValue: q.Value}
	for _, way := range tool.Provider.Lookups {
		if way.By == q.By {
			s.Search = way.Search
		}
	}
	l := lookupBy(tool, q.By)
	if l == nil {
		s.Note = "the tool has no lookup by this reference"
		return s
	}
	values := map[string]string{
		"vendor_key": q.VendorKey, "client_reference": q.ClientReference, "operation_id": string(q.OperationID), "reference": q.Value,
	}
	w, f := c.render(q.Namespace, tool, &l.Request, q.Arguments, values)
	if f != nil {
		s.Note = f.note()
		return s
	}
	a, f := c.exchange(ctx, w, nil)
	if f != nil {
		s.Note = f.note()
		return s
	}
	read(&s, tool, l, &q, a)
	return s
}

func lookupBy(tool *registry.Definition, by registry.LookupBy) *registry.HTTPLookup {
	if tool.HTTP == nil {
		return nil
	}
	for i := range tool.HTTP.Lookups {
		if tool.HTTP.Lookups[i].By == by {
			return &tool.HTTP.Lookups[i]
		}
	}
	return nil
}
