package adapter_test

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

func itoa(n int) string { return strconv.Itoa(n) }

// want fails unless a report has this outcome, category and code.
func want(t *testing.T, r ledger.Report, outcome ledger.Outcome, category ledger.Category, code string) {
	t.Helper()
	if r.Outcome != outcome || r.Category != category || r.Code != code || !r.SenderReturned {
		t.Fatalf("reported %s, %s, %s (%s), sender returned %v", r.Outcome, r.Category, r.Code, r.Message, r.SenderReturned)
	}
}

// arrived fails unless exactly so many connections and requests have come.
func arrived(t *testing.T, p *peer, conns, requests int) {
	t.Helper()
	if c, _, r, _ := p.seen(); c != conns || len(r) != requests {
		t.Fatalf("%d connections and %d requests came: %q", c, len(r), r)
	}
}

// TestARequestOnTheWire is FC-106, too: the key is in the header that the profile names.
func TestARequestOnTheWire(t *testing.T) {
	p := newPeer(t, answers("201 Created", `{"id":"ch_1"}`, "X-Request-Id: req_1"))
	tool := capture(p.url())
	tool.HTTP.Request.Headers = []registry.HTTPHeader{{Name: "Authorization", Secret: &registry.SecretRef{Environment: "OPLEDGER_SECRET_PAY", Prefix: "Bearer "}}, {Name: "X-Op", Value: "{operation_id}"}, {Name: "X-Note", Value: "{args.note?}"}}
	tool.HTTP.Outcomes = []registry.HTTPOutcomeRule{{When: registry.HTTPCondition{Status: []string{"201"}}, Outcome: registry.HTTPSucceeded,
		Extract: registry.HTTPExtract{ProviderObjectID: "/id", ProviderRequestIDHeader: "X-Request-Id"}}}
	r := local().Act(t.Context(), tool, effect())
	want(t, r, ledger.OutcomeSucceeded, "", "")
	if r.EffectID != "ch_1" || r.ObjectID != "ch_1" || r.RequestRef != "req_1" || r.RawStatusCode != "201" || string(r.ResultJSON) != `{"id":"ch_1"}` || r.Replayed {
		t.Errorf("reported %+v", r)
	}
	arrived(t, p, 1, 1)
	_, _, requests, _ := p.seen()
	wanted := "POST /v1/orders/order%2F1/captures?channel=web HTTP/1.1\r\nHost: " + p.listener.Addr().String() +
		"\r\nUser-Agent: opledger/1\r\nAccept: application/json\r\nAccept-Encoding: identity\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 67\r\n" +
		"Authorization: Bearer sk_live_0123456789\r\nX-Op: op_1\r\nIdempotency-Key: opk-key\r\n\r\n" +
		`{"amount":4900,"currency":"USD","metadata":{"ref":"opr-reference"}}`
	if requests[0] != wanted {
		t.Errorf("sent\n%s\nwant\n%s", requests[0], wanted)
	}
}

// TestFC106TheKeyInTheBody: whichever way a dispatch goes, it carries the same key where the profile says.
func TestFC106TheKeyInTheBody(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	tool := capture(p.url())
	tool.Provider.VendorKey.Header, tool.Provider.VendorKey.BodyField = "", "/meta/key"
	for range 2 {
		want(t, local().Act(t.Context(), tool, effect()), ledger.OutcomeSucceeded, "", "")
	}
	tool.Provider.VendorKey.BodyField = "/key"
	tool.HTTP.Request.JSON = ""
	tool.HTTP.Request.Form = []registry.HTTPField{{Name: "a[b]", Value: "{args.order_id}&x=1"}, {Name: "note", Value: "{args.note?}"}}
	want(t, local().Act(t.Context(), tool, effect()), ledger.OutcomeSucceeded, "", "")
	_, _, requests, bodies := p.seen()
	for _, body := range bodies[:2] {
		if !strings.Contains(body, `"meta":{"key":"opk-key"}`) {
			t.Errorf("sent %s", body)
		}
	}
	if bodies[2] != "a%5Bb%5D=order%2F1%26x%3D1&key=opk-key" || !strings.Contains(requests[2], "Content-Type: application/x-www-form-urlencoded\r\n") {
		t.Errorf("sent %s", requests[2])
	}
}

