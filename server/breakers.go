package server

import (
	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
)

// passes reports whether a queue's provider is to be asked for anything now: an open breaker leaves its work unclaimed.
func (s *Server) passes(q ledger.Queue) bool { return s.config.Breakers.Room(breaker.KeyOf(q), 1) > 0 }

// learn tells a provider's breaker what a worker reports of it. What the caller does inline is his own to hold back.
func (s *Server) learn(r *ledger.Report, reported *ledger.Reported) {
	o := reported.Operation
	if !o.Terms.Queued() || reported.Repeated {
		return
	}
	if good, tells := breaker.Tells(r); tells {
		q := ledger.Queue{Namespace: o.Namespace, Executor: o.Terms.Executor, Tool: o.Tool, Kind: ledger.WorkDispatch, Provider: ledger.ProviderOf(&o.Terms)}
		s.config.Breakers.Result(breaker.KeyOf(q), good)
	}
}
