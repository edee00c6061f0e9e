package server

import (
	"context"
	"errors"

	"github.com/opledger/opledger/ledger"
)

// find gives an operation as it stands: its row, or, of a read that nobody has reported yet, what its log shows.
func (s *Server) find(ctx context.Context, ns ledger.Namespace, id ledger.OperationID) (*ledger.Operation, error) {
	o, err := s.config.Ledger.Engine().GetOperation(ctx, ns, id)
	if !errors.Is(err, ledger.ErrNotFound) {
		return o, err
	}
	r, err := s.reading(ctx, ns, id)
	if err != nil {
		return nil, err
	}
	if r.Operation == nil { // it was reported between the two looks
		return s.config.Ledger.Engine().GetOperation(ctx, ns, id)
	}
	o, _, err = s.seen(ctx, r)
	return o, err
}

// seen is a read that nobody has reported yet, as time leaves it by now.
func (s *Server) seen(ctx context.Context, r *ledger.Reading) (*ledger.Operation, []ledger.Event, error) {
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, nil, err
	}
	var workflow *ledger.Workflow
	if id := r.Operation.WorkflowID; id != "" {
		record, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.WorkflowKey(r.Namespace, id))
		if err != nil && !errors.Is(err, ledger.ErrNotFound) {
			return nil, nil, err
		}
		workflow, _ = record.(*ledger.Workflow)
	}
	o, events := r.Seen(now, s.config.Ledger.Engine().ClockError(), workflow)
	return o, events, nil
}

func (s *Server) reading(ctx context.Context, ns ledger.Namespace, id ledger.OperationID) (*ledger.Reading, error) {
	record, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.ReadingKey(ns, id))
	if err != nil {
		return nil, err
	}
	return record.(*ledger.Reading), nil
}

// events are an operation's events after a sequence, oldest first, at most the limit: those of its row, or of the log of a
// read that nobody has reported yet.
func (s *Server) events(ctx context.Context, o *ledger.Operation, after int64, limit int) ([]ledger.Event, error) {
	if o.Version == 0 {
		r, err := s.reading(ctx, o.Namespace, o.ID)
		if err != nil {
			return nil, err
		}
		if r.Operation != nil {
			_, events, err := s.seen(ctx, r)
			if err != nil {
				return nil, err
			}
			events = events[min(after, int64(len(events))):]
			return events[:min(limit, len(events))], nil
		}
	}
	return s.config.Ledger.Engine().ListEvents(ctx, o.Namespace, o.ID, after, limit)
}
