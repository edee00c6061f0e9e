package carrier_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/carrier"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// stand is a carrier with one provider at its other end, and what befalls the next attempt.
type stand struct {
	*carrier.Carrier
	t        *testing.T
	world    *world.World
	provider *provider.Provider
	fault    eval.Fault
	sent     []carrier.Sent
}

func newStand(t *testing.T) *stand {
	t.Helper()
	c, err := carrier.New()
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.Open(t.Context(), world.Options{Engine: world.SQLite, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(w.Close(), c.Close()); err != nil {
			t.Error(err)
		}
	})
	s := &stand{Carrier: c, t: t, world: w, provider: provider.New(provider.Options{Clock: w.Now, Profile: provider.Stated(true)})}
	c.Enter(w, s)
	return s
}

func (s *stand) Provider(*registry.Definition) *provider.Provider { return s.provider }

func (s *stand) Next(*registry.Definition, ledger.OperationID) (string, eval.Fault) {
	return "order_1", s.fault
}

func (s *stand) Sent(sent carrier.Sent) { s.sent = append(s.sent, sent) }

// tool waits twenty seconds for an answer.
func tool() *registry.Definition {
	data := "/data"
	empty := "[]"
	return &registry.Definition{
		Name: "charges", Class: registry.ExternalIdempotentWrite, Executor: registry.ServerHTTP, Effect: registry.EffectCreatedObject,
		Permit:   registry.Permit{Duration: time.Minute, GreatestAge: 10 * time.Minute},
		Provider: registry.Provider{Name: "bank", VendorKey: registry.VendorKey{Supported: true, Header: "Idempotency-Key"}, FiveXXMayCommit: true},
		HTTP: &registry.HTTPAdapter{
			AllowedHosts: []string{"bank.example"},
			Request: registry.HTTPRequest{
				Method: "POST", URL: "https://bank.example/charges", JSON: `{"note":"ours: {client_reference}","amount":"{args.amount}"}`, Timeout: 20 * time.Second,
			},
			Outcomes: []registry.HTTPOutcomeRule{
				{When: registry.HTTPCondition{Status: []string{"201"}}, Outcome: registry.HTTPSucceeded, Extract: registry.HTTPExtract{ProviderObjectID: "/id"}},
				{When: registry.HTTPCondition{Status: []string{"202"}}, Outcome: registry.HTTPAcknowledged, Extract: registry.HTTPExtract{ProviderObjectID: "/id"}},
			},
			Lookups: []registry.HTTPLookup{
				{
					By: registry.ByClientReference, Request: registry.HTTPRequest{Method: "GET", URL: "https://bank.example/charges?reference={reference}"},
					Found:    registry.HTTPCondition{Status: []string{"200"}},
					NotFound: registry.HTTPCondition{Status: []string{"200"}, BodyPointer: data, BodyEqualsJSON: &empty}, Items: &data,
					Extract: registry.HTTPExtract{ProviderObjectID: "/id", ClientReference: "/client_reference"},
				},
				{
					By: registry.ByObjectID, Request: registry.HTTPRequest{Method: "GET", URL: "https://bank.example/charges/{reference}"},
					Found: registry.HTTPCondition{Status: []string{"200"}}, NotFound: registry.HTTPCondition{Status: []string{"404"}},
					Extract: registry.HTTPExtract{ProviderObjectID: "/id"},
				},
			},
		},
	}
}

func effect(ready func(context.Context) (time.Duration, error)) dispatch.Effect {
	if ready == nil {
		ready = func(context.Context) (time.Duration, error) { return time.Minute, nil }
	}
	return dispatch.Effect{
		Namespace: "default", OperationID: "op_1", Arguments: []byte(`{"amount":"49.00"}`), VendorKey: "key_1", ClientReference: "reference_1", Ready: ready,
	}
}

// act makes one attempt that meets a fault, and answers how long it took by the world's time.
func (s *stand) act(f eval.Fault, e dispatch.Effect) (ledger.Report, time.Duration) {
	s.fault = f
	began := s.world.Now()
	r := s.Act(s.t.Context(), tool(), e)
	return r, s.world.Now().Sub(began)
}

