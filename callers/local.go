package callers

import (
	"context"
	"net"
	"net/netip"
	"slices"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"github.com/opledger/opledger/ledger"
)

// The one namespace and the one principal of a server without credentials.
const (
	LocalNamespace ledger.Namespace = "default"
	LocalPrincipal ledger.Principal = "local"
)

// LocalCaller is the one caller of a server without credentials: it holds every right, and everything that it decides is
// the decision of one person.
func LocalCaller() Caller {
	return Caller{
		Namespace: LocalNamespace, Principal: LocalPrincipal, Person: string(LocalPrincipal),
		Roles: slices.Clone(Roles), Local: true,
	}
}

// Local lets in whoever runs on this machine, as LocalCaller. It is for a server that listens on loopback alone.
type Local struct{}

var _ Authenticator = Local{}

// forwarded are headers that a proxy adds. A request that bears one comes from elsewhere, although it arrives from
// loopback.
var forwarded = []string{
	"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-server",
	"x-forwarded-client-cert", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip",
	"fastly-client-ip", "x-envoy-external-address", "x-original-forwarded-for", "x-appengine-user-ip", "proxy-connection",
}

// Authenticate lets a request in where it was made on this machine, for nobody else.
func (Local) Authenticate(ctx context.Context) (Caller, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	for _, header := range forwarded {
		if len(md.Get(header)) > 0 {
			return Caller{}, refuse(FaultNotLocal, "the request came through a proxy (header "+header+"), and this server has no credentials to tell its callers apart: start it with --tokens")
		}
	}
	if p, known := peer.FromContext(ctx); !known || !IsLoopback(p.Addr) {
		return Caller{}, refuse(FaultNotLocal, "the request comes from another machine, and this server has no credentials to tell its callers apart: start it with --tokens")
	}
	if len(md.Get("authorization")) > 0 {
		return Caller{}, refuse(FaultWrongKind, "this server was started without --tokens and the like, so that a token means nothing to it: leave the token out (unset OPLEDGER_TOKEN), or start the server with --tokens")
	}
	return LocalCaller(), nil
}

// IsLoopback reports whether an address cannot be reached from another machine, or comes from none. Calls that came as
// JSON have an address that is text only.
func IsLoopback(addr net.Addr) bool {
	switch a := addr.(type) {
	case nil:
		return false
	case *net.TCPAddr:
		return a.IP.IsLoopback()
	case *net.UnixAddr:
		return true
	}
	parsed, err := netip.ParseAddrPort(addr.String())
	return err == nil && parsed.Addr().Unmap().IsLoopback()
}
