package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/opledger/opledger/eval"
)

// Control steers a provider in another process, and reads its count.
type Control struct {
	// URL is the provider's, "http://127.0.0.1:8080".
	URL string
}

// Plan says what is to befall the next requests for a business key.
func (c Control) Plan(ctx context.Context, businessKey string, faults ...eval.Fault) error {
	return c.call(ctx, http.MethodPost, "/control/plan", Plan{BusinessKey: businessKey, Faults: faults}, nil)
}

// DeliverTo says where webhooks go from now on. A process that is started again goes by its settings.
func (c Control) DeliverTo(ctx context.Context, t Target) error {
	return c.call(ctx, http.MethodPost, "/control/webhooks", t, nil)
}

// Counts gives the provider's figures.
func (c Control) Counts(ctx context.Context) (counts Counts, err error) {
	return counts, c.call(ctx, http.MethodGet, "/control/counts", nil, &counts)
}

// Effects lists what was really done under a business key.
func (c Control) Effects(ctx context.Context, businessKey string) ([]eval.Effect, error) {
	var list struct{ Effects []eval.Effect }
	return list.Effects, c.call(ctx, http.MethodGet, "/control/effects?business_key="+url.QueryEscape(businessKey), nil, &list)
}

// All lists every effect.
func (c Control) All(ctx context.Context) ([]eval.Effect, error) {
	var list struct{ Effects []eval.Effect }
	return list.Effects, c.call(ctx, http.MethodGet, "/control/effects", nil, &list)
}

// Await waits until the figures are as wanted.
func (c Control) Await(ctx context.Context, wanted func(Counts) bool) (Counts, error) {
	counts, err := c.Counts(ctx)
	for err == nil && !wanted(counts) {
		err = c.call(ctx, http.MethodPost, "/control/wait", counts, &counts)
	}
	return counts, err
}

func (c Control) call(ctx context.Context, method, path string, in, out any) error {
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return err
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("the provider: %s %s: %s: %s", method, path, res.Status, answer)
	case out == nil:
		return nil
	}
	return json.Unmarshal(answer, out)
}