// TestFC216OneRequestOnTheWire: the provider commits and closes without an answer, on a connection that it had promised to
// keep. Counted at the socket, nothing is sent again.
func TestFC216OneRequestOnTheWire(t *testing.T) {
	served := 0
	p := newPeer(t, nil)
	p.answer = func(conn net.Conn, r *http.Request) {
		if served++; served == 1 {
			answers("200 OK", `{"id":"ch_1"}`, "Connection: keep-alive")(conn, r)
			return
		}
		_ = conn.Close()
	}
	tool, caller := capture(p.url()), local()
	want(t, caller.Act(t.Context(), tool, effect()), ledger.OutcomeSucceeded, "", "")
	want(t, caller.Act(t.Context(), tool, effect()), ledger.OutcomeAmbiguous, ledger.CategoryConnectionLost, "connection_lost")
	arrived(t, p, 2, 2)
}

// TestFC216NoRedirectIsFollowed: not of any kind, not for any method.
func TestFC216NoRedirectIsFollowed(t *testing.T) {
	other := newPeer(t, answers("200 OK", `{}`))
	for _, status := range []string{"301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"} {
		p := newPeer(t, answers(status, "", "Location: "+other.url()+"/x"))
		r := local().Act(t.Context(), capture(p.url()), effect())
		want(t, r, ledger.OutcomeAmbiguous, ledger.CategoryProviderError, status[:3])
		arrived(t, p, 1, 1)
	}
	arrived(t, other, 0, 0)
}

// TestFC212TheCreateWorkedAndItsAnswerDoesNotParse: it is ambiguous, never a success and never "not sent".
func TestFC212TheCreateWorkedAndItsAnswerDoesNotParse(t *testing.T) {
	for _, body := range []string{`{"id":"iss_1"`, `<html>`, `{"id":"iss_1"}}`, `{"number":7}`} {
		p := newPeer(t, answers("201 Created", body))
		tool := capture(p.url())
		tool.HTTP.Outcomes = []registry.HTTPOutcomeRule{{When: registry.HTTPCondition{Status: []string{"2xx"}}, Outcome: registry.HTTPSucceeded,
			Extract: registry.HTTPExtract{ProviderObjectID: "/id"}}}
		r := local().Act(t.Context(), tool, effect())
		want(t, r, ledger.OutcomeAmbiguous, ledger.CategoryMalformedAnswer, "201")
		if r.EffectID != "" {
			t.Errorf("%s has the effect %s", body, r.EffectID)
		}
		if tool.HTTP.Outcomes = nil; body != `{"number":7}` {
			want(t, local().Act(t.Context(), tool, effect()), ledger.OutcomeAmbiguous, ledger.CategoryMalformedAnswer, "201")
		}
	}
}

// TestAnEarlyAnswer: a provider that refuses before it has read everything is heard.
func TestAnEarlyAnswer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.ReadFull(conn, make([]byte, 10))
		says("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")(conn, nil)
		_, _ = io.Copy(io.Discard, conn)
	}()
	want(t, local().Act(t.Context(), capture("http://"+l.Addr().String()), effect()), ledger.OutcomeRejected, "", "413")
}

// TestInterimAnswers: one that only says to go on is not the answer.
func TestInterimAnswers(t *testing.T) {
	p := newPeer(t, says("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n0\r\n\r\n"))
	if r := local().Act(t.Context(), capture(p.url()), effect()); r.Outcome != ledger.OutcomeSucceeded || string(r.ResultJSON) != `{"a":1}` {
		t.Errorf("reported %+v", r)
	}
}
