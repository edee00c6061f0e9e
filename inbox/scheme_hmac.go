package inbox

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"
	"time"
)

// HMAC is a scheme by its parts, by which most vendors sign: one header with one signature over the body, and what stands
// before it.
type HMAC struct {
	Header   string // that carries the signature
	Hash     string // "sha256" (as if empty), "sha512" or "sha1"
	Encoding string // "hex" (as if empty) or "base64"
	Prefix   string // of the header's value, such as "sha256="
	// TimestampHeader carries a time in seconds, which the signature covers. Empty: it covers none.
	TimestampHeader string
	// Signed is what stands before the body in what is signed; {timestamp} and {url} are filled in.
	Signed string
	// URL is the address under which the vendor knows the endpoint, where it signs that. It is stated, not read from the
	// request: what stands in front of a server may change it.
	URL string
}

// What may stand in HMAC.Signed.
const (
	signedTimestamp = "{timestamp}"
	signedURL       = "{url}"
)

var hashes = map[string]func() hash.Hash{"": sha256.New, "sha256": sha256.New, "sha512": sha512.New, "sha1": sha1.New}

type encoding struct {
	encode func([]byte) string
	decode func(string) ([]byte, error)
}

var encodings = map[string]encoding{
	"":       {hex.EncodeToString, hex.DecodeString},
	"hex":    {hex.EncodeToString, hex.DecodeString},
	"base64": {base64.StdEncoding.EncodeToString, base64.StdEncoding.DecodeString},
}

// plainHMAC is the scheme that an HMAC describes.
type plainHMAC struct {
	textKey
	HMAC
}

func (s plainHMAC) signsTime() bool { return s.TimestampHeader != "" }

func (s plainHMAC) prove(d *Delivery, keys [][]byte) (Proof, error) {
	var proof Proof
	timestamp := ""
	if s.TimestampHeader != "" {
		var err error
		if timestamp, err = d.one(s.TimestampHeader); err != nil {
			return proof, err
		}
		if proof.SignedAt, err = seconds(timestamp); err != nil {
			return Proof{}, err
		}
	}
	header, err := d.one(s.Header)
	if err != nil {
		return Proof{}, err
	}
	text, begins := strings.CutPrefix(header, s.Prefix)
	signature, err := encodings[s.Encoding].decode(text)
	if !begins || err != nil || !matches(hashes[s.Hash], keys, [][]byte{signature}, s.before(timestamp), d.Body) {
		return Proof{}, unsigned("the signature in %s is not right", s.Header)
	}
	return proof, nil
}

// before is what stands before the body.
func (s plainHMAC) before(timestamp string) []byte {
	return []byte(strings.NewReplacer(signedTimestamp, timestamp, signedURL, s.URL).Replace(s.Signed))
}

func (s plainHMAC) sign(d *Delivery, key []byte, _ string, at time.Time) (map[string]string, error) {
	headers := map[string]string{}
	timestamp := strconv.FormatInt(at.Unix(), 10)
	if s.TimestampHeader != "" {
		headers[s.TimestampHeader] = timestamp
	}
	headers[s.Header] = s.Prefix + encodings[s.Encoding].encode(mac(hashes[s.Hash], key, s.before(timestamp), d.Body))
	return headers, nil
}

// unverified is the scheme of a source that signs nothing. Anybody who reaches the endpoint then speaks for the provider,
// so a server takes it only where its operator says so.
type unverified struct{ textKey }

func (unverified) signsTime() bool { return false }

func (unverified) prove(*Delivery, [][]byte) (Proof, error) { return Proof{}, nil }

func (unverified) sign(*Delivery, []byte, string, time.Time) (map[string]string, error) {
	return map[string]string{}, nil
}
