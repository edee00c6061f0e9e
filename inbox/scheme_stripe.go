package inbox

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// stripe is Stripe's scheme: one header with a timestamp and signatures, HMAC-SHA256 in hex over timestamp and body,
// joined by a full stop. Signatures of other versions than v1 count for nothing
// (https://docs.stripe.com/webhooks/signature#verify-manually).
type stripe struct{ textKey }

const stripeHeader = "Stripe-Signature"

func (stripe) signsTime() bool { return true }

func (stripe) prove(d *Delivery, keys [][]byte) (Proof, error) {
	header, err := d.one(stripeHeader)
	if err != nil {
		return Proof{}, err
	}
	var timestamp string
	var signatures [][]byte
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			if timestamp != "" {
				return Proof{}, unsigned("%s has two timestamps", stripeHeader)
			}
			timestamp = value
		case "v1":
			if signature, err := hex.DecodeString(value); err == nil && len(signatures) < maxSignatures {
				signatures = append(signatures, signature)
			}
		}
	}
	at, err := seconds(timestamp)
	if err != nil {
		return Proof{}, err
	}
	if !matches(sha256.New, keys, signatures, []byte(timestamp+"."), d.Body) {
		return Proof{}, unsigned("no signature v1 of %s is right", stripeHeader)
	}
	return Proof{SignedAt: at}, nil
}

func (stripe) sign(d *Delivery, key []byte, _ string, at time.Time) (map[string]string, error) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	return map[string]string{
		stripeHeader: "t=" + timestamp + ",v1=" + hex.EncodeToString(mac(sha256.New, key, []byte(timestamp+"."), d.Body)),
	}, nil
}
