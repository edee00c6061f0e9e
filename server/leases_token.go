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

const leaseTokenPrefix = "oll1."

// lease is the token of a lease: which one it is, and a keyed hash that proves it. Whoever takes the lease over gets a
// lease of another id, so that an earlier token proves nothing any more.
func (t tokens) lease(ns ledger.Namespace, id string) string {
	return leaseTokenPrefix + id + "." + base64.RawURLEncoding.EncodeToString(t.leaseSum(ns, id))
}

func (t tokens) leaseSum(ns ledger.Namespace, id string) []byte {
	m := hmac.New(sha256.New, t.derive("opledger-lease-token/1"))
	for _, part := range []string{string(ns), id} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		m.Write(length[:])
		m.Write([]byte(part))
	}
	return m.Sum(nil)
}

// leaseProof reads a lease token and proves it in constant time. No token proves nothing and is no fault; one that this
// ledger never made is one.
func (s *Server) leaseProof(ns ledger.Namespace, token string) (*ledger.LeaseProof, error) {
	if token == "" {
		return nil, nil
	}
	rest, known := strings.CutPrefix(token, leaseTokenPrefix)
	id, _, whole := strings.Cut(rest, ".")
	if !known || !whole || subtle.ConstantTimeCompare([]byte(token), []byte(s.tokens.lease(ns, id))) != 1 {
		return nil, fail(codes.PermissionDenied, pb.ErrorReason_ERROR_REASON_LEASE_TOKEN_MISMATCH,
			"the lease token is none of this ledger's; use the one that AcquireEntityLease gave", nil)
	}
	return &ledger.LeaseProof{LeaseID: id, Proven: true}, nil
}
