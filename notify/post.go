package notify

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
)

// The bounds of one try.
const (
	// DefaultTimeout is a whole try's; the specification recommends 15 to 30 seconds.
	DefaultTimeout  = 15 * time.Second
	connectTimeout  = 5 * time.Second
	idleConnection  = 30 * time.Second
	maxHeaderBytes  = 16 << 10
	connectionsKept = 2 // of one receiver, while nothing is sent
)

// userAgent names the sender.
const userAgent = "opledger-notify/1"

// poster sends deliveries.
type poster struct {
	rules  *Rules
	client *http.Client
}

// newPoster makes a poster that follows no redirect, goes through no proxy (which would resolve names by itself) and
// connects to allowed addresses alone. Roots are the certificate authorities; nil: the system's.
func newPoster(rules *Rules, timeout time.Duration, roots *x509.CertPool) *poster {
	transport := &http.Transport{
		DialContext: rules.dialer().DialContext, TLSHandshakeTimeout: connectTimeout, ForceAttemptHTTP2: true,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		MaxResponseHeaderBytes: maxHeaderBytes, IdleConnTimeout: idleConnection, MaxIdleConnsPerHost: connectionsKept, DisableCompression: true,
	}
	return &poster{rules: rules, client: &http.Client{
		Transport: transport, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// post makes one try. The answer's body is not read: nothing hangs on it, and it could be without end.
func (p *poster) post(ctx context.Context, terms *Terms, m *Message, at time.Time) ledger.DeliveryResult {
	failed := func(fault string) ledger.DeliveryResult {
		return ledger.DeliveryResult{Outcome: ledger.DeliveryFailed, Fault: fault}
	}
	if err := p.rules.checkURL(terms.URL); err != nil { // the operator may have changed what is allowed
		return failed(err.Error())
	}
	keys, err := p.keys(m.Namespace, terms)
	if err != nil {
		return failed(err.Error())
	}
	body := m.Body()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, terms.URL, bytes.NewReader(body))
	if err != nil {
		return failed("the address is no URL that can be sent to")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", userAgent)
	sign(req.Header, m.ID, at, body, keys...)
	res, err := p.client.Do(req)
	if err != nil {
		return failed(fault(err))
	}
	_ = res.Body.Close()
	return judge(res)
}

// keys are the keys that sign. The previous secret may be gone already; the present one may not.
func (p *poster) keys(ns ledger.Namespace, t *Terms) ([][]byte, error) {
	secrets := p.rules.Secrets.Of(string(ns))
	k, err := keyAt(&secrets, t.Secret)
	if err != nil {
		return nil, err
	}
	keys := [][]byte{k}
	if t.Previous != nil {
		if k, err := keyAt(&secrets, *t.Previous); err == nil {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// judge says what an answer means: 2xx is a success, 410 that the receiver wants no more, and anything else a failure
// (the specification's "Delivery success and failure").
func judge(res *http.Response) ledger.DeliveryResult {
	r := ledger.DeliveryResult{Outcome: ledger.DeliveryFailed, Status: res.StatusCode}
	switch code := res.StatusCode; {
	case code/100 == 2:
		r.Outcome = ledger.DeliveryDone
	case code == http.StatusGone:
		r.Outcome, r.Fault = ledger.DeliveryRefused, "the receiver wants no more (410)"
	case code/100 == 3:
		r.Fault = fmt.Sprintf("the receiver answered with a redirect (%d), which is not followed", code)
	default:
		r.Fault = fmt.Sprintf("the receiver answered %d", code)
	}
	if seconds, err := strconv.ParseInt(res.Header.Get("Retry-After"), 10, 32); err == nil && seconds > 0 {
		r.RetryAfter = time.Duration(seconds) * time.Second
	}
	return r
}

// fault says why no answer came, without the address: its path may be a secret of the receiver's.
func fault(err error) string {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var network net.Error
	switch {
	case errors.Is(err, outward.ErrAddress):
		return outward.ErrAddress.Error()
	case errors.As(err, &dns):
		return "the receiver's name is not resolved"
	case errors.As(err, &certificate):
		return "the receiver's certificate is not valid for its name"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the receiver refuses connections"
	case errors.As(err, &network) && network.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "the receiver did not answer in time"
	}
	return "the receiver gave no answer"
}