// TestFaultsAsTheirSenderSeesThem: what production's adapter makes of each fault, and how long it waits by the world's time.
func TestFaultsAsTheirSenderSeesThem(t *testing.T) {
	const usual, patience = 100 * time.Millisecond, 20 * time.Second
	for fault, want := range map[eval.Fault]struct {
		outcome  ledger.Outcome
		category ledger.Category
		took     time.Duration
		effects  int
	}{
		eval.NoFault:             {ledger.OutcomeSucceeded, "", usual, 1},
		eval.TimeoutBeforeCommit: {ledger.OutcomeAmbiguous, ledger.CategoryTimeout, patience, 0},
		eval.TimeoutAfterCommit:  {ledger.OutcomeAmbiguous, ledger.CategoryTimeout, patience, 1},
		eval.LateCommit:          {ledger.OutcomeAmbiguous, ledger.CategoryTimeout, patience, 0},
		eval.ResetBeforeCommit:   {ledger.OutcomeAmbiguous, ledger.CategoryConnectionLost, usual, 0},
		eval.ResetAfterCommit:    {ledger.OutcomeAmbiguous, ledger.CategoryConnectionLost, usual, 1},
		eval.RateLimited:         {ledger.OutcomeRateLimited, "", usual, 0},
		eval.RateLimitedBare:     {ledger.OutcomeRateLimited, "", usual, 0},
		eval.ErrorCommitted:      {ledger.OutcomeAmbiguous, ledger.CategoryProviderError, usual, 1},
		eval.ErrorClean:          {ledger.OutcomeAmbiguous, ledger.CategoryProviderError, usual, 0},
		eval.Malformed:           {ledger.OutcomeAmbiguous, ledger.CategoryMalformedAnswer, usual, 1},
		eval.Truncated:           {ledger.OutcomeAmbiguous, ledger.CategoryConnectionLost, usual, 1},
		eval.SlowBody:            {ledger.OutcomeAmbiguous, ledger.CategoryTimeout, patience, 1},
		eval.Accepted:            {ledger.OutcomeAcknowledge, "", usual, 1},
		eval.Refused:             {ledger.OutcomeRejected, "", usual, 0},
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			s := newStand(t)
			r, took := s.act(fault, effect(nil))
			if r.Outcome != want.outcome || want.category != "" && r.Category != want.category || took != want.took {
				t.Errorf("%s %s after %s, want %s %s after %s", r.Outcome, r.Category, took, want.outcome, want.category, want.took)
			}
			if n := len(s.provider.Effects("order_1")); n != want.effects || len(s.sent) != 1 || s.sent[0].Fault != fault {
				t.Errorf("%d effects, want %d; told of %+v", n, want.effects, s.sent)
			}
			if after := map[eval.Fault]time.Duration{eval.RateLimited: 10 * time.Second}[fault]; r.RetryAfter != after {
				t.Errorf("it is to be asked again after %s, want %s", r.RetryAfter, after)
			}
		})
	}
}

// TestTheRequestIsTheTools: what the provider keeps is what the request bore, and a question finds it.
func TestTheRequestIsTheTools(t *testing.T) {
	s := newStand(t)
	r, _ := s.act(eval.NoFault, effect(nil))
	made := s.provider.Effects("order_1")
	if len(made) != 1 || made[0].VendorKey != "key_1" || made[0].Reference != "reference_1" || r.EffectID != made[0].ID {
		t.Fatalf("%+v, reported as %q", made, r.EffectID)
	}
	for _, q := range []struct {
		by    registry.LookupBy
		value string
		says  ledger.Says
	}{
		{registry.ByClientReference, "reference_1", ledger.SaysHappened}, {registry.ByClientReference, "reference_2", ledger.SaysNot},
		{registry.ByObjectID, made[0].ID, ledger.SaysHappened}, {registry.ByObjectID, "charge_2", ledger.SaysNot},
	} {
		a := s.Ask(t.Context(), tool(), dispatch.Question{Namespace: "default", By: q.by, Value: q.value, ClientReference: q.value, Arguments: []byte(`{}`)})
		if a.Says != q.says {
			t.Errorf("%s %q: %s (%s), want %s", q.by, q.value, a.Says, a.Note, q.says)
		}
	}
	other := effect(nil)
	other.Arguments = []byte(`{"amount":"50.00"}`)
	if r, _ := s.act(eval.NoFault, other); r.RawStatusCode != "400" {
		t.Errorf("another amount under the same key: %s", r.RawStatusCode)
	}
}

// TestReadyIsHeeded: nothing leaves without it, and no exchange lasts longer than it says.
func TestReadyIsHeeded(t *testing.T) {
	s := newStand(t)
	r, took := s.act(eval.NoFault, effect(func(context.Context) (time.Duration, error) { return 0, errors.New("it is too late") }))
	if r.Outcome != ledger.OutcomeNotSent || took != 0 || len(s.sent) != 0 || len(s.provider.All()) != 0 {
		t.Errorf("%s after %s, and %d requests left", r.Outcome, took, len(s.sent))
	}
	r, took = s.act(eval.TimeoutAfterCommit, effect(func(context.Context) (time.Duration, error) { return 7 * time.Second, nil }))
	if r.Category != ledger.CategoryTimeout || took != 7*time.Second {
		t.Errorf("%s after %s", r.Category, took)
	}
}

// TestAProcessStandsStill: before its last look for longer than everybody waits for it, behind it for an hour.
func TestAProcessStandsStill(t *testing.T) {
	s := newStand(t)
	began := s.world.Now()
	var looked time.Duration
	_, took := s.act(eval.FreezeBeforeSend, effect(func(context.Context) (time.Duration, error) {
		looked = s.world.Now().Sub(began)
		return 0, errors.New("it is too late")
	}))
	if looked != took || looked < 11*time.Minute {
		t.Errorf("it looked after %s, of %s", looked, took)
	}
	began = s.world.Now()
	_, took = s.act(eval.FreezeAfterLook, effect(func(context.Context) (time.Duration, error) {
		looked = s.world.Now().Sub(began)
		return time.Minute, nil
	}))
	if looked != 0 || took < time.Hour || len(s.provider.All()) != 1 {
		t.Errorf("it looked after %s, of %s", looked, took)
	}
}
