package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"strings"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// leasePrefix begins every lease token: "oll1.<lease id>.<keyed hash>". Whoever takes a lease over gets a new lease of
// another id, so that the id is enough to tell holders apart.
const leasePrefix = "oll1."

// lease is the token of a lease.
func (t tokens) lease(ns ledger.Namespace, id string) string {
	m := hmac.New(sha256.New, t.derive("opledger-lease-token/1"))
	for _, part := range []string{string(ns), id} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		m.Write(length[:])
		m.Write([]byte(part))
	}
	return leasePrefix + id + "." + base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// leaseProof reads a token that a caller shows, comparing in constant time. One that this namespace's ledger has not made
// is refused here; what has become of a true one's lease is the ledger's to say.
func (s *Server) leaseProof(ns ledger.Namespace, token string) (*ledger.LeaseProof, error) {
	rest, ok := strings.CutPrefix(token, leasePrefix)
	id, _, parted := strings.Cut(rest, ".")
	if !ok || !parted || subtle.ConstantTimeCompare([]byte(token), []byte(s.tokens.lease(ns, id))) != 1 {
		return nil, fail(codes.PermissionDenied, pb.ErrorReason_ERROR_REASON_LEASE_TOKEN_MISMATCH,
			"the lease token is no lease's; use the one that AcquireEntityLease gave, unchanged", nil)
	}
	return &ledger.LeaseProof{LeaseID: id, Proven: true}, nil
}

// optionalProof is the proof of a token that may be left out; nil where it is.
func (s *Server) optionalProof(ns ledger.Namespace, token string) (*ledger.LeaseProof, error) {
	if token == "" {
		return nil, nil
	}
	return s.leaseProof(ns, token)
}
