package wirefault

import (
	"fmt"

	"github.com/jackc/pgx/v5/pgproto3"
)

// request is what a client sends in one go: a simple query, or a pipeline up to its Sync.
type request struct {
	messages []message
}

// message is one message of a client, kept as bytes because pgproto3 uses its structs again.
type message struct {
	raw       []byte
	parses    bool
	binds     bool
	simple    bool       // a simple query
	statement *Statement // set where the message executes one
}

func (r *request) bytes() []byte { return join(r.messages) }

func join(messages []message) []byte {
	var all []byte
	for _, m := range messages {
		all = append(all, m.raw...)
	}
	return all
}

func encode(messages ...pgproto3.FrontendMessage) ([]byte, error) {
	var raw []byte
	var err error
	for _, m := range messages {
		if raw, err = m.Encode(raw); err != nil {
			return nil, err
		}
	}
	return raw, nil
}

// prepared remembers, for one client, which text hides behind the names of statements and portals.
type prepared struct {
	statements, portals map[string]string
}

func newPrepared() prepared {
	return prepared{statements: map[string]string{}, portals: map[string]string{}}
}

// read makes a message and notes what it says of names.
func (p prepared) read(received pgproto3.FrontendMessage) (message, error) {
	raw, err := encode(received)
	if err != nil {
		return message{}, err
	}
	m := message{raw: raw}
	switch received := received.(type) {
	case *pgproto3.Query:
		m.simple = true
		m.statement = &Statement{SQL: received.String}
	case *pgproto3.Parse:
		m.parses = true
		p.statements[received.Name] = received.Query
	case *pgproto3.Bind:
		m.binds = true
		p.portals[received.DestinationPortal] = p.statements[received.PreparedStatement]
	case *pgproto3.Execute:
		m.statement = &Statement{SQL: p.portals[received.Portal]}
	case *pgproto3.Close:
		if received.ObjectType == 'S' {
			delete(p.statements, received.Name)
		}
	case *pgproto3.Describe, *pgproto3.Sync:
	default:
		return message{}, fmt.Errorf("wirefault does not serve the message %T", received)
	}
	return m, nil
}
