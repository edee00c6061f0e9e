package adapter

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
	"syscall"

	"github.com/opledger/opledger/internal/outward"
)

// line is a connection of one exchange.
type line struct {
	net.Conn          // with TLS, where there is TLS
	raw      *counted // beneath
}

// counted counts the bytes that have left.
type counted struct {
	net.Conn
	written atomic.Int64
}

// Write counts what the operating system took. Whatever it took may arrive.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n))
	return n, err
}

// connect makes the connection. Addresses are checked as they are connected to, so that a name which stands for something
// else a moment later gains nothing. Nothing of the request has left when it fails.
func (c *Caller) connect(ctx context.Context, w *wire) (*line, *fault) {
	ctx, cancel := context.WithTimeout(ctx, c.config.ConnectTimeout)
	defer cancel()
	if !c.config.AllowPrivate && outward.CheckHost(w.name) != nil {
		return nil, &fault{code: CodeAddressRefused, message: outward.ErrAddress.Error()}
	}
	address := w.host
	if _, _, err := net.SplitHostPort(address); err != nil {
		port := "443"
		if !w.secure {
			port = "80"
		}
		address = net.JoinHostPort(w.name, port)
	}
	conn, err := c.dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, notConnected(err)
	}
	raw := &counted{Conn: conn}
	if !w.secure {
		return &line{raw, raw}, nil
	}
	// One protocol is offered: HTTP/2 shares a connection among requests, and a peer may ask for a request again.
	secured := tls.Client(raw, &tls.Config{
		ServerName: w.name, RootCAs: c.config.Roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
	})
	if err := secured.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, noHandshake(err)
	}
	return &line{secured, raw}, nil
}

// notConnected says why there is no connection, without the address.
func notConnected(err error) *fault {
	var dns *net.DNSError
	switch {
	case errors.Is(err, outward.ErrAddress):
		return &fault{code: CodeAddressRefused, message: outward.ErrAddress.Error()}
	case errors.As(err, &dns):
		return &fault{code: CodeDNS, message: "the host's name is not resolved"}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &fault{code: CodeConnectionRefused, message: "the host refuses connections"}
	case timedOut(err):
		return &fault{code: CodeConnectTimeout, message: "the host cannot be reached in time"}
	}
	return &fault{code: CodeConnect, message: "the host cannot be connected to"}
}

func noHandshake(err error) *fault {
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		return &fault{code: CodeTLS, message: "the host's certificate is not valid for its name"}
	case timedOut(err):
		return &fault{code: CodeConnectTimeout, message: "the TLS handshake did not end in time"}
	}
	return &fault{code: CodeTLS, message: "the TLS handshake failed"}
}

func timedOut(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout() || errors.Is(err, context.DeadlineExceeded)
}
