// Package transact runs commands against an engine: many commands in one transaction, few transactions at a time. It is
// the one path by which anything changes. It decides nothing: it loads what commands declare, asks each for its
// decision, and saves what they came to.
package transact

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/opledger/opledger/ledger"
)

// errAgain marks a command that must be decided in another transaction: an earlier command of its batch changed what it
// depends on.
var errAgain = errors.New("decide again in a transaction of its own")

// maxLoads bounds the rounds of loading: a command names an operation, then the scope that the operation's row names,
// and no chain is longer.
const maxLoads = 8

// maxAsked bounds how often one command asks for a row that it did not foresee.
const maxAsked = 64

// Run runs the commands in order in one try of a transaction and answers one outcome each. Every outcome is final if the
// transaction commits, except those whose error is errAgain.
// Known are reads that an earlier try found to be needed: claims that turned out to be held.
func Run(ctx context.Context, tx ledger.Tx, env ledger.Env, commands []ledger.Command, known []ledger.Read) ([]ledger.Decided, error) {
	now, err := tx.Now(ctx)
	if err != nil {
		return nil, err
	}
	b := &batch{tx: tx, env: env, view: ledger.NewView(now), commands: commands, owner: map[ledger.ClaimID]int{}, inserted: map[ledger.ClaimID]ledger.Claim{}}
	if err := b.claim(ctx); err != nil {
		return nil, err
	}
	if err := b.load(ctx, known); err != nil {
		return nil, err
	}
	outcomes := make([]ledger.Decided, len(commands))
	all := &ledger.Changes{}
	for i := range commands {
		if outcomes[i], err = b.decide(ctx, i); err != nil {
			return nil, err
		}
		b.settleClaims(i, &outcomes[i])
		if c := outcomes[i].Changes; c != nil {
			b.view.Apply(c)
			merge(all, c)
		}
	}
	if all.Empty() {
		return outcomes, nil
	}
	b.dropWritten(all)
	return outcomes, tx.Save(ctx, all)
}

// batch is one try of one transaction.
type batch struct {
	tx       ledger.Tx
	env      ledger.Env
	view     *ledger.View
	commands []ledger.Command
	owner    map[ledger.ClaimID]int          // which command claims first
	inserted map[ledger.ClaimID]ledger.Claim // claims that this transaction inserted
}

// claim inserts every claim once, for the first command that wants it.
func (b *batch) claim(ctx context.Context) error {
	var claims []ledger.Claim
	for i, c := range b.commands {
		for _, cl := range c.Claims() {
			if _, taken := b.owner[cl.ClaimID]; taken {
				continue
			}
			b.owner[cl.ClaimID] = i
			claims = append(claims, cl)
		}
	}
	if len(claims) == 0 {
		return nil
	}
	lost, err := b.tx.Claim(ctx, claims)
	if err != nil {
		return err
	}
	isLost := map[ledger.ClaimID]bool{}
	for _, id := range lost {
		isLost[id] = true
	}
	for _, cl := range claims {
		if !isLost[cl.ClaimID] {
			b.inserted[cl.ClaimID] = cl
			b.view.MarkLoaded(cl.Read())
		}
	}
	return nil
}

// load answers the commands' reads until they name nothing new.
func (b *batch) load(ctx context.Context, known []ledger.Read) error {
	for range maxLoads {
		reads := slices.Clone(known)
		for _, c := range b.commands {
			for _, cl := range c.Claims() {
				reads = append(reads, cl.Read())
			}
			reads = append(reads, c.Reads(b.view)...)
		}
		missing := b.view.Missing(reads)
		if len(missing) == 0 {
			return nil
		}
		if err := b.tx.Load(ctx, b.view, missing); err != nil {
			return err
		}
		for _, r := range missing {
			b.view.MarkLoaded(r)
		}
	}
	return fmt.Errorf("a command's reads do not come to an end after %d loads", maxLoads)
}

