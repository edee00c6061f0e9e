package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"

	"github.com/opledger/opledger/callers"
)

// protocols are what the port speaks, by our preference. gRPC clients offer h2 alone; whoever offers both is a JSON caller,
// and is served by HTTP/1.1, since an HTTP/2 connection goes to the gRPC server.
var protocols = []string{"http/1.1", "h2"}

// withTLS puts TLS in front of a listener where a certificate is given. Clients' certificates are verified against the CAs
// where some are let in by them.
func withTLS(l net.Listener, certificate, key string, clients *clientCertificates) (net.Listener, error) {
	if certificate == "" && key == "" {
		if clients != nil {
			return nil, usagef("--client-ca and --client-certs need TLS: give --tls-cert and --tls-key as well")
		}
		return l, nil
	}
	if certificate == "" || key == "" {
		return nil, usagef("--tls-cert and --tls-key belong together: give both or neither")
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: protocols}
	if clients != nil {
		config.ClientCAs, config.ClientAuth = clients.authorities, tls.VerifyClientCertIfGiven
		if clients.required {
			config.ClientAuth = tls.RequireAndVerifyClientCert
		}
	}
	return callers.NewTLSListener(l, config), nil
}

// clientCertificates says which clients' certificates count.
type clientCertificates struct {
	authorities *x509.CertPool
	required    bool // nobody is let in by anything else
}

// readAuthorities reads the certificates of a PEM file.
func readAuthorities(path string) (*x509.CertPool, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--client-ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("--client-ca: %s holds no certificate in PEM", path)
	}
	return pool, nil
}
