package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
)

// protocols are what the port speaks, by our preference. gRPC clients offer h2 alone; whoever offers both is a JSON caller,
// and is served by HTTP/1.1, since an HTTP/2 connection goes to the gRPC server.
var protocols = []string{"http/1.1", "h2"}

// withTLS puts TLS in front of a listener where a certificate is given.
func withTLS(l net.Listener, certificate, key string) (net.Listener, error) {
	if certificate == "" && key == "" {
		return l, nil
	}
	if certificate == "" || key == "" {
		return nil, &usageError{errors.New("--tls-cert and --tls-key belong together: give both or neither")}
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return tls.NewListener(l, &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: protocols,
	}), nil
}
