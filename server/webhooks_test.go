package server_test

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// TestWebhookMovesItsOperation: a delivery settles the operation that it names and wakes who waits for it; by either secret
// of a rotation, once.
func TestWebhookMovesItsOperation(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve(withInbox(t))
		c.ApplyDefinition(hookedCapture(t))
		p := c.Execute("payment.capture", capture)
		c.Reported(p, servertest.Ambiguous())
		waiting := make(chan *pb.ToolResult, 1)
		go func() {
			m, err := c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", capture, func(r *pb.ProposeOperationRequest) { r.Wait = duration(20 * time.Second) }))
			if err != nil {
				t.Errorf("wait: %v", err)
			}
			waiting <- m.GetResult()
		}()
		v := newVendor(t, w)
		v.secret = webhookSecrets["S_OLD"]
		body := chargeEvent("evt_1", "charge.succeeded", "ch_1", p.ClientReference, v.now())
		if v.delivers(c.Address, body) {
			t.Fatal("the first delivery is no repeat")
		}
		v.secret = webhookSecrets["S_NEW"]
		if !v.delivers(c.Address, body) {
			t.Fatal("the second delivery is a repeat")
		}
		if o := <-waiting; o.GetState() != pb.Operation_STATE_COMPLETED_SUCCESS {
			t.Fatalf("who waited was answered by %s", o.GetState())
		}
		o := c.Operation(p.OperationId)
		if len(o.Effects) != 1 || o.Effects[0].EffectId != "ch_1" || len(o.Evidence) != 1 {
			t.Fatalf("effects %v, evidence %v", o.Effects, o.Evidence)
		}
		e := o.Evidence[0]
		if e.Grade != pb.EvidenceGrade_EVIDENCE_GRADE_WEBHOOK || e.Principal != "webhook/acme-pay" || e.Evidence.GetWebhook().GetEventId() != "evt_1" {
			t.Fatalf("the evidence is %v", e)
		}
	})
}

// TestWebhookRefusals: what is wrong with a delivery is answered as it must be, moves nothing, and tells nothing of what
// else the server knows.
func TestWebhookRefusals(t *testing.T) {
	w := servertest.SQLite(t)
	c := w.Serve(withInbox(t))
	c.ApplyDefinition(hookedCapture(t))
	p := c.Execute("payment.capture", capture)
	v := newVendor(t, w)
	body := chargeEvent("evt_1", "charge.succeeded", "ch_1", p.ClientReference, v.now())
	to := func(path string) func(*http.Request) { return func(r *http.Request) { r.URL.Path = path } }
	signedAt := func(at time.Time) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Stripe-Signature", v.signature(body, at)) }
	}
	for name, tc := range map[string]struct {
		body   []byte
		change func(*http.Request)
		status int
		says   string
	}{
		"no signature":       {body, func(r *http.Request) { r.Header.Del("Stripe-Signature") }, http.StatusUnauthorized, "signature"},
		"two signatures":     {body, func(r *http.Request) { r.Header.Add("Stripe-Signature", r.Header.Get("Stripe-Signature")) }, http.StatusUnauthorized, "signature"},
		"a cut signature":    {body, func(r *http.Request) { r.Header.Set("Stripe-Signature", r.Header.Get("Stripe-Signature")[:40]) }, http.StatusUnauthorized, "signature"},
		"another body":       {body, func(r *http.Request) { r.Header.Set("Stripe-Signature", v.signature([]byte("{}"), v.now())) }, http.StatusUnauthorized, "signature"},
		"an old timestamp":   {body, signedAt(v.now().Add(-6 * time.Minute)), http.StatusUnauthorized, "too old"},
		"a future timestamp": {body, signedAt(v.now().Add(6 * time.Minute)), http.StatusUnauthorized, "signature"},
		"the source of another namespace, which has another secret": {body, to("/webhooks/south/acme-pay"), http.StatusUnauthorized, "signature"},
		"another source":             {body, to("/webhooks/default/nobody"), http.StatusNotFound, "no such endpoint"},
		"another namespace":          {body, to("/webhooks/nowhere/acme-pay"), http.StatusNotFound, "no such endpoint"},
		"no source":                  {body, to("/webhooks/default"), http.StatusNotFound, "no such endpoint"},
		"more than a source":         {body, to("/webhooks/default/acme-pay/x"), http.StatusNotFound, "no such endpoint"},
		"a way up":                   {body, to("/webhooks/../default/acme-pay"), http.StatusNotFound, "no such endpoint"},
		"a GET":                      {nil, func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed, "POST"},
		"another host":               {body, func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden, ""},
		"secrets that are not there": {body, to("/webhooks/default/broken"), http.StatusServiceUnavailable, "deliver it again"},
		"no JSON":                    {[]byte("id=evt_1"), nil, http.StatusBadRequest, "no JSON"},
		"nothing":                    {nil, nil, http.StatusBadRequest, "no JSON"},
		"no event id":                {[]byte(`{"type":"charge.succeeded"}`), nil, http.StatusBadRequest, "no event id"},
		"an empty event id":          {[]byte(`{"id":"","type":"charge.succeeded"}`), nil, http.StatusBadRequest, "no event id"},
		"1 MiB and a byte":           {bytes.Repeat([]byte("x"), inbox.MaxBodyBytes+1), nil, http.StatusRequestEntityTooLarge, "1 MiB"},
		"1 MiB of nothing":           {bytes.Repeat([]byte("x"), inbox.MaxBodyBytes), nil, http.StatusBadRequest, "no JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			v := *v
			v.t = t
			change := func(*http.Request) {}
			if tc.change != nil {
				change = tc.change
			}
			a := v.sends(c.Address, tc.body, change)
			if a.status != tc.status || !strings.Contains(a.Error, tc.says) {
				t.Fatalf("%d %s, want %d and %q", a.status, a.text, tc.status, tc.says)
			}
			if again := a.header.Get("Retry-After"); (again != "") != (tc.status == http.StatusServiceUnavailable) {
				t.Fatalf("Retry-After is %q", again)
			}
		})
	}
	if o := c.Operation(p.OperationId); o.State != pb.Operation_STATE_DISPATCHED || len(o.Evidence) != 0 {
		t.Fatalf("the operation is %s with %v", o.State, o.Evidence)
	}
	if v.delivers(c.Address, body) {
		t.Fatal("nothing of the refused ones was stored")
	}
}

