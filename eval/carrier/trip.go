package carrier

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/registry"
)

// trip is one exchange: a request for an effect, or a question.
type trip struct {
	*Carrier
	name     string
	tool     *registry.Definition
	provider *provider.Provider
	question *dispatch.Question // nil: an effect is asked for

	effect   dispatch.Effect
	key      string
	fault    eval.Fault
	patience time.Duration // of the sender, by the world's time
	giveUp   func()

	mu     sync.Mutex
	answer *provider.Answer // nil: nothing has left
}

// sent is what came of the request, if one has left.
func (t *trip) sent() (a provider.Answer, sent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.answer == nil {
		return a, false
	}
	return *t.answer, true
}

// lead is the tool with the hosts of its URLs replaced.
func (t *trip) lead(to string) *registry.Definition {
	if t.tool.HTTP == nil {
		return t.tool
	}
	here, requests := *t.tool, *t.tool.HTTP
	here.HTTP = &requests
	requests.AllowedHosts = []string{"127.0.0.1"}
	requests.Request.URL = led(requests.Request.URL, to)
	requests.Lookups = slices.Clone(requests.Lookups)
	for i := range requests.Lookups {
		requests.Lookups[i].Request.URL = led(requests.Lookups[i].Request.URL, to)
	}
	return &here
}

// led replaces the scheme and the host of a URL, which are constants of its template.
func led(url, to string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		return to + rest[i:]
	}
	return to
}

// unhurried is what the adapter is told of the time that is left. It counts real time, of which the exchange takes none that
// means anything; the world's is counted at the far end.
const unhurried = time.Hour

// ready asks the executor, as it is the last moment before the first byte, and lets happen to the process what befalls it
// there.
func (t *trip) ready(ctx context.Context) (time.Duration, error) {
	if t.fault == eval.FreezeBeforeSend {
		if err := t.freeze(ctx, outlasting(t.tool)); err != nil {
			return 0, err
		}
	}
	left, err := t.effect.Ready(ctx)
	if err != nil {
		return 0, err
	}
	switch t.fault {
	case eval.CrashBeforeSend:
		world.Die()
	case eval.FreezeAfterLook:
		if err := t.freeze(ctx, longFreeze); err != nil {
			return 0, err
		}
	}
	t.patience = t.tool.HTTP.Request.Timeout
	if t.patience <= 0 {
		t.patience = registry.DefaultHTTPTimeout
	}
	t.patience = min(t.patience, left)
	return unhurried, nil
}

// longFreeze is how long a process stands still that wakes behind its last look at the clock.
const longFreeze = time.Hour

// outlasting is longer than anybody waits for a process that has gone silent: its permit, however often that is extended,
// and everything that a "not found" has to wait for.
func outlasting(tool *registry.Definition) time.Duration {
	p := &tool.Provider
	return tool.Permit.GreatestAge + tool.Permit.StallAllowance + p.LongestFlight + p.PropagationTime + time.Minute
}

// naps are the parts in which a process stands still. After each of them the other servers do what has become due.
const naps = 20

// freeze lets the process stand still while the others go on.
func (t *trip) freeze(ctx context.Context, d time.Duration) error {
	for range naps {
		t.world.Pass(d / naps)
		if err := t.world.SettleBeside(ctx); err != nil {
			return err
		}
	}
	return nil
}
