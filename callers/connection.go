package callers

import (
	"context"
	"crypto/tls"
	"net"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
)

// NewTLSListener puts TLS in front of a listener, in such a way that MTLS finds the client's certificate in each call. The
// gRPC server is handed connections whose TLS has ended, so that it knows nothing of certificates; what it keeps of a
// connection, and gives to every call, is the remote address. Those of this listener can tell the state of their TLS.
func NewTLSListener(l net.Listener, config *tls.Config) net.Listener {
	return &tlsListener{tls.NewListener(l, config)}
}

type tlsListener struct{ net.Listener }

func (l *tlsListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &tlsConn{c.(*tls.Conn)}, nil
}

type tlsConn struct{ *tls.Conn }

// RemoteAddr is the client's address, with the state of its TLS.
func (c *tlsConn) RemoteAddr() net.Addr { return tlsAddr{c.Conn.RemoteAddr(), c.Conn} }

type tlsAddr struct {
	net.Addr
	conn *tls.Conn
}

func (a tlsAddr) ConnectionState() tls.ConnectionState { return a.conn.ConnectionState() }

// tlsOf finds the state of the TLS under a call: from gRPC's own credentials, or from a connection of NewTLSListener.
func tlsOf(ctx context.Context) (tls.ConnectionState, bool) {
	p, known := peer.FromContext(ctx)
	if !known {
		return tls.ConnectionState{}, false
	}
	if info, ok := p.AuthInfo.(credentials.TLSInfo); ok {
		return info.State, true
	}
	if addr, ok := p.Addr.(interface{ ConnectionState() tls.ConnectionState }); ok {
		return addr.ConnectionState(), true
	}
	return tls.ConnectionState{}, false
}
