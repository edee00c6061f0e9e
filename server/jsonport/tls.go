package jsonport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
)

// tlsState is what the remote address of an encrypted connection can tell. The TLS of a connection has ended before it
// comes here, so that the HTTP server takes it for one in the clear.
type tlsState interface{ ConnectionState() tls.ConnectionState }

type tlsKey struct{}

// keepTLS keeps for a connection's requests what is known of its TLS.
func keepTLS(ctx context.Context, c net.Conn) context.Context {
	if state, ok := c.RemoteAddr().(tlsState); ok {
		return context.WithValue(ctx, tlsKey{}, state)
	}
	return ctx
}

// encrypted hands it on with each request, from which the gRPC server takes the client's certificate.
func encrypted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if state, ok := r.Context().Value(tlsKey{}).(tlsState); ok {
			s := state.ConnectionState()
			r.TLS = &s
		}
		next.ServeHTTP(w, r)
	})
}
