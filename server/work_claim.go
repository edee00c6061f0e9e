package server

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

const (
	// claimHold is how long what a poll has claimed is kept for it. A server that dies in between holds nothing up longer.
	claimHold = 10 * time.Second
	// takeBatch is how many takes are handed in before the client is looked for again: a permit for nobody is a permit that
	// waits for its deadline.
	takeBatch = 32
	// maxFills bounds how often one look claims more because takes came to nothing.
	maxFills = 4
	// releaseTimeout bounds giving claims back; they come free by themselves.
	releaseTimeout = 2 * time.Second
)

// fill claims what is ready, queue by queue in turns, and takes it up, until the credit is used up or nothing is ready.
// An error is answered where something could not be done; what was handed out before it stays handed out.
func (p *workPoll) fill(ctx context.Context) error {
	for range maxFills {
		if p.room == 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		claimed, err := p.claim(ctx)
		if len(claimed) == 0 {
			return err
		}
		if takeErr := p.take(ctx, claimed); takeErr != nil {
			return takeErr
		}
		if err != nil || len(p.items) > 0 {
			return err
		}
	}
	return nil
}

// claim takes hold of what is ready, as far as there is credit. Each queue has an equal share first, so that a long one
// keeps nobody out; what others leave is shared again. Who comes first changes with each look.
func (p *workPoll) claim(ctx context.Context) (claimed []ledger.Work, err error) {
	queues, err := p.ready(ctx)
	if err != nil {
		return nil, err
	}
	room := p.room
	credit := map[creditKey]int{}
	for len(queues) > 0 && room > 0 {
		share := max(1, room/len(queues))
		var more []ledger.Queue
		for _, q := range queues {
			key := creditKey{q.Tool, q.Kind}
			if _, known := credit[key]; !known {
				credit[key] = p.credit[key]
			}
			n := min(share, credit[key], room)
			if n == 0 {
				continue
			}
			got, err := p.config.Ledger.Engine().ClaimWork(ctx, q, p.claimer, n, claimHold)
			if err != nil {
				return claimed, err
			}
			claimed = append(claimed, got...)
			room, credit[key] = room-len(got), credit[key]-len(got)
			if len(got) == n && credit[key] > 0 {
				more = append(more, q)
			}
		}
		queues = more
	}
	return claimed, nil
}

// ready are the queues from which something can be claimed and for which there is credit.
func (p *workPoll) ready(ctx context.Context) (queues []ledger.Queue, err error) {
	query := ledger.WorkQuery{Executor: registry.Worker, Namespace: p.call.namespace(), Ready: true}
	for key, n := range p.credit {
		if n > 0 && !slices.Contains(query.Tools, key.tool) {
			query.Tools = append(query.Tools, key.tool)
		}
	}
	depths, err := p.config.Ledger.Engine().WorkQueues(ctx, query)
	if err != nil {
		return nil, err
	}
	for _, d := range depths {
		if p.credit[creditKey{d.Tool, d.Kind}] > 0 && p.passes(d.Queue) {
			queues = append(queues, d.Queue)
		}
	}
	if len(queues) > 1 {
		first := int(p.work.turn.Add(1) % uint64(len(queues)))
		queues = slices.Concat(queues[first:], queues[:first])
	}
	return queues, nil
}

// take takes up what was claimed and gives back what was not handed out. It looks for the client right before: one that
// has gone away gets no permit.
func (p *workPoll) take(ctx context.Context, claimed []ledger.Work) error {
	var kept []ledger.Work
	defer func() { p.giveBack(kept) }()
	for len(claimed) > 0 {
		n := p.next(claimed)
		if n == 0 {
			kept = append(kept, claimed...)
			return nil
		}
		batch := claimed[:n]
		if err := ctx.Err(); err != nil {
			kept = append(kept, claimed...)
			return err
		}
		claimed = claimed[n:]
		outs, err := judgedAll(ctx, p.Server, p.call.namespace(), p.takes(batch), func(t *ledger.TakeFor, c *configuration) ledger.Command {
			t.Epoch, t.Rules = c.epoch, c.policy
			return t
		})
		if err != nil {
			kept = append(kept, batch...)
			kept = append(kept, claimed...)
			return err
		}
		for i, out := range outs {
			handed, _ := out.Reply.(*ledger.Handed)
			var refusal *ledger.Refusal
			switch {
			case errors.As(out.Err, &refusal): // the operation is not there any more
			case out.Err != nil:
				p.busy = true
				err = out.Err
				kept = append(kept, batch[i])
			case !p.handOut(batch[i], handed) && handed.Operation.Version == batch[i].Stamp:
				kept = append(kept, batch[i])
			}
		}
		if err != nil {
			kept = append(kept, claimed...)
			return err
		}
	}
	return nil
}

// takes makes the commands, with everything that must be chosen before their first try.
func (p *workPoll) takes(batch []ledger.Work) []*ledger.TakeFor {
	var all []*ledger.TakeFor
	for _, w := range batch {
		t := &ledger.TakeFor{Request: p.asked, Take: ledger.Take{
			Work: w, Actor: p.call.actor(), WorkerID: p.request.WorkerId, NewAttempt: p.ids.attempt(), NewDecision: p.ids.decision(), Jitter: p.ids.jitter(),
		}}
		if w.Kind == ledger.WorkDispatch {
			p.number++
			t.Number = p.number
		}
		all = append(all, t)
	}
	return all
}

// giveBack frees claims, whether or not the client is still there.
func (p *workPoll) giveBack(works []ledger.Work) {
	if len(works) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
	defer cancel()
	for _, w := range works {
		if err := p.config.Ledger.Engine().ReleaseWork(ctx, w, 0); err != nil {
			p.log.WarnContext(ctx, "claimed work was not given back; it comes free by itself", "operation_id", string(w.OperationID), "error", err)
			return
		}
	}
}
