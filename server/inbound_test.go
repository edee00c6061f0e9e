package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// webhookSources are the sources of the tests: the same name in two namespaces, with secrets of their own.
const webhookSources = `
sources:
  - name: acme-pay
    preset: stripe
    secrets: [{environment: S_NEW}, {environment: S_OLD}]
    fields: {client_reference: /data/object/metadata/opledger_reference}
    verdicts: &verdicts {charge.succeeded: happened, charge.failed: did_not_happen, charge.pending: in_progress}
  - name: acme-pay
    namespace: south
    preset: stripe
    secrets: [{environment: S_SOUTH}]
    fields: {client_reference: /data/object/metadata/opledger_reference}
    verdicts: {charge.succeeded: happened}
  - name: broken
    preset: github
    secrets: [{environment: S_ABSENT}]
    verdicts: {x: happened}
`

var webhookSecrets = map[string]string{"S_NEW": "a new secret of acme-pay", "S_OLD": "an old secret of acme-pay", "S_SOUTH": "another secret of the south"}

// withInbox lets a server take in events of the tests' sources.
func withInbox(tb testing.TB) servertest.Option {
	tb.Helper()
	all, err := inbox.Parse("sources.yaml", []byte(strings.Replace(webhookSources, "&verdicts ", "", 1)), inbox.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return func(c *server.Config) {
		c.Inbox = server.Inbox{
			Sources: func() *inbox.Sources { return all },
			Secrets: outward.Secrets{EnvPrefix: "S_", LookupEnv: func(name string) (string, bool) {
				value, set := webhookSecrets[name]
				return value, set
			}},
		}
	}
}

// hookedCapture is the field cases' payment tool, whose provider sends events.
func hookedCapture(t *testing.T) *pb.ToolDefinition {
	t.Helper()
	d := fieldTool(t, "payment.capture")
	d.Provider.WebhookSource = "acme-pay"
	d.Waiting = &pb.WaitingTerms{LookupWait: duration(20 * time.Minute)} // the provider's event is waited for
	return d
}

// chargeEvent is an event as the tests' provider sends it.
func chargeEvent(id, kind, charge, reference string, at time.Time) []byte {
	object := map[string]any{"id": charge, "metadata": map[string]string{"opledger_reference": reference}}
	body, _ := json.Marshal(map[string]any{"id": id, "type": kind, "created": at.Unix(), "data": map[string]any{"object": object}})
	return body
}

// vendor is the provider's end of webhooks: it signs by the database's time and delivers to any server.
type vendor struct {
	t      *testing.T
	w      *servertest.World
	secret string
	path   string
}

func newVendor(t *testing.T, w *servertest.World) *vendor {
	return &vendor{t: t, w: w, secret: webhookSecrets["S_NEW"], path: "/webhooks/default/acme-pay"}
}

// now is the database's time.
func (v *vendor) now() time.Time {
	v.t.Helper()
	now, err := v.w.Engine.Time(v.t.Context())
	if err != nil {
		v.t.Fatal(err)
	}
	return now
}

// signature is the header that a body bears when it is signed at a time.
func (v *vendor) signature(body []byte, at time.Time) string {
	v.t.Helper()
	s := parsedSource(v.t)
	headers, err := s.Sign(&inbox.Delivery{Body: body}, []byte(v.secret), "", at)
	if err != nil {
		v.t.Fatal(err)
	}
	return headers["Stripe-Signature"]
}

func parsedSource(t *testing.T) *inbox.Source {
	t.Helper()
	all, err := inbox.Parse("sources.yaml", []byte(strings.Replace(webhookSources, "&verdicts ", "", 1)), inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return all.Find("default", "acme-pay")
}

// answer is what the endpoint answers.
type answer struct {
	status int
	header http.Header
	text   string
	Error  string `json:"error"`
	Event  string `json:"event_id"`
	Again  bool   `json:"deduplicated"`
}

// sends delivers a body to a server, changed as the test says.
func (v *vendor) sends(address string, body []byte, change ...func(*http.Request)) answer {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, "http://"+address+v.path, bytes.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Stripe-Signature", v.signature(body, v.now()))
	for _, c := range change {
		c(r)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	a := answer{status: reply.StatusCode, header: reply.Header, text: string(text)}
	if err := json.Unmarshal(text, &a); err != nil {
		v.t.Fatalf("%d %q: %v", a.status, text, err)
	}
	return a
}

// delivers expects a delivery to be stored, and answers whether it was before.
func (v *vendor) delivers(address string, body []byte) (again bool) {
	v.t.Helper()
	a := v.sends(address, body)
	if a.status != http.StatusOK {
		v.t.Fatalf("the delivery is answered by %d %s", a.status, a.text)
	}
	return a.Again
}

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

// TestConcurrentRedelivery: of many deliveries of one event at once, through two servers, one is stored and every other is
// answered as its repeat.
func TestConcurrentRedelivery(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve(withInbox(t))
		c.ApplyDefinition(hookedCapture(t))
		addresses := []string{c.Address, w.Twin().Address}
		p := c.Execute("payment.capture", capture)
		c.Reported(p, servertest.Ambiguous())
		v := newVendor(t, w)
		body := chargeEvent("evt_1", "charge.succeeded", "ch_1", p.ClientReference, v.now())
		header := v.signature(body, v.now())
		var fresh, all atomic.Int64
		var wait sync.WaitGroup
		for i := range 24 {
			wait.Go(func() {
				r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addresses[i%2]+v.path, bytes.NewReader(body))
				r.Header.Set("Stripe-Signature", header)
				reply, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				defer reply.Body.Close()
				var a answer
				if err := json.NewDecoder(reply.Body).Decode(&a); err != nil || reply.StatusCode != http.StatusOK {
					t.Errorf("%d %v", reply.StatusCode, err)
					return
				}
				all.Add(1)
				if !a.Again {
					fresh.Add(1)
				}
			})
		}
		wait.Wait()
		if fresh.Load() != 1 || all.Load() != 24 {
			t.Fatalf("%d of %d deliveries were new", fresh.Load(), all.Load())
		}
		if o := c.Operation(p.OperationId); len(o.Evidence) != 1 || o.State != pb.Operation_STATE_COMPLETED_SUCCESS {
			t.Fatalf("%s with %v", o.State, o.Evidence)
		}
	})
}

