package ledger

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/opledger/opledger/registry"
)

// Derived keys are functions of namespace, key and revision alone, so that they can be made again without the row: after
// a lost tail the provider still recognizes the same effect.

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func derive(purpose string, ns Namespace, key IdempotencyKey, revision int64) string {
	h := sha256.New()
	for _, part := range []string{purpose, string(ns), string(key), strconv.FormatInt(revision, 10)} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part))) // parts keep their borders
		h.Write(length[:])
		h.Write([]byte(part))
	}
	return lowerBase32.EncodeToString(h.Sum(nil))
}

// MinVendorKeyLength keeps 96 bits of the hash, enough that two operations never share a vendor key by accident.
const MinVendorKeyLength = 24

// vendorKeySpace is the name space of vendor keys that are UUIDs.
var vendorKeySpace = [16]byte{0x6f, 0x70, 0x6c, 0x65, 0x64, 0x67, 0x65, 0x72, 0x8d, 0x1e, 0x4c, 0x2b, 0x97, 0x35, 0x0a, 0x61}

// VendorKeyOf is the provider's idempotency key of an operation, in the form that the provider takes: 52 characters (a-z,
// 2-7) after a prefix, a name-based UUID (RFC 9562, version 5, which providers that check for a UUID take), or 64
// hexadecimal digits. Text and digits are cut to the provider's length.
func VendorKeyOf(ns Namespace, key IdempotencyKey, revision int64, format registry.VendorKeyFormat, maxLength int) string {
	derived := derive("opledger-vendor-key/1", ns, key, revision)
	length := max(maxLength, MinVendorKeyLength)
	switch format {
	case registry.KeyUUID:
		return nameUUID(vendorKeySpace, derived)
	case registry.KeyHex:
		sum := sha256.Sum256([]byte(derived))
		return cut(hex.EncodeToString(sum[:]), length)
	}
	return cut("opk-"+derived, length)
}

// nameUUID is the version 5 UUID of a name.
func nameUUID(space [16]byte, name string) string {
	h := sha1.New()
	h.Write(space[:])
	h.Write([]byte(name))
	u := h.Sum(nil)[:16]
	u[6], u[8] = u[6]&0x0f|0x50, u[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// ClientReferenceOf is the reference that a caller stores with the provider, by which the effect is found again.
func ClientReferenceOf(ns Namespace, key IdempotencyKey, revision int64) string {
	return cut("opr-"+derive("opledger-client-reference/1", ns, key, revision), 36)
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// Ticket states when a lookup was allowed and how many attempts existed then. It carries no secret: an executor that
// would forge one could as well lie about what it found. It protects from honest clocks that disagree, since a question
// asked under it was asked after it was issued, by the database's time.
type Ticket struct {
	IssuedAt time.Time
	Attempts int64
}

const ticketPrefix = "lk1."

// String is the ticket's form on the wire: opaque to callers.
func (t Ticket) String() string {
	return ticketPrefix + strconv.FormatInt(t.IssuedAt.UnixMicro(), 36) + "." + strconv.FormatInt(t.Attempts, 36)
}

// ParseTicket reads a ticket back.
func ParseTicket(s string) (Ticket, bool) {
	rest, ok := strings.CutPrefix(s, ticketPrefix)
	if !ok {
		return Ticket{}, false
	}
	at, n, _ := strings.Cut(rest, ".") // a part that is missing is no number
	micros, err1 := strconv.ParseInt(at, 36, 64)
	attempts, err2 := strconv.ParseInt(n, 36, 64)
	if err1 != nil || err2 != nil || attempts < 0 {
		return Ticket{}, false
	}
	return Ticket{IssuedAt: time.UnixMicro(micros).UTC(), Attempts: attempts}, true
}
