package dispatch

import (
	"context"
	"errors"
	"fmt"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/outbox"
)

// Records is due work that is kept as records of one kind: those whose Index says when they are due. The command that a
// record leads to looks at the record itself, does nothing where it is not due any more, and moves its next moment, by
// which the claim ends.
//
//	dispatch.Config{Records: []dispatch.Records{{
//		Kind:    ledger.RecordStep,
//		Command: func(_ context.Context, key ledger.RecordKey) (ledger.Command, error) { return &ledger.RunStep{Key: key}, nil },
//	}}}
type Records struct {
	Kind ledger.RecordKind
	// Command makes a record's command. It is asked again where the command says that the configuration has moved. Nil
	// without an error: there is nothing to do.
	Command func(ctx context.Context, key ledger.RecordKey) (ledger.Command, error)
	// Told, where set, is told of each reply.
	Told func(key ledger.RecordKey, reply any)
}

// maxRebuilds bounds how often a command is made anew because the configuration moved under it.
const maxRebuilds = 5

// records is the source of one kind. A record whose command failed comes back when its claim runs out.
func (d *Dispatcher) records(r Records) outbox.Source[ledger.RecordKey] {
	return outbox.Source[ledger.RecordKey]{
		Name: "due records of the kind " + string(r.Kind),
		Claim: func(ctx context.Context, limit int) ([]ledger.RecordKey, error) {
			return d.engine.ClaimDueRecords(ctx, r.Kind, d.config.Claimer, limit, d.config.Hold)
		},
		HandleAll: func(ctx context.Context, due []ledger.RecordKey) {
			ctx, cancel := context.WithTimeout(ctx, d.config.Hold)
			defer cancel()
			for try := 0; len(due) > 0; try++ {
				due = d.runRecords(ctx, r, due, try < maxRebuilds)
			}
		},
	}
}

// runRecords hands in the commands of records together, and answers those that have to be made anew.
func (d *Dispatcher) runRecords(ctx context.Context, r Records, due []ledger.RecordKey, rebuild bool) (again []ledger.RecordKey) {
	var commands []ledger.Command
	var keys []ledger.RecordKey
	for _, key := range due {
		command, err := r.Command(ctx, key)
		switch {
		case err != nil:
			d.failed(key, err)
		case command != nil:
			commands, keys = append(commands, command), append(keys, key)
		}
	}
	for i, out := range d.config.Ledger.DoAll(ctx, commands) {
		var moved *ledger.EpochMovedError
		switch {
		case errors.As(out.Err, &moved) && rebuild:
			again = append(again, keys[i])
		case out.Err != nil:
			d.failed(keys[i], out.Err)
		default:
			d.config.Observer.DueWork(string(r.Kind), string(Done))
			if r.Told != nil {
				r.Told(keys[i], out.Reply)
			}
		}
	}
	return again
}

func (d *Dispatcher) failed(key ledger.RecordKey, err error) {
	d.config.Observer.DueWork(string(key.Kind), string(Failed))
	d.config.Logger.Warn(fmt.Sprintf("a due record of the kind %s failed; it is tried again", key.Kind), "error", err,
		"namespace", key.Namespace, "id", key.ID)
}
