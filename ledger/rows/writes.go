package rows

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/opledger/opledger/ledger"
)

// Update is a changed operation and the version that its row must still have.
type Update struct {
	Operation
	Loaded int64
}

// Loaded are the versions of the rows that a transaction has loaded, to guard their update by.
type Loaded struct {
	Operations map[ledger.OperationKey]int64
	Records    map[ledger.RecordKey]int64 // empty rows of version zero included, absent ones not
}

// NewLoaded is what a transaction has loaded when it begins: nothing.
func NewLoaded() Loaded {
	return Loaded{Operations: map[ledger.OperationKey]int64{}, Records: map[ledger.RecordKey]int64{}}
}

// Saved makes the saved versions those that the transaction's next changes are guarded by.
func (l Loaded) Saved(c *ledger.Changes) {
	for _, o := range c.Operations {
		l.Operations[o.RowKey()] = o.Version
	}
	for _, r := range c.Records {
		l.Records[r.Key()] = r.RowVersion()
	}
}

// Writes are the rows of one transaction, checked, and each table's in the order of its key, so that transactions that
// meet on several rows lock them in one order.
type Writes struct {
	Unclaims  []ledger.ClaimID
	Claims    []ledger.Claim
	Inserts   []Operation
	Updates   []Update
	Events    []Event
	Open      []Open                // of changed operations
	Closed    []ledger.OperationKey // changed operations that have ended, and that time changes no more
	Work      []Work                // of changed operations
	Idle      []ledger.OperationKey // changed operations that an executor may have been asked for, and now is not
	Scopes    []Scope
	Decisions []Decision
	Tools     []ledger.ToolHead
	Versions  []ledger.ToolVersion
	Epochs    []Epoch
	Records   []RecordWrites
}

// Epoch is a namespace's configuration epoch.
type Epoch struct {
	Namespace ledger.Namespace
	Epoch     int64
}

// FromChanges makes the rows of a transaction's changes. Loaded gives the versions of the rows that the
// transaction has loaded: an operation that was neither created nor loaded in it cannot be guarded, and is refused.
func FromChanges(c *ledger.Changes, loaded Loaded) (*Writes, error) {
	w := &Writes{Unclaims: slices.Clone(c.Unclaims), Tools: slices.Clone(c.Tools), Versions: slices.Clone(c.Versions)}
	for _, add := range []func(*ledger.Changes, Loaded) error{w.operations, w.claims, w.history, w.scopes, w.tools, w.records} {
		if err := add(c, loaded); err != nil {
			return nil, err
		}
	}
	w.sort()
	return w, nil
}

func (w *Writes) operations(c *ledger.Changes, loaded Loaded) error {
	for _, o := range c.Operations {
		row, err := FromOperation(o)
		if err != nil {
			return err
		}
		key := o.RowKey()
		version, known := loaded.Operations[key]
		switch {
		case c.Created[key] && known:
			return fmt.Errorf("%w: operation %s was loaded and is said to be new", ErrImpossible, o.ID)
		case c.Created[key]:
			w.Inserts = append(w.Inserts, row)
		case !known:
			return fmt.Errorf("%w: operation %s changed without having been loaded", ErrImpossible, o.ID)
		case o.Version <= version:
			return fmt.Errorf("%w: operation %s changed and its version went from %d to %d", ErrImpossible, o.ID, version, o.Version)
		default:
			w.Updates = append(w.Updates, Update{Operation: row, Loaded: version})
		}
		if open, ok := FromOpen(o); ok {
			w.Open = append(w.Open, open)
		} else if !c.Created[key] {
			w.Closed = append(w.Closed, key)
		}
		if err := w.work(o, c.Created[key]); err != nil {
			return err
		}
	}
	return nil
}

// work adds what is to be done for an operation, or that nothing is. An operation that its proposer carries out never has
// a row, and is looked for in vain by no statement.
func (w *Writes) work(o *ledger.Operation, created bool) error {
	row, some, err := FromWork(o)
	switch {
	case err != nil:
		return err
	case some:
		w.Work = append(w.Work, row)
	case !created && o.Terms.Queued():
		w.Idle = append(w.Idle, o.RowKey())
	}
	return nil
}

