package carrier

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/registry"
)

// listen takes connections until the listener is closed. Each has one request.
func (c *Carrier) listen() {
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			return
		}
		go c.take(conn)
	}
}

// take reads one request, and lets its sender see what its answer says that he sees.
func (c *Carrier) take(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	req, err := http.ReadRequest(in)
	if err != nil {
		return // nobody has sent anything: a process died before
	}
	body, err := io.ReadAll(req.Body)
	name, _, _ := strings.Cut(strings.TrimPrefix(req.URL.Path, "/"), "/")
	t := c.trip(name)
	if err != nil || t == nil {
		return
	}
	a := t.meet(req, body)
	c.world.Pass(a.Took)
	switch a.Kind {
	case provider.NoAnswer:
		t.giveUp()
		_, _ = io.Copy(io.Discard, in) // until he has gone
	case provider.Reset:
		_ = conn.(*net.TCPConn).SetLinger(0) // so that not even an orderly end is an answer
	default:
		_, _ = conn.Write(written(a))
	}
}

// written is an answer as it goes over the wire. Where its body is shorter than announced, the connection ends first.
func written(a provider.Answer) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", a.Status, http.StatusText(a.Status))
	_ = a.Header.Write(&b) // a buffer takes everything
	fmt.Fprintf(&b, "Content-Length: %d\r\nConnection: close\r\n\r\n", a.Length)
	b.Write(a.Body)
	return b.Bytes()
}

// meet brings a request before the provider.
func (t *trip) meet(req *http.Request, body []byte) provider.Answer {
	if t.question != nil {
		return t.find(req)
	}
	r := provider.Request{Collection: t.tool.Name, BusinessKey: t.key, Body: body, Patience: t.patience}
	bears := func(text string) string {
		if text == "" || !strings.Contains(head(req), text) && !bytes.Contains(body, []byte(text)) {
			return ""
		}
		return text
	}
	r.VendorKey, r.ClientReference = bears(t.effect.VendorKey), bears(t.effect.ClientReference)
	var says struct{ Undoes string }
	if json.Unmarshal(body, &says) == nil && says.Undoes != "" {
		r.Method, r.Undoes = provider.Undo, says.Undoes
	}
	if t.tool.Class == registry.PureRead {
		r.Method = provider.Read
	}
	fault := t.fault
	if !provider.Behaves(fault) {
		fault = "" // it is the sender whom something befalls
	}
	a := t.provider.Write(r, fault)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answer = &a
	return a
}

// head is where a request can bear something beside its body.
func head(req *http.Request) string {
	var b strings.Builder
	b.WriteString(req.URL.String())
	for _, values := range req.Header {
		b.WriteString("\n" + strings.Join(values, "\n"))
	}
	return b.String()
}

// find answers a question: by the reference that it is about, if it bears that.
func (t *trip) find(req *http.Request) provider.Answer {
	query := provider.Query{Collection: t.tool.Name}
	switch t.question.By {
	case registry.ByVendorKey:
		query.VendorKey = t.question.Value
	case registry.ByClientReference:
		query.ClientReference = t.question.Value
	default:
		query.ObjectID = t.question.Value
	}
	if !strings.Contains(head(req), t.question.Value) {
		return said(http.StatusBadRequest, map[string]string{"error": "the question does not bear what it asks for"})
	}
	found, err := t.provider.Find(query)
	switch {
	case err != nil:
		return said(http.StatusServiceUnavailable, map[string]string{"error": err.Error()})
	case query.ObjectID == "":
		return said(http.StatusOK, map[string]any{"data": found})
	case len(found) == 0:
		return said(http.StatusNotFound, map[string]string{"error": "there is no such object"})
	}
	return said(http.StatusOK, found[0])
}

func said(status int, body any) provider.Answer {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // all bodies are made here
	}
	return provider.Answer{
		Kind: provider.Answered, Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: text, Length: len(text),
	}
}