// TestRecordInboundEvent: by gRPC an event comes on a trusted caller's word or with its signature.
func TestRecordInboundEvent(t *testing.T) {
	w := servertest.SQLite(t)
	people := newPeople(t, "default hooks webhook", "default agent propose,execute,read", "default admin administer")
	anyone := w.Serve(withInbox(t), servertest.WithCallers(people))
	anyone.As(people.token("admin")).ApplyDefinition(hookedCapture(t))
	agent := anyone.As(people.token("agent"))
	hooks := pb.NewWorkflowServiceClient(anyone.As(people.token("hooks")).Conn)
	v := newVendor(t, w)
	p := agent.Execute("payment.capture", capture)

	request := func(id string, more ...func(*pb.RecordInboundEventRequest)) *pb.RecordInboundEventRequest {
		r := &pb.RecordInboundEventRequest{
			Source: "acme-pay", EventId: id, EventType: "charge.pending", ClientReference: p.ClientReference,
			Payload: &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: `{}`},
		}
		for _, m := range more {
			m(r)
		}
		return r
	}
	m, err := hooks.RecordInboundEvent(t.Context(), request("evt_1", func(r *pb.RecordInboundEventRequest) { r.EventTime = timestamppb.New(v.now()) }))
	if err != nil || m.Deduplicated || len(m.OperationIds) != 1 || m.OperationIds[0] != p.OperationId || m.StoreTime == nil {
		t.Fatalf("%v %v", m, err)
	}
	again, err := hooks.RecordInboundEvent(t.Context(), request("evt_1"))
	if err != nil || !again.Deduplicated || again.OperationIds[0] != p.OperationId || !again.StoreTime.AsTime().Equal(m.StoreTime.AsTime()) {
		t.Fatalf("%v %v", again, err)
	}
	body := chargeEvent("evt_2", "charge.succeeded", "ch_1", p.ClientReference, v.now())
	delivery := func(headers map[string]string) func(*pb.RecordInboundEventRequest) {
		return func(r *pb.RecordInboundEventRequest) {
			r.EventType, r.ClientReference = "", ""
			r.Payload = &pb.RecordInboundEventRequest_Delivery{Delivery: &pb.SignedDelivery{Body: body, Headers: headers}}
		}
	}
	signed := map[string]string{"stripe-signature": v.signature(body, v.now())}
	if m, err := hooks.RecordInboundEvent(t.Context(), request("evt_2", delivery(signed))); err != nil || m.Deduplicated {
		t.Fatalf("%v %v", m, err)
	}
	if o := agent.Operation(p.OperationId); len(o.Effects) != 1 || len(o.Evidence) != 2 {
		t.Fatalf("effects %v, evidence %v", o.Effects, o.Evidence)
	}

	for name, tc := range map[string]struct {
		request *pb.RecordInboundEventRequest
		code    codes.Code
		reason  string
		field   string
	}{
		"an empty source":   {request("evt_3", func(r *pb.RecordInboundEventRequest) { r.Source = "" }), codes.InvalidArgument, "INVALID_REQUEST", "source"},
		"an empty event id": {request(""), codes.InvalidArgument, "INVALID_REQUEST", "event_id"},
		"an unknown source": {request("evt_3", func(r *pb.RecordInboundEventRequest) { r.Source = "nobody" }), codes.InvalidArgument, "INVALID_REQUEST", "source"},
		"no payload":        {request("evt_3", func(r *pb.RecordInboundEventRequest) { r.Payload = nil }), codes.InvalidArgument, "INVALID_REQUEST", "payload"},
		"a payload of no JSON": {request("evt_3", func(r *pb.RecordInboundEventRequest) {
			r.Payload = &pb.RecordInboundEventRequest_PayloadJson{PayloadJson: "<xml>"}
		}), codes.InvalidArgument, "INVALID_REQUEST", "payload_json"},
		"a zero byte":              {request("evt\x003"), codes.InvalidArgument, "INVALID_REQUEST", "event_id"},
		"a bad signature":          {request("evt_3", delivery(map[string]string{"stripe-signature": "t=1,v1=00"})), codes.Unauthenticated, "INVALID_SIGNATURE", ""},
		"no signature":             {request("evt_3", delivery(nil)), codes.Unauthenticated, "INVALID_SIGNATURE", ""},
		"an old signature":         {request("evt_3", delivery(map[string]string{"stripe-signature": v.signature(body, v.now().Add(-time.Hour))})), codes.Unauthenticated, "INVALID_SIGNATURE", ""},
		"another id than signed":   {request("evt_3", delivery(signed)), codes.InvalidArgument, "INVALID_REQUEST", "event_id"},
		"another type than signed": {request("evt_2", delivery(signed), func(r *pb.RecordInboundEventRequest) { r.EventType = "charge.failed" }), codes.InvalidArgument, "INVALID_REQUEST", "event_type"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hooks.RecordInboundEvent(t.Context(), tc.request)
			refused(t, err, tc.code, tc.reason)
			if fields := servertest.Violations(err); tc.field != "" && (len(fields) != 1 || fields[0] != tc.field) {
				t.Fatalf("it names the fields %q, want %s", fields, tc.field)
			}
		})
	}
	_, err = pb.NewWorkflowServiceClient(agent.Conn).RecordInboundEvent(t.Context(), request("evt_4"))
	refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
}

// TestManyDeliveriesAtOnce: each of more deliveries than are taken at once is stored, or told to come again.
func TestManyDeliveriesAtOnce(t *testing.T) {
	w := servertest.SQLite(t)
	c := w.Serve(withInbox(t))
	v := newVendor(t, w)
	var stored, later atomic.Int64
	var wait sync.WaitGroup
	for i := range 200 {
		body := chargeEvent(fmt.Sprintf("evt_%d", i), "charge.succeeded", "ch_"+strconv.Itoa(i), "", v.now())
		header := v.signature(body, v.now())
		wait.Go(func() {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.Address+v.path, bytes.NewReader(body))
			r.Header.Set("Stripe-Signature", header)
			reply, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			_ = reply.Body.Close()
			switch {
			case reply.StatusCode == http.StatusOK:
				stored.Add(1)
			case reply.StatusCode == http.StatusServiceUnavailable && reply.Header.Get("Retry-After") != "":
				later.Add(1)
			default:
				t.Errorf("%d", reply.StatusCode)
			}
		})
	}
	wait.Wait()
	if stored.Load() == 0 || stored.Load()+later.Load() != 200 {
		t.Fatalf("%d stored, %d later", stored.Load(), later.Load())
	}
}