// TestWebhookOfAnotherNamespace: a source's events meet only the operations of its namespace, whatever they carry.
func TestWebhookOfAnotherNamespace(t *testing.T) {
	w := servertest.SQLite(t)
	c := w.Serve(withInbox(t))
	c.ApplyDefinition(hookedCapture(t))
	p := c.Execute("payment.capture", capture)
	v := newVendor(t, w)
	v.secret, v.path = webhookSecrets["S_SOUTH"], "/webhooks/south/acme-pay"
	body := chargeEvent("evt_1", "charge.succeeded", "ch_1", p.ClientReference, v.now())
	if v.delivers(c.Address, body) {
		t.Fatal("it is new there")
	}
	if o := c.Operation(p.OperationId); o.State != pb.Operation_STATE_DISPATCHED || len(o.Evidence) != 0 {
		t.Fatalf("the operation is %s with %v", o.State, o.Evidence)
	}
	v = newVendor(t, w)
	if v.delivers(c.Address, body) {
		t.Fatal("the same id is another event in another namespace")
	}
}

// TestWebhookBodyThatNeverEnds: a sender that keeps a connection and says nothing more is cut off.
func TestWebhookBodyThatNeverEnds(t *testing.T) {
	w := servertest.SQLite(t)
	c := w.Serve(withInbox(t), func(c *server.Config) { c.Inbox.Deadline = 200 * time.Millisecond })
	body, writer := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.Address+"/webhooks/default/acme-pay", body)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = writer.Write([]byte(`{"id":`)) }()
	reply, err := http.DefaultClient.Do(r)
	_ = writer.Close()
	if err != nil {
		return // cut off without an answer
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusBadRequest {
		t.Fatalf("it is answered by %d", reply.StatusCode)
	}
}

// TestSlowSendersKeepNoPlace: strangers who send half a body each, as many as deliveries are stored at once, keep no
// provider out.
func TestSlowSendersKeepNoPlace(t *testing.T) {
	w := servertest.SQLite(t)
	c := w.Serve(withInbox(t))
	v := newVendor(t, w)
	const strangers = 64
	for range strangers {
		conn, err := net.Dial("tcp", c.Address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST "+v.path+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		// The server says 100 when it begins to read the body: from then on the stranger has whatever place it can have.
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100") {
			t.Fatalf("%q %v", line, err)
		}
	}
	if v.delivers(c.Address, chargeEvent("evt_1", "charge.succeeded", "ch_1", "", v.now())) {
		t.Fatal("it is new")
	}
}
