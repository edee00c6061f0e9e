package callers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const workload = "spiffe://prod.example/ns/shop/sa/checkout"

// asking is a gRPC server that answers everybody whom the judge lets in, and says who it was.
type asking struct {
	healthpb.UnimplementedHealthServer
	judge   Authenticator
	address string
	last    Caller
	refused error
}

func (a *asking) Check(ctx context.Context, _ *healthpb.HealthCheckRequest) (*healthpb.HealthCheckResponse, error) {
	if a.last, a.refused = a.judge.Authenticate(ctx); a.refused != nil {
		return nil, status.Error(codes.Unauthenticated, a.refused.Error())
	}
	return &healthpb.HealthCheckResponse{}, nil
}

// serveTLS serves on a real connection. Where byGRPC is set gRPC itself ends the TLS, else the listener does.
func serveTLS(t *testing.T, judge Authenticator, config *tls.Config, byGRPC bool) *asking {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a := &asking{judge: judge, address: l.Addr().String()}
	var options []grpc.ServerOption
	if byGRPC {
		options = append(options, grpc.Creds(credentials.NewTLS(config)))
	} else {
		l = NewTLSListener(l, config)
	}
	s := grpc.NewServer(options...)
	healthpb.RegisterHealthServer(s, a)
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	return a
}

// call makes one call over a connection of its own.
func (a *asking) call(t *testing.T, roots *x509.CertPool, certificate *tls.Certificate, headers ...string) (Caller, error) {
	t.Helper()
	config := &tls.Config{RootCAs: roots}
	if certificate != nil {
		// Whatever CAs the server names, this one is shown.
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return certificate, nil }
	}
	conn, err := grpc.NewClient("passthrough:///"+a.address, grpc.WithTransportCredentials(credentials.NewTLS(config)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	a.last, a.refused = Caller{}, nil
	ctx := metadata.NewOutgoingContext(t.Context(), metadata.Pairs(headers...))
	_, err = healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{})
	if a.refused != nil {
		return a.last, a.refused
	}
	return a.last, err
}