// decide asks one command for its decision. A row that it asks for and did not foresee is loaded, and it is asked again:
// a decision changes nothing, and what earlier commands of the batch changed is in the view already.
func (b *batch) decide(ctx context.Context, i int) (ledger.Decided, error) {
	for range maxAsked {
		out, missing := b.ask(i)
		if missing == nil {
			return out, nil
		}
		if err := b.tx.Load(ctx, b.view, missing); err != nil {
			return ledger.Decided{}, err
		}
		for _, r := range missing {
			b.view.MarkLoaded(r)
		}
	}
	return ledger.Decided{}, fmt.Errorf("a command's reads do not come to an end after %d questions", maxAsked)
}

// ask asks one command for its decision, or which rows it lacks.
func (b *batch) ask(i int) (out ledger.Decided, missing []ledger.Read) {
	for _, cl := range b.commands[i].Claims() {
		if first := b.owner[cl.ClaimID]; first != i {
			if _, mine := b.inserted[cl.ClaimID]; mine {
				if _, kept := b.view.Claim(cl.ClaimID); !kept {
					return ledger.Decided{Err: errAgain}, nil // the first command gave the claim back
				}
			}
		}
	}
	defer func() {
		if r := recover(); r != nil {
			lacks, ok := r.(*ledger.NotLoadedError)
			if !ok {
				panic(r)
			}
			missing = append([]ledger.Read{lacks.Read}, lacks.Beside...)
		}
	}()
	return b.commands[i].Decide(b.view, b.env), nil
}

// settleClaims gives back the claims that were inserted for a command and that its decision did not keep.
func (b *batch) settleClaims(i int, out *ledger.Decided) {
	kept := map[ledger.ClaimID]bool{}
	if out.Changes != nil {
		for _, cl := range out.Changes.Claims {
			kept[cl.ClaimID] = true
		}
	}
	for _, cl := range b.commands[i].Claims() {
		if _, ours := b.inserted[cl.ClaimID]; ours && b.owner[cl.ClaimID] == i && !kept[cl.ClaimID] {
			if out.Changes == nil {
				out.Changes = &ledger.Changes{}
			}
			out.Changes.Unclaims = append(out.Changes.Unclaims, cl.ClaimID)
		}
	}
}

// dropWritten leaves out claims that stand in the database exactly as they were inserted.
func (b *batch) dropWritten(all *ledger.Changes) {
	var changed []ledger.Claim
	for _, cl := range all.Claims {
		if have, ok := b.inserted[cl.ClaimID]; !ok || have != cl {
			changed = append(changed, cl)
		}
	}
	all.Claims = changed
}

// merge adds one decision's changes to the transaction's. Of a row that changes twice the last version is saved; its
// events are all kept.
func merge(all, c *ledger.Changes) {
	for key := range c.Created {
		if all.Created == nil {
			all.Created = map[ledger.OperationKey]bool{}
		}
		all.Created[key] = true
	}
	for _, o := range c.Operations {
		all.Operations = replace(all.Operations, o, func(a, b *ledger.Operation) bool { return a.ID == b.ID && a.Namespace == b.Namespace })
	}
	for _, cl := range c.Claims {
		all.Claims = replace(all.Claims, cl, func(a, b ledger.Claim) bool { return a.ClaimID == b.ClaimID })
	}
	for _, s := range c.Scopes {
		all.Scopes = replace(all.Scopes, s, func(a, b scope) bool { return a.Ref == b.Ref })
	}
	for _, t := range c.Tools {
		all.Tools = replace(all.Tools, t, func(a, b ledger.ToolHead) bool { return a.Namespace == b.Namespace && a.Name == b.Name })
	}
	for ns, e := range c.Epochs {
		if all.Epochs == nil {
			all.Epochs = map[ledger.Namespace]int64{}
		}
		all.Epochs[ns] = e
	}
	for _, r := range c.Records {
		all.Records = replace(all.Records, r, func(a, b ledger.Record) bool { return a.Key() == b.Key() })
	}
	all.Events = append(all.Events, c.Events...)
	all.Unclaims = append(all.Unclaims, c.Unclaims...)
	all.Decisions = append(all.Decisions, c.Decisions...)
	all.Versions = append(all.Versions, c.Versions...)
}

func replace[T any](list []T, item T, same func(a, b T) bool) []T {
	for i := range list {
		if same(list[i], item) {
			list[i] = item
			return list
		}
	}
	return append(list, item)
}
