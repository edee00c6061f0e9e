//go:build unix

package storm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
)

// books is the provider as a worker calls it.
type books struct {
	at     string
	client *http.Client
}

// answerTimeout is how long a worker waits for the provider. A provider that is frozen answers later, or never.
const answerTimeout = 4 * time.Second

// paths is where each tool's requests go. The provider heeds keys at "keyed" alone.
var paths = map[string]string{"storm.charge": "/keyed/charges", "storm.mail": "/plain/mails", "storm.revoke": "/plain/revocations"}

// errRefused is an answer that is none of the good ones.
var errRefused = errors.New("the provider")

// newBooks uses a connection for each request: one that is used again may be found dead, and Go's client then sends once
// more what bears an idempotency key. One permit is one request on the wire.
func newBooks(at string) books {
	return books{at: at, client: &http.Client{Timeout: answerTimeout, Transport: &http.Transport{DisableKeepAlives: true}}}
}

// write sends the one request of an attempt.
func (b books) write(tool, ref, key, reference string) (effectID string, replayed bool, err error) {
	body, err := json.Marshal(map[string]string{"client_reference": reference, "ref": ref})
	if err != nil {
		return "", false, err
	}
	request, err := http.NewRequest(http.MethodPost, b.at+paths[tool], bytes.NewReader(body))
	if err != nil {
		return "", false, err
	}
	request.GetBody = nil
	request.Header.Set(provider.BusinessKeyHeader, businessKey(tool, ref))
	if key != "" {
		request.Header.Set(provider.KeyHeader, key)
	}
	response, err := b.client.Do(request)
	if err != nil {
		return "", false, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode/100 != 2 {
		return "", false, fmt.Errorf("%w says %s", errRefused, response.Status)
	}
	var made provider.Object
	if err := json.NewDecoder(response.Body).Decode(&made); err != nil {
		return "", false, err
	}
	return made.ID, response.Header.Get(provider.ReplayedHeader) == "true", nil
}

// find looks an effect up by its client reference; nil: there is none.
func (b books) find(ctx context.Context, tool, reference string) (*eval.Effect, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.at+paths[tool]+"?client_reference="+url.QueryEscape(reference), nil)
	if err != nil {
		return nil, err
	}
	response, err := b.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w says %s", errRefused, response.Status)
	}
	var found struct{ Data []provider.Object }
	if err := json.NewDecoder(response.Body).Decode(&found); err != nil || len(found.Data) == 0 {
		return nil, err
	}
	o := found.Data[0]
	return &eval.Effect{ID: o.ID, VendorKey: o.VendorKey, Reference: o.ClientReference}, nil
}
