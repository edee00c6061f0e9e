package inbox

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// standard is the scheme of the Standard Webhooks specification, by its own headers or by those of Svix, from which it
// comes: HMAC-SHA256 over id, timestamp and body, joined by full stops
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
type standard struct{ prefix string }

func (standard) signsTime() bool { return true }

func (standard) key(secret []byte) ([]byte, error) { return standardKey(secret) }

func (s standard) prove(d *Delivery, keys [][]byte) (Proof, error) {
	id, err := d.one(s.prefix + "-id")
	if err != nil {
		return Proof{}, err
	}
	timestamp, err := d.one(s.prefix + "-timestamp")
	if err != nil {
		return Proof{}, err
	}
	header, err := d.one(s.prefix + "-signature")
	if err != nil {
		return Proof{}, err
	}
	at, err := seconds(timestamp)
	if err != nil {
		return Proof{}, err
	}
	var signatures [][]byte
	for _, part := range strings.Fields(header) {
		text, symmetric := strings.CutPrefix(part, "v1,") // v1a is asymmetric, and what comes later is not known
		if signature, err := base64.StdEncoding.DecodeString(text); symmetric && err == nil && len(signatures) < maxSignatures {
			signatures = append(signatures, signature)
		}
	}
	if !matches(sha256.New, keys, signatures, []byte(id+"."+timestamp+"."), d.Body) {
		return Proof{}, unsigned("no signature of %s-signature is right", s.prefix)
	}
	return Proof{SignedAt: at, ID: id}, nil
}

func (s standard) sign(d *Delivery, key []byte, id string, at time.Time) (map[string]string, error) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signature := mac(sha256.New, key, []byte(id+"."+timestamp+"."), d.Body)
	return map[string]string{
		s.prefix + "-id": id, s.prefix + "-timestamp": timestamp,
		s.prefix + "-signature": "v1," + base64.StdEncoding.EncodeToString(signature),
	}, nil
}
