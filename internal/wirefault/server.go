package wirefault

import (
	"context"
	"fmt"
	"maps"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

const (
	// connectTimeout bounds the making of a connection to the server.
	connectTimeout = 20 * time.Second
	// goodbyeTimeout bounds the ROLLBACK before a connection to the server is given up.
	goodbyeTimeout = 5 * time.Second
)

// Transaction states, as ReadyForQuery tells them.
const (
	idle          byte = 'I'
	inTransaction byte = 'T'
)

// server is one connection to the real server.
type server struct {
	conn       net.Conn
	frontend   *pgproto3.Frontend
	pid        uint32
	secret     []byte
	parameters map[string]string // what the server reported of itself
	status     byte              // the transaction's state after the last answer
}

// dial connects to the real server with the proxy's own credentials and a client's run-time parameters.
func (p *Proxy) dial(ctx context.Context, startup map[string]string) (*server, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	config := p.upstream.Copy()
	for name, value := range startup {
		switch name {
		case "user":
		case "database":
			config.Database = value
		default:
			config.RuntimeParams[name] = value
		}
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	raw, err := conn.Hijack()
	if err != nil {
		return nil, err
	}
	if !p.track(raw.Conn) {
		_ = raw.Conn.Close()
		return nil, fmt.Errorf("the proxy is closed")
	}
	return &server{conn: raw.Conn, frontend: raw.Frontend, pid: raw.PID, secret: raw.SecretKey,
		parameters: maps.Clone(raw.ParameterStatuses), status: idle}, nil
}

// abandon rolls back what the connection has begun and closes it. It waits for the ROLLBACK, so that whoever
// looks after the client was cut finds no locks left.
func (p *Proxy) abandon(s *server) {
	if s.status != idle {
		_ = s.conn.SetDeadline(time.Now().Add(goodbyeTimeout))
		_ = s.run("ROLLBACK") // a server that is gone has rolled back
	}
	s.frontend.Send(&pgproto3.Terminate{})
	_ = s.frontend.Flush()
	p.drop(s.conn)
}

// write sends messages while the caller reads the answers: a server that has filled its answers' buffer
// reads no further questions. The channel tells when all is sent; a failure shows itself as the end of answers.
func (s *server) write(raw []byte) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.conn.Write(raw)
	}()
	return done
}

// read passes each message of the answer to visit, up to ReadyForQuery, which it keeps as the new status.
func (s *server) read(visit func(pgproto3.BackendMessage) error) error {
	for {
		message, err := s.frontend.Receive()
		if err != nil {
			return err
		}
		if ready, ok := message.(*pgproto3.ReadyForQuery); ok {
			s.status = ready.TxStatus
			return nil
		}
		if err := visit(message); err != nil {
			return err
		}
	}
}

// run executes a statement whose answer nobody is to see.
func (s *server) run(sql string) error {
	s.frontend.Send(&pgproto3.Query{String: sql})
	if err := s.frontend.Flush(); err != nil {
		return err
	}
	return s.read(func(pgproto3.BackendMessage) error { return nil })
}

// raising is a statement that fails at the server with the given SQLSTATE.
func raising(sqlState string) string {
	return fmt.Sprintf(
		"DO $wirefault$ BEGIN RAISE EXCEPTION 'injected by wirefault' USING ERRCODE = '%s'; END $wirefault$", sqlState)
}
