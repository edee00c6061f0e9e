package callers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/asn1"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// How a certificate's name begins in the file of certificates.
const (
	spiffePrefix     = "spiffe://"
	commonNamePrefix = "cn:"
)

// spiffePattern is a SPIFFE id (SPIFFE-ID, section 2): a trust domain in lower case and a path without empty, "." or ".."
// segments, of which isSPIFFE looks after the last two.
var spiffePattern = regexp.MustCompile(`^spiffe://[a-z0-9._-]{1,255}(/[A-Za-z0-9._-]+)+$`)

func isSPIFFE(id string) bool {
	return len(id) <= 2048 && spiffePattern.MatchString(id) &&
		!slices.ContainsFunc(strings.Split(id, "/"), func(s string) bool { return s == "." || s == ".." })
}

// parseCertificateName reads the first word of a line of the file of certificates.
func parseCertificateName(word string) (string, error) {
	name, common := strings.CutPrefix(word, commonNamePrefix)
	if common && name != "" || isSPIFFE(word) {
		return word, nil
	}
	return "", fmt.Errorf("a line begins with a certificate's name: spiffe://TRUST-DOMAIN/PATH, or cn: and the common name of its subject")
}

// certificateOf is the client certificate under a call, or nil where the connection has none. A certificate that TLS did
// not verify is an error, whoever configured the listener.
func certificateOf(ctx context.Context) (*x509.Certificate, error) {
	state, encrypted := tlsOf(ctx)
	if !encrypted || len(state.PeerCertificates) == 0 {
		return nil, nil
	}
	if !verified(state) {
		return nil, refuse(FaultUnverifiedCertificate, "the client certificate was not verified, so that it lets nobody in")
	}
	return state.PeerCertificates[0], nil
}

func verified(state tls.ConnectionState) bool {
	return state.HandshakeComplete && slices.ContainsFunc(state.VerifiedChains, func(chain []*x509.Certificate) bool {
		return len(chain) > 0 && chain[0].Equal(state.PeerCertificates[0])
	})
}

// certificateName is how the file of certificates names a certificate: by its SPIFFE id where it has a URI, else by its
// common name. A certificate that could be read as two names has none: which of them counts would be a guess.
func certificateName(c *x509.Certificate) (string, error) {
	ambiguous := func(message string) (string, error) {
		return "", refuse(FaultAmbiguousCertificate, message)
	}
	switch len(c.URIs) {
	case 0:
	case 1:
		id := c.URIs[0].String()
		if !isSPIFFE(id) || c.IsCA { // X509-SVID, section 4.1: a leaf alone names a workload
			return ambiguous("the URI in the client certificate is no SPIFFE id of a workload")
		}
		return id, nil
	default:
		return ambiguous("the client certificate has more than one URI; a SPIFFE certificate has exactly one")
	}
	names := 0
	for _, attribute := range c.Subject.Names {
		if attribute.Type.Equal(commonName) {
			names++
		}
	}
	if names != 1 || c.Subject.CommonName == "" {
		return ambiguous("the client certificate has neither a SPIFFE id nor one common name")
	}
	return commonNamePrefix + c.Subject.CommonName, nil
}

var commonName = asn1.ObjectIdentifier{2, 5, 4, 3}
