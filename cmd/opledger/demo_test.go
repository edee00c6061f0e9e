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

// played gives a play with real processes and answers what it came to.
func played(t *testing.T, args ...string) demo.Result {
	t.Helper()
	cmd := program(t, append([]string{"demo", "--json"}, args...))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("the play ended with %v\n%s%s", err, errs.String(), out.String())
	}
	var r demo.Result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil { // more than one object is an error, too
		t.Fatalf("%v in %s", err, out.String())
	}
	if !r.OK || r.Seconds >= 20 {
		t.Errorf("kept %v, after %.1f s: %s", r.OK, r.Seconds, out.String())
	}
	return r
}

// TestDemo gives the whole play, and the first story for the account without keys.
func TestDemo(t *testing.T) {
	for name, args := range map[string][]string{
		"all":   nil,
		"plain": {"--story", demo.StoryPayments, "--account", provider.PlainAccount},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := played(t, args...)
			if r.Payments == nil || (r.Control != nil) != (args == nil) {
				t.Fatalf("other stories were played: %+v", r)
			}
			if r.Payments.Opledger != (demo.Count{Charges: 1, Emails: 1}) {
				t.Errorf("through Opledger: %+v", r.Payments.Opledger)
			}
			if r.Payments.Naive != (demo.Count{Charges: 4, Emails: 2}) {
				t.Errorf("alone: %+v", r.Payments.Naive)
			}
			for i, want := range [][]string{
				{"EXECUTE", "IN_FLIGHT", "RECONCILING", "REPLAYED", "REPLAYED"}, // the crash, and the second channel
				{"EXECUTE", "RECONCILING", "RECONCILING", "REPLAYED"},           // a look that came too early, and one in time
			} { // a slow machine asks more often
				operations := r.Payments.Operations
				if i >= len(operations) || !slices.Equal(slices.Compact(operations[i].Decisions), slices.Compact(want)) {
					t.Errorf("operation %d was answered otherwise: %+v", i, operations)
				}
			}
		})
	}
}

// TestDemoOfControl gives the second story by itself.
func TestDemoOfControl(t *testing.T) {
	t.Parallel()
	r := played(t, "--story", demo.StoryControl)
	if r.Payments != nil || r.Control == nil {
		t.Fatalf("other stories were played: %+v", r)
	}
	alone := demo.Given{BrokenOrder: demo.Remedies{Refunds: 1, Credits: 1, Cents: 6000}, LargeOrder: demo.Remedies{Refunds: 2, Cents: 48000}}
	if r.Control.Naive != alone {
		t.Errorf("alone: %+v", r.Control.Naive)
	}
	through := demo.Given{BrokenOrder: demo.Remedies{Refunds: 1, Cents: 3000}, LargeOrder: demo.Remedies{Refunds: 1, Cents: 48000}}
	if r.Control.Opledger != through {
		t.Errorf("through Opledger: %+v", r.Control.Opledger)
	}
	if a := r.Control.Approval; a == nil || !slices.Equal(a.Persons, []string{"ann@shop.example", "ben@shop.example"}) {
		t.Errorf("the large refund stands on %+v", a)
	}
}

func TestDemoRefusesWhatIsNotThere(t *testing.T) {
	for _, args := range [][]string{{"--account", "acct_none"}, {"--story", "other"}} {
		err := program(t, append([]string{"demo", "--json"}, args...)).Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
			t.Errorf("%v ended with %v, want status %d", args, err, exitFailed)
		}
	}
}
