// Package jsonport serves JSON over HTTP/1.1 on the port that serves gRPC, for curl and for pages of one's own: POST
// /opledger.v1.OperationService/GetOperation with application/json. It carries calls to the gRPC server and decides
// nothing; what it adds is the caution that a browser demands.
package jsonport

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// preface is how every HTTP/2 connection with prior knowledge begins (RFC 9113, section 3.4), and so every gRPC one.
const preface = "PRI * HTTP/2.0"

// prefaceTimeout bounds how long a connection may say nothing before it is told apart.
const prefaceTimeout = 10 * time.Second

// Split tells connections apart by their first bytes: those of gRPC are handed to one listener, all others to the other.
// Closing either closes both.
func Split(l net.Listener) (grpc, http net.Listener) {
	s := &splitter{Listener: l, closed: make(chan struct{})}
	g, h := &half{splitter: s, conns: make(chan net.Conn)}, &half{splitter: s, conns: make(chan net.Conn)}
	go s.accept(g, h)
	return g, h
}

type splitter struct {
	net.Listener
	closed chan struct{}
	once   sync.Once
	err    error
}

func (s *splitter) accept(grpc, http *half) {
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			var temporary interface{ Temporary() bool }
			if errors.As(err, &temporary) && temporary.Temporary() {
				continue
			}
			s.shut(err)
			return
		}
		go s.tell(c, grpc, http)
	}
}

// tell reads as much of a connection as tells it apart, and hands it on with what was read.
func (s *splitter) tell(c net.Conn, grpc, http *half) {
	_ = c.SetReadDeadline(time.Now().Add(prefaceTimeout))
	r := bufio.NewReaderSize(c, 4096)
	begin, err := r.Peek(len(preface))
	if err != nil && (len(begin) == 0 || !errors.Is(err, io.EOF)) {
		_ = c.Close()
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	to := http
	if string(begin) == preface {
		to = grpc
	}
	select {
	case to.conns <- &peeked{Conn: c, reader: r}:
	case <-s.closed:
		_ = c.Close()
	}
}

func (s *splitter) shut(err error) {
	s.once.Do(func() {
		s.err = err
		close(s.closed)
		_ = s.Listener.Close()
	})
}

// half is one side's listener.
type half struct {
	*splitter
	conns chan net.Conn
}

func (h *half) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, h.err
	}
}

func (h *half) Close() error {
	h.shut(net.ErrClosed)
	return nil
}

// peeked is a connection whose first bytes were looked at.
type peeked struct {
	net.Conn
	reader *bufio.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.reader.Read(b) }
