package callers

import (
	"context"
	"strings"
)

// MTLS lets in the holders of client certificates that a file lists, one a line:
//
//	spiffe://prod.example/ns/shop/sa/checkout namespace=shop roles=propose,execute,read
//	cn:billing namespace=shop principal=billing roles=webhook
//
// The certificates themselves are verified by TLS, against the CAs that the server was given. A line that names no
// principal means the certificate's name: the SPIFFE id, or the common name.
type MTLS struct{ reloaded[map[string]Caller] }

var _ Authenticator = (*MTLS)(nil)

// OpenCertificates reads the file. Every fault of it is an error that names the line.
func OpenCertificates(path string) (*MTLS, error) {
	m := &MTLS{reloaded[map[string]Caller]{path: path, parse: parseCertificates, private: true}}
	if err := m.Reload(); err != nil {
		return nil, err
	}
	return m, nil
}

// Count is the number of certificates' names.
func (m *MTLS) Count() int { return len(m.content()) }

// Authenticate finds the holder of the certificate under the call. The file is looked at in every call, so that a line
// taken out ends also what goes on over a connection that is open.
func (m *MTLS) Authenticate(ctx context.Context) (Caller, error) {
	certificate, err := certificateOf(ctx)
	if err != nil {
		return Caller{}, err
	}
	if certificate == nil {
		return Caller{}, refuse(FaultNoCredential, "this server lets in the holders of client certificates only: connect with one")
	}
	name, err := certificateName(certificate)
	if err != nil {
		return Caller{}, err
	}
	if caller, known := m.content()[name]; known {
		return caller, nil
	}
	return Caller{}, refuse(FaultUnknownCertificate, "the client certificate is not known to this server; have its name added to the file of certificates")
}

func parseCertificates(path string, data []byte) (map[string]Caller, error) {
	entries, err := parseLines(path, data, lineForm[string]{
		subject:   parseCertificateName,
		principal: func(name string) string { return strings.TrimPrefix(name, commonNamePrefix) },
		empty:     "lists no certificate, so that nobody would be let in by one; a line is \"spiffe://TRUST-DOMAIN/PATH namespace=... roles=...\"",
	})
	if err != nil {
		return nil, err
	}
	known := make(map[string]Caller, len(entries))
	for _, e := range entries {
		known[e.subject] = e.caller
	}
	return known, nil
}
