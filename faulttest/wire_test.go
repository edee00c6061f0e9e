package faulttest

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
)

// wire stands between the server and the provider and counts what passes it at the socket, below every HTTP library: the
// connections, and the writes by their first line.
type wire struct {
	address, provider string
	mu                sync.Mutex
	connections       int
	posts             int
}

// newWire reserves an address at which nobody listens until open.
func newWire(t *testing.T, provider string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{address: l.Addr().String(), provider: provider}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return w
}

// open lets connections through.
func (w *wire) open(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", w.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go w.pass(from)
		}
	}()
}

// pass passes one connection on, and ends it as the provider does.
func (w *wire) pass(from net.Conn) {
	defer func() { _ = from.Close() }()
	w.mu.Lock()
	w.connections++
	w.mu.Unlock()
	to, err := net.Dial("tcp", w.provider)
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	go func() { _, _ = io.Copy(io.MultiWriter(&counted{wire: w}, to), from) }()
	_, _ = io.Copy(from, to)
}

// counted counts the writes that begin in a stream.
type counted struct {
	wire *wire
	last []byte // of the stream, as long as what is looked for could begin in it
}

var firstLine = []byte("POST /")

func (c *counted) Write(p []byte) (int, error) {
	stream := append(c.last, p...)
	c.wire.mu.Lock()
	c.wire.posts += bytes.Count(stream, firstLine)
	c.wire.mu.Unlock()
	c.last = bytes.Clone(stream[max(0, len(stream)-len(firstLine)+1):])
	return len(p), nil
}

func (w *wire) seen() (connections, posts int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.connections, w.posts
}
