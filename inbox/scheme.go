package inbox

import (
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"strings"
	"time"
)

// DefaultTolerance is how far a signed timestamp may be from now: what Standard Webhooks, Stripe and Slack recommend.
const DefaultTolerance = 5 * time.Minute

// Proof is what a right signature proves.
type Proof struct {
	// SignedAt is the time that the signature covers; zero: its scheme covers none, so that an old delivery can be sent
	// again by whoever kept it.
	SignedAt time.Time
	// ID is the delivery's id, where the signature covers it; else empty.
	ID string
}

// scheme is one way in which deliveries are signed.
type scheme interface {
	// key makes a key of a secret's text.
	key(secret []byte) ([]byte, error)
	// prove checks a delivery by each of the keys. Every comparison takes the same time, whatever it compares.
	prove(d *Delivery, keys [][]byte) (Proof, error)
	// sign makes the headers of a delivery, for trials of a source.
	sign(d *Delivery, key []byte, id string, at time.Time) (map[string]string, error)
	// signsTime reports whether the signature covers a time.
	signsTime() bool
}

// Fresh checks a proof's time against now, on either side.
func (p Proof) Fresh(now time.Time, tolerance time.Duration) error {
	if p.SignedAt.IsZero() {
		return nil
	}
	if off := now.Sub(p.SignedAt); off > tolerance || off < -tolerance {
		return unsigned("its timestamp is %s off, and %s are tolerated", off.Round(time.Second), tolerance)
	}
	return nil
}

// textKey is the key of schemes that take a secret as it is written.
type textKey struct{}

// errShortKey refuses a secret that could be guessed.
var errShortKey = errors.New("is shorter than 8 bytes")

func (textKey) key(secret []byte) ([]byte, error) {
	if len(secret) < 8 {
		return nil, errShortKey
	}
	return secret, nil
}

// mac is the HMAC of texts that are signed together.
func mac(of func() hash.Hash, key []byte, parts ...[]byte) []byte {
	h := hmac.New(of, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// matches reports whether one of the signatures is one of the keys'. All are compared: which one fits is not told by the
// time that it takes.
func matches(of func() hash.Hash, keys, signatures [][]byte, parts ...[]byte) bool {
	found := false
	for _, key := range keys {
		want := mac(of, key, parts...)
		for _, s := range signatures {
			if hmac.Equal(want, s) {
				found = true
			}
		}
	}
	return found
}

// maxSignatures bounds the signatures of one header. During a rotation there are two.
const maxSignatures = 16

// standardKey is a secret of Standard Webhooks: "whsec_" and base64, or as it is written.
func standardKey(secret []byte) ([]byte, error) {
	text, marked := strings.CutPrefix(string(secret), "whsec_")
	if !marked {
		return textKey{}.key(secret)
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("begins with whsec_ and does not go on in base64")
	}
	if len(key) < 24 { // the specification's least
		return nil, fmt.Errorf("has %d bytes after whsec_, and 24 are the least", len(key))
	}
	return key, nil
}
