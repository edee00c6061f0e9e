package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"testing"

	"github.com/opledger/opledger/demo"
	"github.com/opledger/opledger/demo/provider"
)

// TestDemo gives the play with real processes, for each account of the provider.
func TestDemo(t *testing.T) {
	for _, account := range []string{provider.KeyedAccount, provider.PlainAccount} {
		t.Run(account, func(t *testing.T) {
			t.Parallel()
			cmd := program(t, []string{"demo", "--json", "--account", account})
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); err != nil || errs.Len() > 0 {
				t.Fatalf("the play ended with %v\n%s%s", err, errs.String(), out.String())
			}
			var r demo.Result
			if err := json.Unmarshal(out.Bytes(), &r); err != nil { // more than one object is an error, too
				t.Fatalf("%v in %s", err, out.String())
			}
			if !r.OK || r.Opledger != (demo.Count{Charges: 1, Emails: 1}) {
				t.Errorf("through Opledger: %+v", r)
			}
			if r.Naive != (demo.Count{Charges: 4, Emails: 2}) {
				t.Errorf("alone: %+v", r.Naive)
			}
			for i, want := range [][]string{
				{"EXECUTE", "IN_FLIGHT", "RECONCILING", "REPLAYED", "REPLAYED"}, // the crash, and the second channel
				{"EXECUTE", "RECONCILING", "RECONCILING", "REPLAYED"},           // a look that came too early, and one in time
			} { // a slow machine asks more often
				if i >= len(r.Operations) || !slices.Equal(slices.Compact(r.Operations[i].Decisions), slices.Compact(want)) {
					t.Errorf("operation %d was answered otherwise: %+v", i, r.Operations)
				}
			}
			if r.Seconds >= 20 {
				t.Errorf("the play took %.1f s", r.Seconds)
			}
		})
	}
}

func TestDemoRefusesAnAccountThatIsNotThere(t *testing.T) {
	err := program(t, []string{"demo", "--json", "--account", "acct_none"}).Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		t.Errorf("ended with %v, want status %d", err, exitFailed)
	}
}
