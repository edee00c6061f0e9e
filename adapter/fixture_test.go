package adapter_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/registry"
)

// peer is a provider at the level of sockets: it counts connections, bytes and requests where they arrive.
type peer struct {
	listener net.Listener
	answer   func(conn net.Conn, request *http.Request)

	mu       sync.Mutex
	conns    int
	raw      bytes.Buffer // what has come, over all connections
	requests []string     // each request as it came, head and body
	bodies   []string
}

// newPeer starts a peer that answers each request by a function.
func newPeer(t *testing.T, answer func(conn net.Conn, request *http.Request)) *peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{listener: l, answer: answer}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			p.mu.Lock()
			p.conns++
			p.mu.Unlock()
			open.Go(func() { p.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); open.Wait() })
	return p
}

// serve reads requests for as long as any come, so that a second one on a connection is seen.
func (p *peer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(io.TeeReader(conn, recorder{p}))
	for {
		p.mu.Lock()
		from := p.raw.Len() - in.Buffered()
		p.mu.Unlock()
		request, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		p.mu.Lock()
		p.requests = append(p.requests, p.raw.String()[from:])
		p.bodies = append(p.bodies, string(body))
		p.mu.Unlock()
		p.answer(conn, request)
	}
}

type recorder struct{ p *peer }

func (r recorder) Write(b []byte) (int, error) {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	return r.p.raw.Write(b)
}

func (p *peer) url() string { return "http://" + p.listener.Addr().String() }

// seen is what has arrived so far.
func (p *peer) seen() (conns, bytes int, requests, bodies []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns, p.raw.Len(), append([]string(nil), p.requests...), append([]string(nil), p.bodies...)
}

// says answers with these very bytes.
func says(text string) func(net.Conn, *http.Request) {
	return func(conn net.Conn, _ *http.Request) { _, _ = io.WriteString(conn, text) }
}

// answers answers with a status and a body.
func answers(status string, body string, headers ...string) func(net.Conn, *http.Request) {
	return func(conn net.Conn, _ *http.Request) {
		text := "HTTP/1.1 " + status + "\r\n"
		for _, h := range headers {
			text += h + "\r\n"
		}
		text += "Content-Length: " + itoa(len(body)) + "\r\n\r\n" + body
		_, _ = io.WriteString(conn, text)
	}
}

// reset closes a connection so that its other end meets a reset.
func reset(conn net.Conn) {
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

// capture is a tool of class 3 at a peer.
func capture(url string) *registry.Definition {
	d := registry.WithDefaults(registry.Definition{
		Name: "payment.capture", Class: registry.ExternalIdempotentWrite, Executor: registry.ServerHTTP,
		Schema: []byte(`{"type":"object"}`),
		Identity: registry.Identity{Rules: canon.Rules{
			Fields:   map[string]canon.Rule{"/amount": {Kind: canon.RuleMoney, Form: canon.FormMajor, CurrencyField: "/currency"}, "/currency": {Kind: canon.RuleIdentifier}},
			Defaults: map[string]*canon.Value{"/channel": canon.String("web")},
		}},
		Provider: registry.Provider{
			Name: "pay", VendorKey: registry.VendorKey{Supported: true, Header: "Idempotency-Key", Retention: 24 * time.Hour},
			StoresClientReference: true, RetryableCodes: []string{"lock_timeout"},
			Lookups: []registry.Lookup{{By: registry.ByVendorKey}, {By: registry.ByClientReference, Search: true}, {By: registry.ByObjectID}},
		},
		HTTP: &registry.HTTPAdapter{
			Request: registry.HTTPRequest{
				Method: "POST", URL: url + "/v1/orders/{args.order_id}/captures?channel={args.channel}", Timeout: 5 * time.Second,
				JSON: `{"amount":"{money.amount.minor}","currency":"{money.amount.currency}","note":"{args.note?}","metadata":{"ref":"{client_reference}"}}`,
			},
			AllowedHosts: []string{"127.0.0.1", "localhost", "*.example.com"},
		},
	})
	return &d
}

const arguments = `{"amount":"49.00","currency":"usd","order_id":"order/1"}`

// effect is one attempt's, allowed for a minute.
func effect() dispatch.Effect {
	return dispatch.Effect{
		Namespace: "acme", OperationID: "op_1", Arguments: []byte(arguments), VendorKey: "opk-key", ClientReference: "opr-reference",
		Ready: func(context.Context) (time.Duration, error) { return time.Minute, nil },
	}
}

var released = outward.Secrets{EnvPrefix: "OPLEDGER_SECRET_", LookupEnv: func(name string) (string, bool) {
	value, ok := map[string]string{"OPLEDGER_SECRET_PAY": "sk_live_0123456789", "OPLEDGER_SECRET_ACME__PAY": "sk_live_of_acme", "OPLEDGER_SECRET_TWO_LINES": "a\r\nb: c"}[name]
	return value, ok
}}

// local lets tools reach the peers of these tests.
func local(change ...func(*adapter.Config)) *adapter.Caller {
	config := adapter.Config{Secrets: released, AllowPrivate: true, AllowHTTP: true}
	for _, c := range change {
		c(&config)
	}
	return adapter.New(config)
}
