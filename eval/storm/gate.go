//go:build unix

package storm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/opledger/opledger/eval/provider"
)

// gate stands before the provider on the servers' way to it. Nobody can stop a server between two of its instructions as a
// worker stops at its steps, but what it sends and what it is answered can be held on their way:
//
//	proposed   nothing is held: the blow falls wherever the server has got to
//	handed     the request has left, and is lost on its way
//	looked     the request has left, and arrives after the blow
//	sent       the effect is made, and the answer is lost on its way
//	answered   the effect is made, and the answer arrives after the blow
//	reported   nothing is held: the report is made
//
// Only the first request for each business key is held. Whatever comes later passes, and so do lookups.
type gate struct {
	to      string // the provider's URL
	address string
	server  *http.Server
	client  *http.Client
	alive   context.Context
	end     context.CancelFunc

	goOn    chan struct{}
	release func() // lets go what is held, once and for all

	mu    sync.Mutex
	step  Step
	seen  map[string]bool   // business keys of which a request has come
	held  map[string]string // by business key, whose request stands here
	stood chan struct{}     // closed and made anew with each one that comes to stand
}

// senderHeader tells which server makes a request.
const senderHeader = "Sender"

// latest is how long after its sender has given up a request still arrives, well within the longest flight that the tools
// state. What would come later is lost instead.
const latest = time.Second

// openGate listens before a provider.
func openGate(to string) (*gate, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &gate{
		to: to, address: listener.Addr().String(), goOn: make(chan struct{}), seen: map[string]bool{}, held: map[string]string{},
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, stood: make(chan struct{}),
	}
	g.release = sync.OnceFunc(func() { close(g.goOn) })
	g.alive, g.end = context.WithCancel(context.Background())
	g.server = &http.Server{Handler: g, ReadHeaderTimeout: answerTimeout}
	go func() { _ = g.server.Serve(listener) }() // until close
	return g, nil
}

// hold says at which step of a round the gate holds what passes it.
func (g *gate) hold(step Step) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.step = step
}

// ServeHTTP passes a request on, and its answer back. A connection that is cut is all that a server sees of what is lost.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	step := g.stepOf(r)
	switch step {
	case Handed:
		g.stand(r)
		<-g.goOn
		panic(http.ErrAbortHandler)
	case Looked:
		g.stand(r)
		if !g.inTime(r.Context()) {
			panic(http.ErrAbortHandler)
		}
	}
	status, header, answer, err := g.pass(r, body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if step == Sent || step == Answered {
		g.stand(r)
		<-g.goOn
	}
	if step == Sent {
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), header)
	w.WriteHeader(status)
	_, _ = w.Write(answer) // an error means that the sender is gone
}

// stepOf is the step at which a request is held; empty: it passes.
func (g *gate) stepOf(r *http.Request) Step {
	key := r.Header.Get(provider.BusinessKeyHeader)
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.Method != http.MethodPost || g.seen[key] {
		return ""
	}
	g.seen[key] = true
	return g.step
}

// stand says that a request has come to its step.
func (g *gate) stand(r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held[r.Header.Get(provider.BusinessKeyHeader)] = r.Header.Get(senderHeader)
	close(g.stood)
	g.stood = make(chan struct{})
}

// inTime waits until a request may arrive, and reports whether it still does.
func (g *gate) inTime(sender context.Context) bool {
	select {
	case <-g.goOn:
		return true
	case <-sender.Done():
	}
	select {
	case <-g.goOn:
		return true
	case <-time.After(latest): // it is the world's own delay, not a wait for something
		return false
	}
}

// pass carries a request to the provider, whether its sender still waits for it or not, and does it once: a connection
// that is used again may be found dead, and Go's client then sends again what bears an idempotency key.
func (g *gate) pass(r *http.Request, body []byte) (status int, header http.Header, answer []byte, err error) {
	request, err := http.NewRequestWithContext(g.alive, r.Method, g.to+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header, request.GetBody = r.Header.Clone(), nil
	response, err := g.client.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, response.Header, answer, err
}

// await waits until so many requests are held.
func (g *gate) await(ctx context.Context, count int) error {
	for {
		g.mu.Lock()
		have, stood := len(g.held), g.stood
		g.mu.Unlock()
		if have >= count {
			return nil
		}
		select {
		case <-stood:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// sender is whose request for a business key is held, or was; empty: none was.
func (g *gate) sender(businessKey string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.held[businessKey]
}

func (g *gate) close() {
	g.release()
	g.end()
	_ = g.server.Close()
}
