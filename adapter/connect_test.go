package adapter_test

import (
	"context"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/opledger/opledger/adapter"
	"github.com/opledger/opledger/ledger"
)

// TestWhatIsNotConnectedTo: nothing is sent, and the permit is not asked about.
func TestWhatIsNotConnectedTo(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	gone := newPeer(t, nil)
	_ = gone.listener.Close()
	port := p.listener.Addr().(*net.TCPAddr).Port
	public := func(c *adapter.Config) { c.AllowPrivate = false }
	loopback := func(c *adapter.Config) { c.AllowPrivate, c.Resolver = false, resolver(t, "127.0.0.1") }
	for name, c := range map[string]struct {
		url, code string
		change    func(*adapter.Config)
	}{
		"FC-214 nobody listens":                   {gone.url(), "connection_refused", func(*adapter.Config) {}},
		"no such name":                            {"http://none.example.com", "dns", func(c *adapter.Config) { c.Resolver = resolver(t, "") }},
		"no resolver":                             {"http://none.example.com", "dns", func(c *adapter.Config) { c.Resolver = broken }},
		"a private address":                       {p.url(), "address_refused", public},
		"this machine by its name":                {"http://localhost:" + itoa(port), "address_refused", public},
		"a name for a private one":                {"http://rebinding.example.com:" + itoa(port), "address_refused", loopback},
		"no TLS":                                  {p.url(), "http_not_allowed", func(c *adapter.Config) { c.AllowHTTP = false }},
		"another host":                            {"http://elsewhere.example", "host_not_allowed", func(*adapter.Config) {}},
		"a host that the operator does not allow": {p.url(), "host_not_allowed", func(c *adapter.Config) { c.AllowedHosts = []string{"*.example.com"} }},
		"the domain above":                        {"http://example.com", "host_not_allowed", func(*adapter.Config) {}},
		"a peer that speaks no TLS":               {"https://" + p.listener.Addr().String(), "tls", func(*adapter.Config) {}},
	} {
		t.Run(name, func(t *testing.T) {
			e := effect()
			e.Ready = func(context.Context) (time.Duration, error) { t.Error("the permit was asked about"); return 0, nil }
			want(t, local(c.change).Act(t.Context(), capture(c.url), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, c.code)
		})
	}
	if _, _, requests, _ := p.seen(); len(requests) != 0 {
		t.Errorf("%d requests came", len(requests))
	}
}

// TestTheAddressIsCheckedWhereItIsConnectedTo: the same name is reached where private addresses are allowed.
func TestTheAddressIsCheckedWhereItIsConnectedTo(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	url := "http://rebinding.example.com:" + itoa(p.listener.Addr().(*net.TCPAddr).Port)
	r := local(func(c *adapter.Config) { c.Resolver = resolver(t, "127.0.0.1") }).Act(t.Context(), capture(url), effect())
	want(t, r, ledger.OutcomeSucceeded, "", "")
}

// TestTLSIsVerified: by its authority and by its name.
func TestTLSIsVerified(t *testing.T) {
	var requests atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.ProtoMajor != 1 {
			t.Errorf("spoke %s", r.Proto)
		}
		_, _ = io.WriteString(w, `{}`)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshakes that are to fail
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	trusting := func(c *adapter.Config) { c.Roots = roots }
	named := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	want(t, local().Act(t.Context(), capture(s.URL), effect()), ledger.OutcomeNotSent, ledger.CategoryNotSent, "tls")
	want(t, local(trusting).Act(t.Context(), capture(named), effect()), ledger.OutcomeNotSent, ledger.CategoryNotSent, "tls")
	if n := requests.Load(); n != 0 {
		t.Fatalf("%d requests came", n)
	}
	want(t, local(trusting).Act(t.Context(), capture(s.URL), effect()), ledger.OutcomeSucceeded, "", "")
	if n := requests.Load(); n != 1 {
		t.Fatalf("%d requests came", n)
	}
}

// TestAHandshakeThatDoesNotEnd is bounded by itself.
func TestAHandshakeThatDoesNotEnd(t *testing.T) {
	p := newPeer(t, nil) // reads on and on, and never answers what is no HTTP
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		if conn, err := l.Accept(); err == nil {
			_, _ = io.Copy(io.Discard, conn)
		}
	}()
	r := local(func(c *adapter.Config) { c.ConnectTimeout = 50 * time.Millisecond }).Act(t.Context(), capture("https://"+l.Addr().String()), effect())
	want(t, r, ledger.OutcomeNotSent, ledger.CategoryNotSent, "connect_timeout")
	arrived(t, p, 0, 0)
}

var broken = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("no way to the resolver")
}}

// resolver answers every question with one address; with none it says that there is no such name.
func resolver(t *testing.T, address string) *net.Resolver {
	t.Helper()
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go serveDNS(theirs, net.ParseIP(address).To4())
		return ours, nil
	}}
}

// serveDNS speaks DNS over a stream: each message has its length in front.
func serveDNS(conn net.Conn, ip net.IP) {
	defer func() { _ = conn.Close() }()
	for {
		var length uint16
		if binary.Read(conn, binary.BigEndian, &length) != nil {
			return
		}
		text := make([]byte, length)
		var m dnsmessage.Message
		if _, err := io.ReadFull(conn, text); err != nil || m.Unpack(text) != nil {
			return
		}
		m.Response, m.Additionals = true, nil
		if ip == nil {
			m.RCode = dnsmessage.RCodeNameError
		} else if m.Questions[0].Type == dnsmessage.TypeA {
			m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Class: dnsmessage.ClassINET, TTL: 1},
				Body: &dnsmessage.AResource{A: [4]byte(ip)}}}
		}
		packed, err := m.Pack()
		if err != nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(packed))), packed...)); err != nil {
			return
		}
	}
}
