package callers

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

func from(addr net.Addr, headers ...string) context.Context {
	ctx := peer.NewContext(context.Background(), &peer.Peer{Addr: addr})
	return metadata.NewIncomingContext(ctx, metadata.Pairs(headers...))
}

var loopback = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4711}

// textAddr is an address as gRPC takes it from an HTTP request.
type textAddr string

func (a textAddr) Network() string { return "tcp" }
func (a textAddr) String() string  { return string(a) }

func TestWhoRunsOnThisMachineIsLocal(t *testing.T) {
	for _, addr := range []net.Addr{loopback, textAddr("127.0.0.1:80"), textAddr("[::1]:80"), textAddr("[::ffff:127.0.0.1]:80"), &net.TCPAddr{IP: net.IPv6loopback}, &net.UnixAddr{Name: "/tmp/x"}} {
		c, err := Local{}.Authenticate(from(addr, "user-agent", "grpc-go"))
		if err != nil || c.Namespace != "default" || c.Principal != "local" || !c.Local || c.Person != "local" {
			t.Errorf("%v: got %+v, %v", addr, c, err)
		}
		for _, role := range Roles {
			if !c.May(role) {
				t.Errorf("%v: local may not %s", addr, role)
			}
		}
	}
}

func TestWhatComesFromElsewhereIsNotLocal(t *testing.T) {
	cases := map[string]context.Context{
		"another machine": from(&net.TCPAddr{IP: net.IPv4(192, 0, 2, 7)}),
		"every address":   from(&net.TCPAddr{IP: net.IPv4zero}),
		"other, as text":  from(textAddr("192.0.2.7:80")),
		"no address":      from(textAddr("")),
		"no peer":         context.Background(),
		"a token":         from(loopback, "authorization", "Bearer opl_x"),
	}
	for _, header := range forwarded {
		cases[header] = from(loopback, header, "203.0.113.9")
	}
	cases["upper case"] = from(loopback, "X-Forwarded-For", "203.0.113.9")
	for name, ctx := range cases {
		c, err := Local{}.Authenticate(ctx)
		var refused *UnauthenticatedError
		if !errors.As(err, &refused) || len(c.Roles) > 0 {
			t.Errorf("%s: got %+v, %v", name, c, err)
		}
	}
}

func TestForwardedRequestsWithATokenAreLetIn(t *testing.T) {
	token := tokenOf(t, 1)
	f, err := OpenFile(write(t, HashToken(token)+" namespace=shop principal=a roles=read"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Authenticate(from(loopback, "x-forwarded-for", "203.0.113.9", "authorization", "Bearer "+token)); err != nil {
		t.Error(err)
	}
}

func TestWithoutCredentialsOnlyLoopbackIsListenedOn(t *testing.T) {
	for _, addr := range []net.Addr{&net.TCPAddr{IP: net.IPv4zero, Port: 7117}, &net.TCPAddr{IP: net.IPv6unspecified}, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7)}} {
		if err := CheckListener(addr, false); err == nil || !strings.Contains(err.Error(), "opledger tokens new") {
			t.Errorf("%v: got %v", addr, err)
		}
		if err := CheckListener(addr, true); err != nil {
			t.Errorf("%v with credentials: %v", addr, err)
		}
	}
	if err := CheckListener(loopback, false); err != nil {
		t.Error(err)
	}
}
