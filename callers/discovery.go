package callers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

const (
	// fetchTimeout bounds one answer of an issuer, and so how long the first token under a new key may wait.
	fetchTimeout = 10 * time.Second
	// maxFetchBytes bounds one answer: a hundred keys with their certificates.
	maxFetchBytes = 1 << 20
	// configurationPath is where an issuer describes itself (OpenID Connect Discovery 1.0, section 4).
	configurationPath = "/.well-known/openid-configuration"
)

// unreachableError says that an issuer did not answer, or not now. Anything else that is wrong with one does not pass by
// itself.
type unreachableError struct{ err error }

func (e *unreachableError) Error() string { return e.err.Error() }
func (e *unreachableError) Unwrap() error { return e.err }

// discoverer asks an issuer for its keys.
type discoverer struct {
	issuer string
	client *http.Client
}

func newDiscoverer(issuer string, transport http.RoundTripper) (*discoverer, error) {
	if err := checkURL(issuer); err != nil {
		return nil, fmt.Errorf("the issuer %w", err)
	}
	return &discoverer{issuer: issuer, client: &http.Client{
		Transport: transport, Timeout: fetchTimeout,
		// An issuer is where it says that it is. Following it elsewhere would let a redirect choose whose keys count.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// checkURL admits https, and http on this machine: keys that came in the clear could be anybody's.
func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%q is no URL such as https://issuer.example", text)
	}
	address, err := netip.ParseAddr(u.Hostname())
	here := u.Hostname() == "localhost" || err == nil && address.IsLoopback()
	if u.Scheme == "https" || u.Scheme == "http" && here {
		return nil
	}
	return fmt.Errorf("%q has to be https (http only on loopback)", text)
}

// keys asks for the issuer's description and then for its keys.
func (d *discoverer) keys(ctx context.Context) (keySet, error) {
	var described struct {
		Issuer  string `json:"issuer"`
		JWKSURI string `json:"jwks_uri"`
	}
	at := strings.TrimSuffix(d.issuer, "/") + configurationPath
	data, err := d.get(ctx, at)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &described); err != nil {
		return nil, fmt.Errorf("%s is no JSON: %w", at, err)
	}
	if described.Issuer != d.issuer {
		return nil, fmt.Errorf("%s says that its issuer is %q and not %q: name the issuer letter for letter", at, described.Issuer, d.issuer)
	}
	if err := checkURL(described.JWKSURI); err != nil {
		return nil, fmt.Errorf("the jwks_uri of %s: %w", at, err)
	}
	if data, err = d.get(ctx, described.JWKSURI); err != nil {
		return nil, err
	}
	set, err := parseKeySet(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", described.JWKSURI, err)
	}
	return set, nil
}

func (d *discoverer) get(ctx context.Context, at string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	response, err := d.client.Do(request)
	if err != nil {
		return nil, &unreachableError{err}
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests:
		return nil, &unreachableError{fmt.Errorf("%s answers %s", at, response.Status)}
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answers %s", at, response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxFetchBytes+1))
	if err != nil {
		return nil, &unreachableError{err}
	}
	if len(data) > maxFetchBytes {
		return nil, fmt.Errorf("%s answers with more than %d bytes", at, maxFetchBytes)
	}
	return data, nil
}

// isUnreachable reports whether asking again later may help.
func isUnreachable(err error) bool {
	var unreachable *unreachableError
	return errors.As(err, &unreachable)
}