func (w *Writes) claims(c *ledger.Changes, _ Loaded) (err error) {
	w.Claims, err = SortClaims(c.Claims)
	return err
}

func (w *Writes) history(c *ledger.Changes, _ Loaded) error {
	for _, e := range c.Events {
		row, err := FromEvent(e)
		if err != nil {
			return err
		}
		w.Events = append(w.Events, row)
	}
	for _, d := range c.Decisions {
		row, err := FromDecision(d)
		if err != nil {
			return err
		}
		w.Decisions = append(w.Decisions, row)
	}
	return nil
}

func (w *Writes) scopes(c *ledger.Changes, _ Loaded) error {
	for _, s := range c.Scopes {
		row, err := FromScope(s)
		if err != nil {
			return err
		}
		w.Scopes = append(w.Scopes, row)
	}
	return nil
}

func (w *Writes) tools(c *ledger.Changes, _ Loaded) error {
	var k check
	for _, t := range c.Tools {
		k.name("namespace", string(t.Namespace))
		k.name("tool", t.Name)
		k.text("digest", t.Digest, MaxName)
		k.text("reason", t.Reason, MaxDocument)
		k.that(t.Version > 0, "tool %s has version %d", t.Name, t.Version)
	}
	for _, v := range c.Versions {
		k.name("namespace", string(v.Namespace))
		k.name("tool", v.Name)
		k.text("digest", v.Digest, MaxName)
		k.text("principal", string(v.AppliedBy), MaxName)
		k.that(v.Version > 0, "tool %s has version %d", v.Name, v.Version)
		k.that(!v.AppliedAt.IsZero(), "version %d of tool %s lacks its time", v.Version, v.Name)
		k.that(len(v.Definition) <= MaxDocument, "the definition of tool %s has %d bytes, at most %d are kept", v.Name, len(v.Definition), MaxDocument)
	}
	for ns, epoch := range c.Epochs {
		k.name("namespace", string(ns))
		k.that(epoch > 0, "namespace %s has epoch %d", ns, epoch)
		w.Epochs = append(w.Epochs, Epoch{ns, epoch})
	}
	return k.err
}

func (w *Writes) sort() {
	slices.SortFunc(w.Unclaims, compareClaims)
	slices.SortFunc(w.Inserts, func(a, b Operation) int { return byKey(a.Namespace, b.Namespace, a.OperationID, b.OperationID) })
	slices.SortFunc(w.Updates, func(a, b Update) int { return byKey(a.Namespace, b.Namespace, a.OperationID, b.OperationID) })
	slices.SortFunc(w.Events, func(a, b Event) int {
		return cmp.Or(byKey(a.Namespace, b.Namespace, a.OperationID, b.OperationID), cmp.Compare(a.Sequence, b.Sequence))
	})
	slices.SortFunc(w.Open, func(a, b Open) int { return byKey(a.Namespace, b.Namespace, a.OperationID, b.OperationID) })
	slices.SortFunc(w.Closed, func(a, b ledger.OperationKey) int {
		return byKey(a.Namespace, b.Namespace, a.OperationID, b.OperationID)
	})
	slices.SortFunc(w.Work, func(a, b Work) int { return byKey(a.Namespace, b.Namespace, a.OperationID, b.OperationID) })
	slices.SortFunc(w.Idle, func(a, b ledger.OperationKey) int {
		return byKey(a.Namespace, b.Namespace, a.OperationID, b.OperationID)
	})
	SortScopes(w.Scopes)
	slices.SortFunc(w.Decisions, func(a, b Decision) int { return byKey(a.Namespace, b.Namespace, a.DecisionID, b.DecisionID) })
	slices.SortFunc(w.Tools, func(a, b ledger.ToolHead) int { return byKey(a.Namespace, b.Namespace, a.Name, b.Name) })
	slices.SortFunc(w.Epochs, func(a, b Epoch) int { return strings.Compare(string(a.Namespace), string(b.Namespace)) })
}

func byKey[A, B ~string](a1, b1 A, a2, b2 B) int {
	return cmp.Or(strings.Compare(string(a1), string(b1)), strings.Compare(string(a2), string(b2)))
}