func TestTheHolderOfACertificateIsWhoItsLineSays(t *testing.T) {
	ca := newAuthority(t)
	m, err := OpenCertificates(write(t,
		"# workloads", workload+" namespace=shop roles=propose,execute,read tools=payment.*",
		"cn:billing namespace=shop principal=invoices roles=webhook",
		"cn:ann namespace=shop roles=approve person=ann@example.com"))
	if err != nil || m.Count() != 3 {
		t.Fatal(m, err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{*ca.named(t, "server")}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: ca.pool(), NextProtos: []string{"h2"}}
	for _, byGRPC := range []bool{false, true} {
		a := serveTLS(t, m, config, byGRPC)
		c, err := a.call(t, ca.pool(), ca.named(t, "billing", workload)) // the SPIFFE id counts, not the name beside it
		if err != nil || c.Namespace != "shop" || string(c.Principal) != workload || !c.May(Propose) || !c.MayTool("payment.x") || c.MayTool("order.x") {
			t.Errorf("SPIFFE: got %+v, %v", c, err)
		}
		if c, err := a.call(t, ca.pool(), ca.named(t, "billing")); err != nil || c.Principal != "invoices" || !c.May(Webhook) {
			t.Errorf("common name: got %+v, %v", c, err)
		}
		if c, err := a.call(t, ca.pool(), ca.named(t, "ann")); err != nil || c.Principal != "ann" || c.Person != "ann@example.com" {
			t.Errorf("a person: got %+v, %v", c, err)
		}
		for name, certificate := range map[string]*tls.Certificate{
			"nobody": nil, "a stranger's": newAuthority(t).named(t, "billing", workload),
			"expired": ca.issue(t, func(c *x509.Certificate) { c.Subject.CommonName, c.NotAfter = "billing", time.Now().Add(-time.Minute) }),
			"a server's own": ca.issue(t, func(c *x509.Certificate) {
				c.Subject.CommonName, c.ExtKeyUsage = "billing", []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
			}),
		} {
			if c, err := a.call(t, ca.pool(), certificate); status.Code(err) != codes.Unavailable || len(c.Roles) > 0 {
				t.Errorf("%s got past TLS: %+v, %v", name, c, err)
			}
		}
	}
}

func TestACertificateThatSaysTwoThingsSaysNothing(t *testing.T) {
	ca := newAuthority(t)
	m, err := OpenCertificates(write(t, workload+" namespace=shop roles=read", "cn:billing namespace=shop roles=read"))
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{*ca.named(t, "server")}, ClientAuth: tls.RequestClientCert, ClientCAs: ca.pool(), NextProtos: []string{"h2"}}
	unverified := serveTLS(t, m, config, false)
	verifying := config.Clone()
	verifying.ClientAuth = tls.VerifyClientCertIfGiven
	a := serveTLS(t, m, verifying, false)

	twoNames := ca.issue(t, func(c *x509.Certificate) {
		c.Subject.ExtraNames = []pkix.AttributeTypeAndValue{{Type: commonName, Value: "billing"}, {Type: commonName, Value: "admin"}}
	})
	for name, c := range map[string]struct {
		server      *asking
		certificate *tls.Certificate
		fault       Fault
	}{
		"no certificate":                      {a, nil, FaultNoCredential},
		"not verified":                        {unverified, ca.named(t, "billing"), FaultUnverifiedCertificate},
		"a stranger's, not verified":          {unverified, newAuthority(t).named(t, "", workload), FaultUnverifiedCertificate},
		"two URIs":                            {a, ca.named(t, "billing", workload, "spiffe://prod.example/admin"), FaultAmbiguousCertificate},
		"the same URI twice":                  {a, ca.named(t, "billing", workload, workload), FaultAmbiguousCertificate},
		"another URI":                         {a, ca.named(t, "billing", "https://prod.example/ns/shop"), FaultAmbiguousCertificate},
		"a trust domain alone":                {a, ca.named(t, "billing", "spiffe://prod.example"), FaultAmbiguousCertificate},
		"a port":                              {a, ca.named(t, "billing", "spiffe://prod.example:1/ns/shop/sa/checkout"), FaultAmbiguousCertificate},
		"a query":                             {a, ca.named(t, "billing", workload+"?x"), FaultAmbiguousCertificate},
		"two common names":                    {a, twoNames, FaultAmbiguousCertificate},
		"no name at all":                      {a, ca.named(t, ""), FaultAmbiguousCertificate},
		"a CA's":                              {a, ca.issue(t, func(c *x509.Certificate) { c.URIs, c.IsCA, c.BasicConstraintsValid = uris(t, workload), true, true }), FaultAmbiguousCertificate},
		"another workload":                    {a, ca.named(t, "billing", workload+"2"), FaultUnknownCertificate},
		"a common name that looks like an id": {a, ca.named(t, workload), FaultUnknownCertificate},
		"another common name":                 {a, ca.named(t, "Billing"), FaultUnknownCertificate},
	} {
		got, err := c.server.call(t, ca.pool(), c.certificate)
		var refused *UnauthenticatedError
		if !errors.As(err, &refused) || refused.Fault != c.fault || len(got.Roles) > 0 {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestTheFileOfCertificatesIsRead(t *testing.T) {
	for line, says := range map[string]string{
		"spiffe://prod.example namespace=shop roles=read":             "spiffe://TRUST-DOMAIN/PATH",
		"spiffe://Prod.example/x namespace=shop roles=read":           "spiffe://TRUST-DOMAIN/PATH",
		"spiffe://prod.example/../x namespace=shop roles=read":        "spiffe://TRUST-DOMAIN/PATH",
		"cn: namespace=shop roles=read":                               "begins with a certificate's name",
		HashToken("x") + " namespace=shop principal=a roles=read":     "begins with a certificate's name",
		"cn:a,b namespace=shop roles=read":                            "principal",
		"cn:a namespace=shop roles=propose,approve person=a":          ReasonRolesNotApart,
		"cn:a namespace=shop roles=approve":                           "person=",
		"cn:a namespace=shop roles=read\ncn:a namespace=x roles=read": "line 1",
		"# nobody": "lists no certificate",
	} {
		if _, err := OpenCertificates(write(t, line)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", line, err)
		}
	}
}
