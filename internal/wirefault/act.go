package wirefault

import (
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// act does to the request what the rule says, on account of its message at the given place.
func (s *session) act(injection *Injection, r *request, at int) error {
	action := injection.rule.Action
	if action.kind == actCutThenForward {
		s.cutThenForward(injection, r)
		return errCut
	}
	defer injection.finish()
	switch action.kind {
	case actFail:
		return s.fail(r, at, action.sqlState)
	case actFailAfter:
		return s.failAfter(r, at, action.sqlState)
	case actCutAfter:
		if err := s.exchange(r.bytes(), ignore); err != nil {
			return err
		}
		s.hangUp()
		s.proxy.drop(s.conn)
		return errCut
	case actTerminate:
		s.hangUp()
		s.client.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: action.sqlState,
			Message: "terminating connection, injected by wirefault"})
		_ = s.client.Flush()
		s.proxy.drop(s.conn)
		return errCut
	case actHold:
		if err := s.wait(action); err != nil {
			return err
		}
		return s.forward(r)
	default: // actCut
		s.hangUp()
		s.proxy.drop(s.conn)
		return errCut
	}
}

func ignore(pgproto3.BackendMessage) error { return nil }

// wait waits for what the action waits for, or for the proxy's end.
func (s *session) wait(action Action) error {
	var after <-chan time.Time
	if action.release == nil {
		timer := time.NewTimer(action.delay)
		defer timer.Stop()
		after = timer.C
	}
	select {
	case <-action.release:
	case <-after:
	case <-s.proxy.ctx.Done():
		return s.proxy.ctx.Err()
	}
	return nil
}

// cutThenForward leaves the server to a goroutine that executes the request when it is released.
func (s *session) cutThenForward(injection *Injection, r *request) {
	late := &session{proxy: s.proxy, server: s.server}
	s.server = nil
	s.proxy.drop(s.conn)
	s.proxy.sessions.Go(func() {
		defer injection.finish()
		defer late.hangUp()
		if late.wait(injection.rule.Action) == nil {
			_ = late.exchange(r.bytes(), ignore) // nobody is left to be told
		}
	})
}

// fail has the server raise the error in the statement's place. What stands before it in the pipeline is
// executed and answered; what stands behind it the server skips by itself, as after any error.
func (s *session) fail(r *request, at int, sqlState string) error {
	failing := r.messages[at]
	before := r.messages[:at]
	var raise []byte
	var err error
	if failing.simple {
		raise, err = encode(&pgproto3.Query{String: raising(sqlState)})
	} else {
		raise, err = encode(&pgproto3.Parse{Query: raising(sqlState)}, &pgproto3.Bind{}, &pgproto3.Execute{}, &pgproto3.Sync{})
	}
	if err != nil {
		return err
	}
	// The client knows nothing of our own Parse and Bind, so it must not see their answers.
	var parses, binds int
	for _, m := range before {
		if m.parses {
			parses++
		}
		if m.binds {
			binds++
		}
	}
	err = s.exchange(append(join(before), raise...), func(answer pgproto3.BackendMessage) error {
		switch answer.(type) {
		case *pgproto3.ParseComplete:
			if parses--; parses < 0 {
				return nil
			}
		case *pgproto3.BindComplete:
			if binds--; binds < 0 {
				return nil
			}
		}
		return s.pass(answer)
	})
	if err != nil {
		return err
	}
	if failing.statement.commits() && s.server.status != idle {
		// A COMMIT that fails ends its transaction.
		if err := s.server.run("ROLLBACK"); err != nil {
			return err
		}
	}
	return s.ready()
}

// failAfter executes the whole request and puts the error in the place of the statement's answer.
func (s *session) failAfter(r *request, at int, sqlState string) error {
	executedBefore := 0
	for _, m := range r.messages[:at] {
		if m.statement != nil {
			executedBefore++
		}
	}
	reached := false // the answers that are left belong to the failing statement, or to later ones
	refused := false // the server itself gave an error
	err := s.exchange(r.bytes(), func(answer pgproto3.BackendMessage) error {
		switch answer.(type) {
		case *pgproto3.ErrorResponse:
			refused = true
		case *pgproto3.DataRow, *pgproto3.CommandComplete, *pgproto3.EmptyQueryResponse, *pgproto3.PortalSuspended:
			reached = reached || executedBefore == 0
		case *pgproto3.RowDescription:
			reached = reached || r.messages[at].simple // in the extended protocol it answers Describe
		}
		if reached && !refused {
			return nil
		}
		if _, row := answer.(*pgproto3.DataRow); !row && executes(answer) {
			executedBefore--
		}
		return s.pass(answer)
	})
	if err != nil {
		return err
	}
	if refused {
		return s.ready()
	}
	if s.server.status == inTransaction {
		if err := s.server.run(raising(sqlState)); err != nil {
			return err
		}
	}
	s.client.Send(&pgproto3.ErrorResponse{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: sqlState,
		Message: "injected by wirefault after the statement was executed"})
	return s.ready()
}

// executes tells whether the message ends the answer to one Execute.
func executes(answer pgproto3.BackendMessage) bool {
	switch answer.(type) {
	case *pgproto3.CommandComplete, *pgproto3.EmptyQueryResponse, *pgproto3.PortalSuspended:
		return true
	}
	return false
}
