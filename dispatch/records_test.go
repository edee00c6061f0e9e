package dispatch

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// put saves a record as it is.
type put struct{ ledger.Record }

func (p put) Claims() []ledger.Claim           { return nil }
func (p put) Reads(*ledger.View) []ledger.Read { return []ledger.Read{p.Key().Read()} }
func (p put) Decide(*ledger.View, ledger.Env) ledger.Decided {
	return ledger.Decided{Changes: &ledger.Changes{Records: []ledger.Record{p.Record}}, Reply: p.Record}
}

// refusing is a command that fails.
type refusing struct{ err error }

func (refusing) Claims() []ledger.Claim           { return nil }
func (refusing) Reads(*ledger.View) []ledger.Read { return nil }
func (r refusing) Decide(*ledger.View, ledger.Env) ledger.Decided {
	return ledger.Decided{Err: r.err}
}

// notice is a record that is due, or done, at a version.
func notice(id string, version int64, due time.Time) *ledger.Notice {
	n := &ledger.Notice{NoticeKind: ledger.NoticeIncident, OperationID: "op_1", At: due, NextAt: due}
	n.Namespace, n.ID, n.Version = tenant, id, version
	return n
}

func TestDueRecordsAreRunTogether(t *testing.T) { onEach(t, dueRecordsAreRunTogether) }

// dueRecordsAreRunTogether: one is done at once, one when the configuration has been read anew, one fails and comes back
// when its claim has run out, and of one nothing is to be done.
func dueRecordsAreRunTogether(t *testing.T, w *world) {
	now, err := w.engine.Time(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"done", "moved", "fails", "nothing"} {
		if _, err := w.ledger.Do(t.Context(), put{notice(id, 1, now)}); err != nil {
			t.Fatal(err)
		}
	}
	built := map[string]int{}
	var replies []string
	d, told := w.dispatcher(t, "one", nil)
	source := d.records(Records{
		Kind: ledger.RecordNotice,
		Command: func(_ context.Context, key ledger.RecordKey) (ledger.Command, error) {
			built[key.ID]++
			switch {
			case key.ID == "nothing":
				return nil, nil
			case key.ID == "fails" && built[key.ID] == 1:
				return nil, errors.New("it cannot be read")
			case key.ID == "moved" && built[key.ID] < 3:
				return refusing{&ledger.EpochMovedError{Have: int64(built[key.ID]), Now: 3}}, nil
			}
			done := notice(key.ID, 2, now)
			done.NextAt = time.Time{}
			return put{done}, nil
		},
		Told: func(key ledger.RecordKey, _ any) { replies = append(replies, key.ID) },
	})
	pass := func() int {
		t.Helper()
		due, err := source.Claim(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		source.HandleAll(context.WithoutCancel(t.Context()), due)
		return len(due)
	}
	if n := pass(); n != 4 || told.of(Done) != 2 || told.of(Failed) != 1 || fmt.Sprint(replies) != "[done moved]" || built["moved"] != 3 {
		t.Fatalf("%d were due, %v, told of %v, built %v", n, told.outcomes, replies, built)
	}
	if n := pass(); n != 0 {
		t.Fatalf("%d are due while the claims of two hold", n)
	}
	w.advance(DefaultHold + time.Second)
	if n := pass(); n != 2 || told.of(Done) != 3 || built["fails"] != 2 || built["done"] != 1 {
		t.Fatalf("%d were due again, %v, built %v", n, told.outcomes, built)
	}
}

// TestAConfigurationThatNeverRestsFailsInTheEnd: a command is built anew only so often.
func TestAConfigurationThatNeverRestsFailsInTheEnd(t *testing.T) {
	w := onSQLite(t)
	built := 0
	d, told := w.dispatcher(t, "one", nil)
	source := d.records(Records{Kind: ledger.RecordNotice, Command: func(context.Context, ledger.RecordKey) (ledger.Command, error) {
		built++
		return refusing{&ledger.EpochMovedError{}}, nil
	}})
	source.HandleAll(t.Context(), []ledger.RecordKey{{Kind: ledger.RecordNotice, Namespace: tenant, ID: "x"}})
	if built != maxRebuilds+1 || told.of(Failed) != 1 {
		t.Errorf("built %d times, %v", built, told.outcomes)
	}
}
