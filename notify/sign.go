package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of the Standard Webhooks specification, "Webhook headers"
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
const (
	headerID        = "webhook-id"
	headerTimestamp = "webhook-timestamp"
	headerSignature = "webhook-signature"
)

// secretPrefix marks a secret that is written in base64, as that specification serializes it.
const secretPrefix = "whsec_"

// minKeyBytes is the shortest key that the specification allows.
const minKeyBytes = 24

// key is the key that a secret's text stands for. It has no String method and is never printed.
func key(secret []byte) ([]byte, error) {
	k := secret
	if text, marked := strings.CutPrefix(string(secret), secretPrefix); marked {
		var err error
		if k, err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, errors.New("begins with " + secretPrefix + " and does not go on in base64")
		}
	}
	if len(k) < minKeyBytes {
		return nil, fmt.Errorf("is shorter than %d bytes", minKeyBytes)
	}
	return k, nil
}

// sign sets the headers that prove who sent a body, by each of the keys: HMAC-SHA256 over the id, the time and the body,
// joined by full stops. The time is that of the try, so that a receiver can refuse what somebody kept and sends later.
func sign(h http.Header, id string, at time.Time, body []byte, keys ...[]byte) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	var signatures []string
	for _, k := range keys {
		mac := hmac.New(sha256.New, k)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	h.Set(headerID, id)
	h.Set(headerTimestamp, timestamp)
	h.Set(headerSignature, strings.Join(signatures, " "))
}
