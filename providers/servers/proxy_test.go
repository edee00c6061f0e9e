package servers

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fault is what becomes of one exchange.
type fault string

const (
	cutBefore fault = "cut before" // the server never sees the request
	cutAfter  fault = "cut after"  // the server has answered, and the connection is reset
	heldAfter fault = "held after" // the server has answered, and nothing comes until the client gives up
	garbled   fault = "garbled"    // the answer's body breaks off in the middle, though its head says that it is whole
)

// proxy stands between Opledger and a server. It passes on what it takes, byte for byte, but for the faults that are
// planned; it counts what the server was sent.
type proxy struct {
	URL string

	t        *testing.T
	backend  string // host and port
	mu       sync.Mutex
	idle     *sync.Cond
	writes   []fault  // of the next requests that are no GET
	reads    []fault  // of the next GETs
	keys     []string // the Idempotency-Key of each request that is no GET, whether it arrived or not
	underWay int      // exchanges that the server is not known to have ended
}

// newProxy starts a proxy, which ends with the test.
func newProxy(t *testing.T, backendURL string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{URL: "http://" + listener.Addr().String(), t: t, backend: strings.TrimPrefix(backendURL, "http://")}
	p.idle = sync.NewCond(&p.mu)
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		_ = listener.Close()
		serving.Wait()
	})
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
				defer func() { _ = conn.Close() }()
				p.exchange(conn.(*net.TCPConn))
			})
		}
	})
	return p
}

// plan lets the next writes and reads meet faults.
func (p *proxy) plan(writes, reads []fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes, p.reads = writes, reads
}

// writesSent counts the requests that are no GET.
func (p *proxy) writesSent() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.keys)
}

// keysSent lists the Idempotency-Key of each of them; empty where there was none.
func (p *proxy) keysSent() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.keys)
}

// settle waits until the server is at work on nothing.
func (p *proxy) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.underWay > 0 {
		p.idle.Wait()
	}
}

// next takes the fault of a request; empty: none is planned.
func (p *proxy) next(r *http.Request) (f fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.underWay++
	planned := &p.reads
	if r.Method != http.MethodGet {
		p.keys = append(p.keys, r.Header.Get("Idempotency-Key"))
		planned = &p.writes
	}
	if len(*planned) > 0 {
		f, *planned = (*planned)[0], (*planned)[1:]
	}
	return f
}

func (p *proxy) ended() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.underWay--
	p.idle.Broadcast()
}

// exchange serves one connection, which carries one exchange, as the adapter makes them.
func (p *proxy) exchange(client *net.TCPConn) {
	var request bytes.Buffer
	r, err := http.ReadRequest(bufio.NewReader(io.TeeReader(client, &request)))
	if err != nil {
		return
	}
	if _, err = io.Copy(io.Discard, r.Body); err != nil {
		return
	}
	f := p.next(r)
	var answer []byte
	if f != cutBefore {
		answer = p.forward(request.Bytes())
	}
	p.ended()
	switch f {
	case cutBefore, cutAfter:
		_ = client.SetLinger(0) // closes by a reset
	case heldAfter:
		_, _ = io.Copy(io.Discard, client)
	case garbled:
		_, _ = client.Write(garble(answer))
	default:
		_, _ = client.Write(answer)
	}
}

// exchangeTimeout bounds a server's answer on a busy machine.
const exchangeTimeout = 60 * time.Second

// forward sends a request to the server and reads all that it answers. The request says that its connection ends with it.
func (p *proxy) forward(request []byte) []byte {
	server, err := net.Dial("tcp", p.backend)
	if err != nil {
		p.t.Errorf("the server cannot be reached: %v", err)
		return nil
	}
	defer func() { _ = server.Close() }()
	_ = server.SetDeadline(time.Now().Add(exchangeTimeout))
	if _, err = server.Write(request); err != nil {
		p.t.Errorf("the server does not take a request: %v", err)
	}
	answer, err := io.ReadAll(server)
	if err != nil {
		p.t.Errorf("the server does not answer: %v", err)
	}
	return answer
}

// garble keeps the status and half of the body.
func garble(answer []byte) []byte {
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answer)), nil)
	if err != nil {
		return []byte("no HTTP at all\r\n")
	}
	body, _ := io.ReadAll(res.Body)
	body = body[:len(body)/2]
	half := &http.Response{StatusCode: res.StatusCode, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body))}
	var b bytes.Buffer
	_ = half.Write(&b)
	return b.Bytes()
}
