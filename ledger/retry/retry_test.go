package retry_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/retry"
)

var errTry = errors.New("a try failed")

// quick is a policy that does not wait.
func quick(told *[]string) retry.Policy {
	return retry.Policy{
		Tries: 5, Elapsed: time.Hour, FirstDelay: time.Hour, MaxDelay: time.Hour,
		Jitter: func() float64 { return 0 }, OnRetry: func(reason string) { *told = append(*told, reason) },
	}
}

func TestRun(t *testing.T) {
	done := retry.Result{}
	again := retry.Result{Err: errTry, Verdict: retry.Again, Reason: "again"}
	lost := retry.Result{Err: errTry, Verdict: retry.Again, Reason: "lost", AtMost: 2}
	unknown := retry.Result{Err: errTry, Verdict: retry.Unknown, Reason: "unknown"}
	final := retry.Result{Err: errTry, Verdict: retry.Final}
	for name, c := range map[string]struct {
		results []retry.Result
		want    error // nil: committed
		reasons []string
	}{
		"at once":                          {[]retry.Result{done}, nil, nil},
		"after two":                        {[]retry.Result{again, again, done}, nil, []string{"again", "again"}},
		"known to have failed":             {[]retry.Result{final}, errTry, nil},
		"tries used up":                    {[]retry.Result{again, again, again, again, again}, errTry, []string{"again", "again", "again", "again"}},
		"fewer tries for this reason":      {[]retry.Result{lost, lost}, errTry, []string{"lost"}},
		"unknown, then seen":               {[]retry.Result{unknown, done}, nil, []string{"unknown"}},
		"unknown, then failed for certain": {[]retry.Result{unknown, final}, ledger.ErrUnknownCommit, []string{"unknown"}},
		"unknown, then tries used up":      {[]retry.Result{unknown, again, again, again, again}, ledger.ErrUnknownCommit, []string{"unknown", "again", "again", "again"}},
	} {
		t.Run(name, func(t *testing.T) {
			var reasons []string
			tries := 0
			err := quick(&reasons).Run(t.Context(), func(context.Context) retry.Result {
				tries++
				return c.results[tries-1]
			})
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if errors.Is(c.want, errTry) && errors.Is(err, ledger.ErrUnknownCommit) {
				t.Errorf("%v says that nothing is known", err)
			}
			if tries != len(c.results) || !slices.Equal(reasons, c.reasons) {
				t.Errorf("%d tries for %q, want %d for %q", tries, reasons, len(c.results), c.reasons)
			}
		})
	}
}

func TestTheContextEndsTheWait(t *testing.T) {
	var reasons []string
	policy := quick(&reasons)
	policy.Jitter = func() float64 { return 1 } // waits an hour
	ctx, cancel := context.WithCancel(t.Context())
	err := policy.Run(ctx, func(context.Context) retry.Result {
		cancel()
		return retry.Result{Err: errTry, Verdict: retry.Unknown}
	})
	for _, want := range []error{context.Canceled, errTry, ledger.ErrUnknownCommit} {
		if !errors.Is(err, want) {
			t.Errorf("%v does not say %v", err, want)
		}
	}
}

func TestTheElapsedTimeEndsTheTries(t *testing.T) {
	var reasons []string
	policy := quick(&reasons)
	policy.Elapsed = 0
	err := policy.Run(t.Context(), func(context.Context) retry.Result { return retry.Result{Err: errTry, Verdict: retry.Again} })
	if !errors.Is(err, errTry) || len(reasons) != 0 {
		t.Errorf("%v after %q", err, reasons)
	}
}
