package wirefault

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// errCut ends a session whose connection is to be cut.
var errCut = errors.New("connection cut by a rule")

// session is one client's connection.
type session struct {
	proxy    *Proxy
	conn     net.Conn
	client   *pgproto3.Backend
	prepared prepared
	server   *server // nil between transactions of a pooled session
}

func newSession(p *Proxy, conn net.Conn) *session {
	return &session{proxy: p, conn: conn, client: pgproto3.NewBackend(conn, conn), prepared: newPrepared()}
}

// run serves the client until either side goes.
func (s *session) run() {
	startup, err := s.greet()
	if err != nil || startup == nil {
		return
	}
	if err := s.connect(startup); err != nil {
		s.refuse(err)
		return
	}
	for {
		request, err := s.receive()
		if err == nil {
			err = s.serve(request)
		}
		if err != nil {
			break
		}
	}
	_ = s.client.Flush() // a dying server's last words
	if s.server != nil {
		s.hangUp()
	}
}

// greet negotiates up to the client's startup parameters. They are nil where the connection only served to
// cancel another one's statement.
func (s *session) greet() (map[string]string, error) {
	for {
		first, err := s.client.ReceiveStartupMessage()
		if err != nil {
			return nil, err
		}
		switch first := first.(type) {
		case *pgproto3.SSLRequest, *pgproto3.GSSEncRequest:
			if _, err := s.conn.Write([]byte{'N'}); err != nil {
				return nil, err
			}
		case *pgproto3.CancelRequest:
			return nil, s.proxy.cancelStatement(first)
		case *pgproto3.StartupMessage:
			return maps.Clone(first.Parameters), s.authenticate()
		default:
			return nil, fmt.Errorf("startup message %T", first)
		}
	}
}

// authenticate asks for the password of the upstream URL: the proxy opens to nobody what the server closes.
func (s *session) authenticate() error {
	if s.proxy.upstream.Password != "" {
		s.client.Send(&pgproto3.AuthenticationCleartextPassword{})
		if err := s.client.Flush(); err != nil {
			return err
		}
		if err := s.client.SetAuthType(pgproto3.AuthTypeCleartextPassword); err != nil {
			return err
		}
		answer, err := s.client.Receive()
		if err != nil {
			return err
		}
		password, ok := answer.(*pgproto3.PasswordMessage)
		if !ok || subtle.ConstantTimeCompare([]byte(password.Password), []byte(s.proxy.upstream.Password)) != 1 {
			err := &pgconn.PgError{Severity: "FATAL", Code: "28P01", Message: "password authentication failed"}
			s.refuse(err)
			return err
		}
	}
	s.client.Send(&pgproto3.AuthenticationOk{})
	return nil
}

// connect gives the client its server, or in pooled mode a look at one, and greets as that would.
func (s *session) connect(startup map[string]string) error {
	var err error
	if s.proxy.pool != nil {
		s.server, err = s.proxy.pool.take()
	} else {
		s.server, err = s.proxy.dial(s.proxy.ctx, startup)
	}
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.server.parameters)) {
		s.client.Send(&pgproto3.ParameterStatus{Name: name, Value: s.server.parameters[name]})
	}
	key := &pgproto3.BackendKeyData{ProcessID: s.server.pid, SecretKey: s.server.secret}
	if s.proxy.pool != nil {
		// The server's own key would let this client cancel what another client runs there later.
		key = &pgproto3.BackendKeyData{SecretKey: make([]byte, 4)}
	}
	s.client.Send(key)
	return s.ready()
}

// ready ends an answer, and in pooled mode gives an idle server back.
func (s *session) ready() error {
	status := s.server.status
	if s.proxy.pool != nil && status == idle {
		s.proxy.pool.give(s.server)
		s.server = nil
	}
	s.client.Send(&pgproto3.ReadyForQuery{TxStatus: status})
	return s.client.Flush()
}

// refuse tells the client why it cannot be served.
func (s *session) refuse(err error) {
	answer := &pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "08006", Message: err.Error()}
	if pgError, ok := errors.AsType[*pgconn.PgError](err); ok {
		answer.Code, answer.Message = pgError.Code, pgError.Message
	}
	s.client.Send(answer)
	_ = s.client.Flush()
}

// hangUp gives the session's server up: a pooler, too, closes the connection whose client has left it in the
// middle of a transaction.
func (s *session) hangUp() {
	s.proxy.abandon(s.server)
	if s.proxy.pool != nil {
		s.proxy.pool.lost()
	}
	s.server = nil
}

// receive collects what the client asks, up to the point where it waits for an answer.
func (s *session) receive() (*request, error) {
	var r request
	for {
		received, err := s.client.Receive()
		if err != nil {
			return nil, err
		}
		if _, ok := received.(*pgproto3.Terminate); ok {
			return nil, net.ErrClosed
		}
		m, err := s.prepared.read(received)
		if err != nil {
			s.refuse(err)
			return nil, err
		}
		r.messages = append(r.messages, m)
		if _, ok := received.(*pgproto3.Sync); ok || m.simple {
			return &r, nil
		}
	}
}

// serve answers one request.
func (s *session) serve(r *request) error {
	if s.server == nil {
		var err error
		if s.server, err = s.proxy.pool.take(); err != nil {
			s.refuse(err)
			return err
		}
	}
	for at, m := range r.messages {
		if m.statement == nil {
			continue
		}
		if injection := s.proxy.rules.take(*m.statement); injection != nil {
			return s.act(injection, r, at)
		}
	}
	return s.forward(r)
}

// forward passes the request and its answer on untouched.
func (s *session) forward(r *request) error {
	if err := s.exchange(r.bytes(), s.pass); err != nil {
		return err
	}
	return s.ready()
}

// exchange sends to the server and passes each message of the answer to visit, up to ReadyForQuery.
func (s *session) exchange(raw []byte, visit func(pgproto3.BackendMessage) error) error {
	sent := s.server.write(raw)
	if err := s.server.read(visit); err != nil {
		return err
	}
	<-sent
	return nil
}

// pass passes one message of an answer on. It is kept until the answer's end, except where the server waits
// for the client: then the client's data are passed the other way.
func (s *session) pass(answer pgproto3.BackendMessage) error {
	s.client.Send(answer)
	if _, ok := answer.(*pgproto3.CopyInResponse); !ok {
		return nil
	}
	if err := s.client.Flush(); err != nil {
		return err
	}
	for {
		received, err := s.client.Receive()
		if err != nil {
			return err
		}
		s.server.frontend.Send(received)
		if err := s.server.frontend.Flush(); err != nil {
			return err
		}
		switch received.(type) {
		case *pgproto3.CopyDone, *pgproto3.CopyFail:
			return nil
		}
	}
}

// cancelStatement passes a request to cancel on, which comes on a connection of its own. A pooled client has
// no key that would say what to cancel: its statement goes on to its end.
func (p *Proxy) cancelStatement(request *pgproto3.CancelRequest) error {
	if p.pool != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(p.ctx, connectTimeout)
	defer cancel()
	network, address := pgconn.NetworkAddress(p.upstream.Host, p.upstream.Port)
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return err
	}
	defer conn.Close()
	raw, err := request.Encode(nil)
	if err != nil {
		return err
	}
	_, err = conn.Write(raw)
	return err
}
