package sqlstore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/wirefault"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// TestFaultAtEveryStatementOfARecord lets each statement of a transaction that awaits a record, and saves it, fail in each
// way, one after the other, COMMIT included. Whatever happened, the record has changed once.
func TestFaultAtEveryStatementOfARecord(t *testing.T) {
	for name, action := range map[string]wirefault.Action{
		"serialization failure":         wirefault.Fail("40001"),
		"connection cut":                wirefault.Cut(),
		"connection cut after":          wirefault.CutAfter(),
		"result is ambiguous, not done": wirefault.Fail("40003"),
		"result is ambiguous, done":     wirefault.FailAfter("40003"),
	} {
		t.Run(name, func(t *testing.T) {
			f := behindFaults(t)
			statements := 0
			for hit := true; hit; statements++ {
				entity, state := locks.Entity{Type: "order", ID: fmt.Sprint(statements)}, "paid"
				fault := f.proxy.Inject(wirefault.Rule{Match: wirefault.Any(), Skip: statements, Times: 1, Action: action})
				set := &ledger.SetEntityState{Namespace: tenant, Actor: ledger.Actor{Principal: "admin"}, Entity: entity, State: &state, Reason: "r"}
				_, err := f.ledger.Do(t.Context(), set)
				fault.Remove()
				hit = fault.Hits() > 0
				if err != nil {
					t.Fatalf("a fault at statement %d: %v", statements, err)
				}
				r, err := f.store.GetRecord(t.Context(), ledger.EntityKey(tenant, entity))
				if err != nil || r.RowVersion() != 1 || r.(*ledger.Entity).State != state {
					t.Fatalf("a fault at statement %d: %+v, %v", statements, r, err)
				}
			}
			// BEGIN, time, record made, read and saved, COMMIT, and one round without a fault.
			if statements < 7 {
				t.Fatalf("only %d statements were met", statements-1)
			}
		})
	}
}

// TestFiguresAreNeverAddedTwice lets the one statement fail in each way. Where nobody can know whether the figures were
// added, it says so and does not add them again.
func TestFiguresAreNeverAddedTwice(t *testing.T) {
	hour := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name    string
		action  wirefault.Action
		unknown bool
		added   int64
	}{
		{"serialization failure", wirefault.Fail("40001"), false, 1},
		{"deadlock", wirefault.Fail("40P01"), false, 1},
		{"connection cut", wirefault.Cut(), true, 0},
		{"connection cut after", wirefault.CutAfter(), true, 1},
		{"result is ambiguous, done", wirefault.FailAfter("40003"), true, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := behindFaults(t)
			if _, err := f.store.Time(t.Context()); err != nil { // so that there is a connection
				t.Fatal(err)
			}
			fault := f.proxy.Inject(wirefault.Rule{Match: wirefault.Matching("(?i)insert into rule_figures"), Times: 1, Action: test.action})
			err := f.store.AddFigures(t.Context(), []ledger.RuleFigures{{Namespace: tenant, Rule: "r", Hour: hour, Evaluations: 1}})
			if fault.Hits() != 1 || errors.Is(err, ledger.ErrUnknownCommit) != test.unknown || !test.unknown && err != nil {
				t.Fatalf("hit %d times: %v", fault.Hits(), err)
			}
			want := []ledger.RuleFigures{{Namespace: tenant, Rule: "r", Hour: hour, Evaluations: test.added}}
			if test.added == 0 {
				want = nil
			}
			if got, err := f.store.Figures(t.Context(), tenant, hour, ""); err != nil || !slices.Equal(got, want) {
				t.Fatalf("figures %+v, %v; want %+v", got, err, want)
			}
		})
	}
}
