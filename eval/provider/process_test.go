package provider

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval"
)

// begin starts this program as a provider.
func begin(t *testing.T, settings Settings) *Process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p, err := Start(ctx, self, nil, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		p.Kill()
	})
	return p
}

// TestTheTruthOutlivesAKill: what was committed, which keys stand for it, what is still to come and what is planned.
func TestTheTruthOutlivesAKill(t *testing.T) {
	p := begin(t, Settings{Profile: quick(), Journal: filepath.Join(t.TempDir(), "journal")})
	if err := p.Plan(t.Context(), "order-1", eval.TimeoutAfterCommit, eval.ErrorClean, eval.NoFault); err != nil {
		t.Fatal(err)
	}
	if err := p.Plan(t.Context(), "order-2", eval.LateCommit); err != nil {
		t.Fatal(err)
	}
	exchangeWithin(t, soon, "POST", p.URL+"/keyed/charges", order, KeyHeader, "vk-1")
	exchangeWithin(t, soon, "POST", p.URL+"/keyed/charges", `{"business_key":"order-2"}`)
	if !p.Kill() {
		t.Fatal("it had ended by itself")
	}
	again, err := p.Restart(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Kill() })
	if again.URL != p.URL {
		t.Errorf("it was at %s and is at %s", p.URL, again.URL)
	}
	if got := exchange(t, "POST", p.URL+"/keyed/charges", order, KeyHeader, "vk-1"); got.status != 500 {
		t.Errorf("what was planned: %+v", got)
	}
	if got := exchange(t, "POST", p.URL+"/keyed/charges", order, KeyHeader, "vk-1"); got.status != 201 || got.header.Get(ReplayedHeader) != "true" {
		t.Errorf("the key: %+v", got)
	}
	for _, key := range []string{"order-1", "order-2"} {
		if effects, err := again.Effects(t.Context(), key); err != nil || len(effects) != 1 {
			t.Errorf("%s: %+v %v", key, effects, err)
		}
	}
}

func TestAProviderThatCannotStartSaysWhy(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "none", "journal")
	for _, settings := range []Settings{{Journal: path}, {Listen: path}} {
		if _, err := Start(t.Context(), self, nil, settings); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("got %v", err)
		}
	}
}
