package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Client calls the provider as an agent's tool does: with a time-out, and never by itself a second time.
type Client struct {
	base string
	http *http.Client
}

// NewClient makes a client that waits for each answer at most for the time-out.
func NewClient(baseURL string, timeout time.Duration) *Client {
	// A connection of its own for each request: Go's transport sends a request again by itself when a reused
	// connection turns out to be dead, and here one call is one request on the wire.
	transport := &http.Transport{DisableKeepAlives: true}
	return &Client{base: baseURL, http: &http.Client{
		Timeout: timeout, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// StatusError is an answer that says no.
type StatusError struct {
	Status int
	Body   string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the provider answered %d: %s", e.Status, e.Body)
}

// Transfer moves money of t.Kind in t.Account, under t.IdempotencyKey where it is set. Replayed tells that the provider
// answered from its record of that key.
func (c *Client) Transfer(ctx context.Context, t Transfer) (made Transfer, replayed bool, err error) {
	header, err := c.do(ctx, http.MethodPost, transfersPath(t.Account, t.Kind), t.IdempotencyKey, t, &made)
	return made, header.Get(ReplayedHeader) == "true", err
}

// FindTransfers asks for the transfers of a kind that carry an idempotency key or, where that is empty, a client
// reference.
func (c *Client) FindTransfers(ctx context.Context, kind Kind, account, key, reference string) (found []Transfer, err error) {
	query := url.Values{"client_reference": {reference}}
	if key != "" {
		query = url.Values{"idempotency_key": {key}}
	}
	_, err = c.do(ctx, http.MethodGet, transfersPath(account, kind)+"?"+query.Encode(), "", nil, &found)
	return found, err
}

func transfersPath(account string, kind Kind) string {
	return "/v1/accounts/" + url.PathEscape(account) + "/" + collections[kind]
}

// Send sends a message.
func (c *Client) Send(ctx context.Context, message Email) (sent Email, err error) {
	_, err = c.do(ctx, http.MethodPost, "/v1/messages", "", message, &sent)
	return sent, err
}

// FindEmails asks the log for the messages that carry a client reference.
func (c *Client) FindEmails(ctx context.Context, reference string) (found []Email, err error) {
	_, err = c.do(ctx, http.MethodGet, "/v1/messages?"+url.Values{"client_reference": {reference}}.Encode(), "", nil, &found)
	return found, err
}

// AddContact enters a contact, under c.IdempotencyKey where it is set.
func (c *Client) AddContact(ctx context.Context, contact Contact) (made Contact, err error) {
	_, err = c.do(ctx, http.MethodPost, "/v1/contacts", contact.IdempotencyKey, contact, &made)
	return made, err
}

// ArchiveContact archives a contact, under a.IdempotencyKey where it is set.
func (c *Client) ArchiveContact(ctx context.Context, a Archiving) (made Archiving, err error) {
	_, err = c.do(ctx, http.MethodPost, "/v1/archivings", a.IdempotencyKey, a, &made)
	return made, err
}

// OpenTicket asks for a ticket. The provider always refuses.
func (c *Client) OpenTicket(ctx context.Context, t Ticket) error {
	_, err := c.do(ctx, http.MethodPost, "/v1/tickets", "", t, new(struct{}))
	return err
}

func (c *Client) do(ctx context.Context, method, path, key string, body, into any) (http.Header, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set(KeyHeader, key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return res.Header, err
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		return res.Header, &StatusError{Status: res.StatusCode, Body: string(bytes.TrimSpace(text))}
	}
	return res.Header, json.Unmarshal(text, into)
}
