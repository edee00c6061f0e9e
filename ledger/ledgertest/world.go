package ledgertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// TB is what a World needs of a test; *testing.T and *rapid.T both have it.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Start is when a new World's clock stands: an arbitrary moment.
var Start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// World is a ledger in memory.
type World struct {
	Now time.Time // set by the test alone
	Env ledger.Env
	// Rules are the policy that proposals, begins and extensions are judged by; nil: none.
	Rules *policy.Set
	// Unaudited leaves out the check of everything after each commit.
	Unaudited bool

	t      TB
	rows   rows
	fences map[locks.Ref]int64 // the greatest number that was seen, to notice one that falls
	ids    map[string]int
	late   []LateRead
}

// New makes an empty World.
func New(t TB) *World {
	return &World{Now: Start, t: t, rows: newRows(), fences: map[locks.Ref]int64{}, ids: map[string]int{}}
}

// Advance lets time pass.
func (w *World) Advance(d time.Duration) { w.Now = w.Now.Add(d) }

// ID makes the next identifier of a kind: "op_1".
func (w *World) ID(kind string) string {
	w.ids[kind]++
	return fmt.Sprintf("%s_%d", kind, w.ids[kind])
}

// tries bounds how often a claim that turns out to be held leads to another try.
const tries = 4

// Do runs one command in one transaction.
func (w *World) Do(c ledger.Command) (any, error) {
	w.t.Helper()
	out := w.run([]ledger.Command{c})[0]
	return out.Reply, out.Err
}

// DoAll runs commands in one transaction, in order.
func (w *World) DoAll(commands ...ledger.Command) []ledger.Decided {
	w.t.Helper()
	out, _ := w.Batch(commands...)
	return out
}

// Batch runs commands in one transaction, in order. One whose decision depends on what an earlier one of the same batch
// changed runs again in a transaction of its own afterwards, as in transact.Ledger; the second result names those.
func (w *World) Batch(commands ...ledger.Command) (out []ledger.Decided, again []int) {
	w.t.Helper()
	out = w.run(commands)
	for i := range out {
		if out[i].Err != nil && !Final(out[i].Err) {
			again = append(again, i)
			out[i] = w.run(commands[i : i+1])[0]
		}
	}
	return out, again
}

// Clone makes a World of its own with the same rows, clock and identifiers.
func (w *World) Clone() *World {
	c := *w
	c.rows, c.fences, c.ids = w.begin().rows, maps.Clone(w.fences), maps.Clone(w.ids)
	return &c
}

// Dump is everything that is stored, as text that two Worlds can be compared by.
func (w *World) Dump() string {
	w.t.Helper()
	parts := []any{w.Operations(), w.Decisions()}
	for _, kind := range ledger.RecordKinds {
		parts = append(parts, w.Records(kind))
	}
	for _, o := range w.Operations() {
		parts = append(parts, o.Namespace, o.ID, o.Version, o.State, w.Events(o.Namespace, o.ID))
		if ref, grouped := o.GroupRef(); grouped {
			parts = append(parts, w.rows.scopes[ref])
		}
	}
	claims := make([]string, 0, len(w.rows.claims))
	for _, c := range w.rows.claims {
		claims = append(claims, fmt.Sprintf("%+v", c))
	}
	slices.Sort(claims)
	text, err := json.Marshal(append(parts, claims))
	if err != nil {
		w.t.Fatalf("dump: %v", err)
	}
	return string(text)
}

// Final reports whether an error is a command's answer, rather than a wish to be decided again.
func Final(err error) bool {
	var refusal *ledger.Refusal
	var epoch *ledger.EpochMovedError
	return errors.As(err, &refusal) || errors.As(err, &epoch)
}

func (w *World) run(commands []ledger.Command) []ledger.Decided {
	w.t.Helper()
	var known []ledger.Read
	for range tries {
		t := w.begin()
		out, err := transact.Run(context.Background(), t, w.Env, w.watch(commands), known)
		var conflict *ledger.ClaimConflictError
		if errors.As(err, &conflict) {
			for _, id := range conflict.IDs {
				known = append(known, id.Read())
			}
			continue
		}
		if err != nil {
			w.t.Fatalf("the transaction failed: %v", err)
		}
		w.rows = t.rows
		if !w.Unaudited {
			if err := w.Audit(); err != nil {
				w.t.Fatalf("after %s: %v", names(commands), err)
			}
		}
		return out
	}
	w.t.Fatalf("claims were in conflict %d times", tries)
	return nil
}

func names(commands []ledger.Command) string {
	var all []string
	for _, c := range commands {
		all = append(all, nameOf(c))
	}
	return strings.Join(all, ", ")
}

