package server

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/opledger/opledger/ledger"
)

// identities makes what a command must have chosen before its first try. Its randomness is injected, so that tests are
// deterministic.
type identities struct{ random io.Reader }

var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// fresh is 128 random bits in 26 characters. Identifiers do not grow with time: on a distributed database a rising key
// makes one hot range.
func (i identities) fresh(prefix string) string {
	var b [16]byte
	i.read(b[:])
	return prefix + idEncoding.EncodeToString(b[:])
}

func (i identities) read(b []byte) {
	random := i.random
	if random == nil {
		random = rand.Reader
	}
	if _, err := io.ReadFull(random, b); err != nil {
		panic(fmt.Sprintf("no randomness: %v", err)) // crypto/rand does not fail on supported systems
	}
}

func (i identities) operation() ledger.OperationID { return ledger.OperationID(i.fresh("op_")) }
func (i identities) attempt() ledger.AttemptID     { return ledger.AttemptID(i.fresh("att_")) }
func (i identities) decision() ledger.DecisionID   { return ledger.DecisionID(i.fresh("dec_")) }

// evidence is a random UUID (RFC 9562, version 4).
func (i identities) evidence() ledger.EvidenceID {
	var b [16]byte
	i.read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return ledger.EvidenceID(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
}

// jitter is a random number in [0, 1).
func (i identities) jitter() float64 {
	var b [8]byte
	i.read(b[:])
	return float64(binary.BigEndian.Uint64(b[:])>>11) / (1 << 53)
}

// tokens makes attempt tokens and knows them again. A token is a keyed hash of what it proves, so that every server can
// check it, nothing secret is stored with an operation, and a token stays authentic where its row was lost.
type tokens struct{ key []byte }

// derive gives a key of one purpose, so that no value made for one purpose ever means something for another.
func (t tokens) derive(purpose string) []byte {
	m := hmac.New(sha256.New, t.key)
	m.Write([]byte(purpose))
	return m.Sum(nil)
}

// requestedID is the id of what a request makes: the same for its repeats, another for everybody else's, and nothing that
// could be guessed from the request.
func (t tokens) requestedID(prefix string, who call, request string) string {
	m := hmac.New(sha256.New, t.derive("opledger-requested-id/1"))
	for _, part := range []string{prefix, string(who.namespace()), string(who.Principal), request} {
		fmt.Fprintf(m, "%d:%s", len(part), part)
	}
	return prefix + idEncoding.EncodeToString(m.Sum(nil)[:16])
}

func (t tokens) sum(ns ledger.Namespace, op ledger.OperationID, attempt ledger.AttemptID) []byte {
	m := hmac.New(sha256.New, t.derive("opledger-attempt-token/1"))
	for _, part := range []string{string(ns), string(op), string(attempt)} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		m.Write(length[:])
		m.Write([]byte(part))
	}
	return m.Sum(nil)
}

const tokenPrefix = "olt1."

// attempt is the token of an attempt.
func (t tokens) attempt(ns ledger.Namespace, op ledger.OperationID, attempt ledger.AttemptID) string {
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(t.sum(ns, op, attempt))
}

// proves compares in constant time.
func (t tokens) proves(token string, ns ledger.Namespace, op ledger.OperationID, attempt ledger.AttemptID) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(t.attempt(ns, op, attempt))) == 1
}

// hasher makes the keyed hash by which a sensitive value takes part in identity. The hash is the same for equal values of
// one field in one namespace, and tells nothing without the key.
func (t tokens) hasher(ns ledger.Namespace) func(pointer string, canonical []byte) string {
	key := t.derive("opledger-sensitive/1")
	return func(pointer string, canonical []byte) string {
		m := hmac.New(sha256.New, key)
		fmt.Fprintf(m, "%d:%s%d:%s", len(ns), ns, len(pointer), pointer)
		m.Write(canonical)
		return "hmac-sha256:" + idEncoding.EncodeToString(m.Sum(nil))
	}
}
