package provider

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Target is where webhooks go, and what they are signed with. A URL that is empty names no place.
type Target struct {
	URL    string `json:"url,omitempty"`
	Secret []byte `json:"secret,omitempty"`
}

// Times of a delivery.
const (
	deliveryTimeout = 10 * time.Second
	deliverAgain    = 500 * time.Millisecond // from a delivery that failed to the next try
)

// Event is the body of a delivery.
func (d Delivery) Event() []byte {
	body, err := json.Marshal(map[string]any{
		"id": d.ID, "type": d.Type, "timestamp": d.Occurred, "data": map[string]any{"object": map[string]any{
			"id": d.ObjectID, "status": d.Status, "client_reference": d.ClientReference, "idempotency_key": d.VendorKey,
		}},
	})
	if err != nil {
		panic(err) // it is all text
	}
	return body
}

// deliver sends the webhooks that are due. One that is not taken stays due, as the specification of Standard Webhooks asks
// ("Deliverability and reliability"); one that was taken right before this process ends comes again.
func (s *service) deliver(ctx context.Context) {
	s.mu.Lock()
	target := s.target
	s.mu.Unlock()
	if target.URL == "" {
		return
	}
	for _, d := range s.provider.dueWebhooks() {
		if target.send(ctx, d, s.settings.Clock()) == nil {
			s.provider.delivered(d)
			s.touch()
		}
	}
}

// next is when something happens by itself: a late commit, or a delivery, if there is a place for it. What should have been
// delivered by now is tried again a little later.
func (s *service) next() (at time.Time, some bool) {
	commit, hook := s.provider.upcoming()
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.settings.Clock(); s.target.URL == "" {
		hook = time.Time{}
	} else if !hook.IsZero() && !hook.After(now) {
		hook = now.Add(deliverAgain)
	}
	at = earlier(commit, hook)
	return at, !at.IsZero()
}

// send makes one delivery, signed as Standard Webhooks has it: HMAC-SHA256 over id, time and body, joined by full stops
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
func (t Target) send(ctx context.Context, d Delivery, now time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	body := d.Event()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	timestamp := strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, t.Secret)
	mac.Write([]byte(d.ID + "." + timestamp + "."))
	mac.Write(body)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("webhook-id", d.ID)
	req.Header.Set("webhook-timestamp", timestamp)
	req.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook was met with %s", res.Status)
	}
	return nil
}