// Operation gives an operation as it is stored, or as a reading in its place shows it; nil where there is none.
func (w *World) Operation(ns ledger.Namespace, id ledger.OperationID) *ledger.Operation {
	w.t.Helper()
	k := key{ns, id}
	stored, ok := w.rows.operations[k]
	if r, open := w.Record(ledger.ReadingKey(ns, id)).(*ledger.Reading); open && !ok {
		o, _ := w.seen(r)
		return o
	}
	if !ok {
		return nil
	}
	o, err := stored.operation(k)
	if err != nil {
		w.t.Fatalf("operation %s cannot be read back: %v", id, err)
	}
	return o
}

// Lose takes an operation's row away, as a loss of a part of the database would. Nothing is audited from then on.
func (w *World) Lose(ns ledger.Namespace, id ledger.OperationID) {
	w.Unaudited = true
	delete(w.rows.operations, key{ns, id})
}

// Epoch is a namespace's configuration epoch.
func (w *World) Epoch(ns ledger.Namespace) int64 { return w.rows.epochs[ns] }

// Record gives a record as it is stored; nil where there is none.
func (w *World) Record(key ledger.RecordKey) ledger.Record {
	w.t.Helper()
	stored, ok := w.rows.records[key]
	if !ok || stored.version == 0 {
		return nil
	}
	r, err := ledger.DecodeRecord(key, stored.version, stored.document)
	if err != nil {
		w.t.Fatalf("%s %s cannot be read back: %v", key.Kind, key.ID, err)
	}
	return r
}

// Records lists the records of a kind, in the order of their identifiers.
func (w *World) Records(kind ledger.RecordKind) []ledger.Record {
	w.t.Helper()
	var all []ledger.Record
	for key := range w.rows.records {
		if key.Kind == kind {
			all = append(all, w.Record(key))
		}
	}
	slices.SortFunc(all, func(a, b ledger.Record) int { return strings.Compare(a.Key().ID, b.Key().ID) })
	return all
}

// Scope gives a scope as it is stored.
func (w *World) Scope(ref locks.Ref) locks.Scope {
	s := w.rows.scopes[ref].Clone()
	s.Ref = ref
	return s
}

// Operations lists every operation, in the order of their identifiers.
func (w *World) Operations() []*ledger.Operation {
	w.t.Helper()
	keys := make([]key, 0, len(w.rows.operations))
	for k := range w.rows.operations {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return strings.Compare(string(a.ns)+string(a.id), string(b.ns)+string(b.id)) })
	all := make([]*ledger.Operation, 0, len(keys))
	for _, k := range keys {
		all = append(all, w.Operation(k.ns, k.id))
	}
	return all
}

// seen is a reading as it is shown.
func (w *World) seen(r *ledger.Reading) (*ledger.Operation, []ledger.Event) {
	if r.Operation == nil {
		return nil, nil
	}
	workflow, _ := w.Record(ledger.WorkflowKey(r.Namespace, r.Operation.WorkflowID)).(*ledger.Workflow)
	return r.Seen(w.Now, w.Env.ClockError, workflow)
}

// Events lists an operation's events.
func (w *World) Events(ns ledger.Namespace, id ledger.OperationID) []ledger.Event {
	if r, open := w.Record(ledger.ReadingKey(ns, id)).(*ledger.Reading); open && r.Operation != nil {
		_, events := w.seen(r)
		return events
	}
	return w.rows.events[key{ns, id}]
}

// Decisions lists the recorded decisions, in the order of their identifiers.
func (w *World) Decisions() []ledger.Decision {
	all := make([]ledger.Decision, 0, len(w.rows.decisions))
	for _, d := range w.rows.decisions {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b ledger.Decision) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return all
}

// Claims counts the claims of a kind.
func (w *World) Claims(kind ledger.ClaimKind) int {
	n := 0
	for id := range w.rows.claims {
		if id.Kind == kind {
			n++
		}
	}
	return n
}

// Due gives an operation's due work.
func (w *World) Due(ns ledger.Namespace, id ledger.OperationID) (ledger.Due, bool) {
	w.t.Helper()
	return ledger.DueOf(w.Operation(ns, id))
}

// RunDue runs all due work of this moment, and that which it causes, as the dispatcher would. It answers how many
// commands changed something.
func (w *World) RunDue() int {
	w.t.Helper()
	changed := 0
	for again := true; again; {
		again = false
		for _, o := range w.Operations() {
			due, ok := ledger.DueOf(o)
			if !ok || due.At.After(w.Now) {
				continue
			}
			reply, err := w.Do(&ledger.Wake{Due: due, Jitter: 0.5})
			if err != nil {
				w.t.Fatalf("due work of %s failed: %v", o.ID, err)
			}
			switch {
			case reply.(*ledger.Woken).Changed:
				again = true
				changed++
			case w.Env.ClockError == 0:
				w.t.Fatalf("operation %s (%s) is due for %s, and its due work changes nothing: it would run for ever", o.ID, o.State, due.Kind)
			}
		}
	}
	return changed
}
