package smallworld

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

// decide runs one command of the real core in a transaction of its own, and judges what it gave.
func (w world) decide(r rules, c ledger.Command) (world, ledger.Decided) {
	rows, out := w.transact(r, w.time(), c)
	n := w
	n.rows = rows
	if n.wrong == "" {
		n.wrong = w.given(rows)
	}
	return n, out
}

// transact runs one command at a moment. What a refused transaction would have changed is not there.
func (w *world) transact(r rules, now time.Time, c ledger.Command) (result rows, out ledger.Decided) {
	b := r.broken
	if b != nil {
		defer func() {
			// An impossible operation is refused by the core itself. The search is to notice without that.
			switch p := recover().(type) {
			case nil:
			case *ledger.ImpossibleError:
				result, out = w.rows, ledger.Decided{Err: p}
			default:
				panic(p)
			}
		}()
		if b.command != nil {
			c = b.command(w, c)
		}
	}
	var known []ledger.Read
	for range 3 {
		t := &tx{now: now, rows: w.rows}
		if b != nil {
			b.watch(w, c, t)
		}
		all, err := transact.Run(context.Background(), t, ledger.Env{}, []ledger.Command{c}, known)
		var conflict *ledger.ClaimConflictError
		if errors.As(err, &conflict) {
			for _, id := range conflict.IDs {
				known = append(known, id.Read())
			}
			continue
		}
		if err != nil {
			panic(err) // no refusal, but a failure of the core itself; the search shows it with its history
		}
		if b != nil {
			b.alter(w, c, t)
		}
		return t.rows, all[0]
	}
	panic(fmt.Errorf("%T: its claims were in conflict again and again", c))
}

// watch puts the broken rule before what a transaction loads.
func (b *broken) watch(w *world, c ledger.Command, t *tx) {
	t.alone, t.still = b.alone, b.still
	if b.see != nil {
		t.see = func(o *ledger.Operation) *ledger.Operation {
			o = o.Clone()
			b.see(w, c, o)
			return o
		}
	}
}

// alter lets the broken rule change what a transaction has written.
func (b *broken) alter(w *world, c ledger.Command, t *tx) {
	for i, o := range t.rows.operations {
		before := w.rows.operation(o.ID)
		if o == before {
			continue
		}
		if b.see != nil || b.keep != nil {
			o = o.Clone()
			if before != nil {
				o.Terms = before.Terms // what was only shown is not kept
			}
			t.rows.operations[i] = o
		}
		if b.keep != nil {
			b.keep(w, c, before, o)
		}
	}
}

// given judges what a transaction has given: it names the promise that the permit, begin or extension breaks.
func (w *world) given(after rows) string {
	for _, s := range after.scopes {
		if before, _ := w.rows.scope(s.Ref); s.Fence < before.Fence {
			return fmt.Sprintf("fencing: the number of %s fell from %d to %d", s.Ref.Name, before.Fence, s.Fence)
		}
	}
	for i := range w.said {
		before, o := w.operation(i), after.operation(operationID(i))
		if o == nil || o == before {
			continue
		}
		had := 0
		if before != nil {
			had = len(before.Attempts)
		}
		for n := range o.Attempts {
			what := ""
			switch a := &o.Attempts[n]; {
			case n >= had:
				what = "a permit"
			case !before.Attempts[n].Begun() && a.Begun():
				what = "a begin"
			case a.Deadline.After(before.Attempts[n].Deadline):
				what = "an extension"
			}
			if what == "" {
				continue
			}
			if wrong := w.wrongToGive(i, n, had, o, what); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// wrongToGive names the promise that is broken by what was given to an operation.
func (w *world) wrongToGive(i, n, had int, o *ledger.Operation, what string) string {
	switch {
	case w.said[i]:
		return fmt.Sprintf("heed: %s of operation %d although its effect was said to exist", what, i+1)
	case w.rows.epoch > 0:
		return fmt.Sprintf("configuration: %s of operation %d although the tool is forbidden by now", what, i+1)
	case what != "a permit":
		return ""
	}
	for _, f := range o.Attempts[n].Fences {
		for _, s := range w.rows.scopes {
			if s.Ref.Name == f.Scope && s.Ref.Group() != "" && f.Number <= s.Fence {
				return fmt.Sprintf("fencing: the number %d of %s was given before", f.Number, f.Scope)
			}
		}
	}
	ref, grouped := o.GroupRef()
	if !grouped || had > 0 {
		return ""
	}
	for _, other := range w.rows.operations {
		if theirs, also := other.GroupRef(); also && theirs == ref && other.ID != o.ID && other.State.Released() {
			return fmt.Sprintf("group: operation %d was let in while operation %s is open in %s", i+1, other.ID, ref.Name)
		}
	}
	return ""
}
