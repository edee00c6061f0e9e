package dispatch

import (
	"context"
	"errors"
	"time"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/outbox"
	"github.com/opledger/opledger/registry"
)

// What may become of an item beside the outcomes of due work.
const (
	Nothing  Outcome = "nothing"   // overtaken, or judged and put off: the ledger says when it is looked at again
	HeldBack Outcome = "held_back" // the provider's breaker let nothing pass any more
)

// commandTimeout bounds one command. It is longer than a transaction with all its tries.
const commandTimeout = transact.DefaultTimeout + 5*time.Second

// handle carries out one item that was claimed.
func (e *Executor) handle(ctx context.Context, item errand) {
	defer e.Poke() // there is room again
	defer e.slots.free(item.work.Queue, 1)
	if !e.config.Breakers.Allow(item.key) {
		e.release(ctx, item.work, max(e.config.Breakers.Wait(item.key), outbox.MinRetry))
		e.tell(item, HeldBack)
		return
	}
	told := false
	defer func() {
		if !told {
			e.config.Breakers.GiveBack(item.key)
		}
	}()
	handed, granted, config, err := e.take(ctx, item.work)
	switch {
	case err != nil:
		e.failed(ctx, item.work, err)
		e.tell(item, Failed)
	case handed.Permit != nil:
		told = e.act(ctx, item, handed, granted, config)
	case handed.Lookup != nil:
		told = e.ask(ctx, item, handed, config)
	case handed.Operation == nil || handed.Operation.Version != item.work.Stamp:
		e.tell(item, Nothing)
	default: // it stands as it was claimed: by the database's clock the moment had not come quite yet
		e.release(ctx, item.work, e.engine.ClockError()+earlyRetry)
		e.tell(item, Early)
	}
}

func (e *Executor) tell(item errand, outcome Outcome) {
	e.config.Observer.DueWork(string(item.work.Kind), string(outcome))
}

// takeTries bounds how often a Take is sent whose answer got lost, under the same attempt, so that it finds its own.
const takeTries = 3

// take takes the item up: the permit, counted from before it was asked for, or a question.
func (e *Executor) take(ctx context.Context, w ledger.Work) (*ledger.Handed, lease, *Configuration, error) {
	take := ledger.Take{
		Work: w, Actor: ledger.Actor{Principal: ServerPrincipal}, WorkerID: e.config.Claimer, Jitter: e.config.Jitter(),
		NewAttempt: ledger.AttemptID(e.config.NewID("att_")), NewDecision: ledger.DecisionID(e.config.NewID("dec_")),
	}
	fresh, rebuilds := false, 0
	for try := 1; ; try++ {
		config, err := e.config.Configurations.Configuration(ctx, w.Namespace, fresh)
		if err != nil {
			return nil, lease{}, nil, err
		}
		command := take // a command is fixed before its first try, and never changed under a transaction that may still run
		command.Epoch, command.Rules = config.Epoch, config.Rules
		asked := e.config.Clocks.now()
		reply, err := e.do(ctx, &command)
		var moved *ledger.EpochMovedError
		switch {
		case err == nil:
			handed := reply.(*ledger.Handed)
			e.config.Announce(handed, nil)
			granted := lease{asked: asked}
			if handed.Permit != nil {
				granted.lasts = handed.Permit.Remaining
			}
			return handed, granted, config, nil
		case errors.As(err, &moved) && rebuilds < maxRebuilds:
			fresh = true
			rebuilds++
			try--
		case refused(err), errors.Is(err, transact.ErrClosed), try == takeTries:
			return nil, lease{}, nil, err
		}
	}
}

// do hands in one command, for a bounded time.
func (e *Executor) do(ctx context.Context, command ledger.Command) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	return e.config.Ledger.Do(ctx, command)
}

// refused reports whether the ledger has decided against a command, so that it need not be sent again.
func refused(err error) bool {
	var no *ledger.Refusal
	return errors.As(err, &no)
}

// failed gives an item back that could not be taken up.
func (e *Executor) failed(ctx context.Context, w ledger.Work, err error) {
	e.config.Logger.Warn("work could not be taken up; it is tried again", "error", err,
		"namespace", w.Namespace, "operation_id", w.OperationID, "kind", w.Kind)
	pause := time.Duration(0) // this process stops; another one need not wait
	if !errors.Is(err, transact.ErrClosed) {
		pause = e.lateness(ctx, w)
	}
	e.release(ctx, w, pause)
}

// lateness is the pause before an item that failed is tried again.
func (e *Executor) lateness(ctx context.Context, w ledger.Work) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	now, err := e.engine.Time(ctx)
	if err != nil {
		now = w.At // as little late as can be
	}
	return outbox.RetryAfter(now.Sub(w.At), e.config.Jitter())
}

// release gives a claim back. Where that fails the claim runs out by itself.
func (e *Executor) release(ctx context.Context, w ledger.Work, pause time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := e.engine.ReleaseWork(ctx, w, pause); err != nil {
		e.config.Logger.Warn("a claim of work could not be given back; it runs out by itself", "error", err,
			"namespace", w.Namespace, "operation_id", w.OperationID)
	}
}

// durable sends a command until the ledger has it, or until the process ends: what a provider has answered is known
// nowhere else. Its identifiers are the same in each try, so that it counts once.
func (e *Executor) durable(ctx context.Context, what string, o *ledger.Operation, command ledger.Command) (reply any, err error) {
	for try := 1; ; try++ {
		reply, err = e.do(ctx, command)
		if err == nil || refused(err) {
			e.config.Announce(reply, err)
			return reply, err
		}
		log := e.config.Logger.With("error", err, "namespace", o.Namespace, "operation_id", o.ID, "try", try)
		if e.cut.Err() != nil || errors.Is(err, transact.ErrClosed) {
			log.Error(what + " could not be recorded before this process ends; the operation's outcome will be looked for")
			return nil, err
		}
		log.Warn(what + " could not be recorded; it is tried again")
		pause := outbox.MinRetry << min(try-1, 5)
		select {
		case <-e.config.After(pause - time.Duration(e.config.Jitter()*float64(pause)/2)):
		case <-e.cut.Done():
		}
	}
}

// definition finds the version of the tool that the operation was made under: a resend is the same request.
func (e *Executor) definition(ctx context.Context, config *Configuration, o *ledger.Operation) *registry.Definition {
	if tool := config.Tool(o.Tool, o.ToolVersion); tool != nil {
		return tool
	}
	fresh, err := e.config.Configurations.Configuration(ctx, o.Namespace, true)
	if err != nil {
		return nil
	}
	return fresh.Tool(o.Tool, o.ToolVersion)
}

// learn tells the provider's breaker what came of a request.
func (e *Executor) learn(key breaker.Key, good, tells bool) bool {
	if tells {
		e.config.Breakers.Result(key, good)
	}
	return tells
}
