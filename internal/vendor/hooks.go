package vendor

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Delivery is a webhook that the provider is to send, signed as Standard Webhooks has it
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
type Delivery struct {
	URL     string          `json:"url"`
	Secret  []byte          `json:"secret"`
	EventID string          `json:"event_id"`
	Type    string          `json:"type"`
	Object  json.RawMessage `json:"object"`
	// At is the time that the provider signs; zero: now.
	At time.Time `json:"at"`
}

// Body is the event as it is sent.
func (d *Delivery) Body() []byte {
	body, err := json.Marshal(map[string]any{"id": d.EventID, "type": d.Type, "data": map[string]any{"object": d.Object}})
	if err != nil {
		panic(err)
	}
	return body
}

// hooks sends webhooks.
type hooks struct{ client http.Client }

func (h *hooks) send(ctx context.Context, d Delivery) (status int, err error) {
	body := d.Body()
	if d.At.IsZero() {
		d.At = time.Now()
	}
	stamp := strconv.FormatInt(d.At.Unix(), 10)
	mac := hmac.New(sha256.New, d.Secret)
	mac.Write([]byte(d.EventID + "." + stamp + "."))
	mac.Write(body)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("webhook-id", d.EventID)
	req.Header.Set("webhook-timestamp", stamp)
	req.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	res, err := h.client.Do(req)
	if err != nil {
		return 0, err
	}
	_ = res.Body.Close()
	return res.StatusCode, nil
}
