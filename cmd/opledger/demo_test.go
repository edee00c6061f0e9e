package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/demo"
	"github.com/opledger/opledger/demo/provider"
)

// longestPlay bounds a play on a machine that has other work: all three stories take about fifteen seconds on a quiet one.
const longestPlay = time.Minute

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
	if !r.OK || r.Seconds >= longestPlay.Seconds() {
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
			if r.Payments == nil || (r.Control != nil) != (args == nil) || (r.Plan != nil) != (args == nil) {
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
	if r.Payments != nil || r.Control == nil || r.Plan != nil {
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

// TestDemoOfPlan gives the third story by itself.
func TestDemoOfPlan(t *testing.T) {
	t.Parallel()
	r := played(t, "--story", demo.StoryPlan)
	if r.Payments != nil || r.Control != nil || r.Plan == nil {
		t.Fatalf("other stories were played: %+v", r)
	}
	if alone := (demo.Made{Contacts: 2, Standing: 1, Archivings: 1, Welcomes: 3, Corrections: 1, Refused: 2}); r.Plan.Naive != alone {
		t.Errorf("alone: %+v", r.Plan.Naive)
	}
	if through := (demo.Made{Contacts: 1, Archivings: 1, Welcomes: 1, Corrections: 1, Refused: 1}); r.Plan.Opledger != through {
		t.Errorf("through Opledger: %+v", r.Plan.Opledger)
	}
	var ended []string
	for _, o := range r.Plan.Operations {
		ended = append(ended, o.Tool+" "+o.State)
	}
	if want := []string{
		"crm.add_contact compensated", "email.welcome compensated", "ticket.open failed_permanent",
		"email.correct completed_success", "crm.archive_contact completed_success",
	}; !slices.Equal(ended, want) {
		t.Errorf("the operations ended as %q, want %q", ended, want)
	}
	if c := r.Plan.Conclusions; len(c) != 2 || c[0].Refused != "CLAIM_CONTRADICTED" || c[1].Refused != "" {
		t.Errorf("the customer was told %+v", c)
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
