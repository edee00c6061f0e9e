package adapter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/canon"
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

// TestAnswersThatDoNotCome: after the first byte nothing is ever "not sent".
func TestAnswersThatDoNotCome(t *testing.T) {
	const head = "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n"
	silent := func(conn net.Conn, _ *http.Request) { _, _ = io.Copy(io.Discard, conn) } // until the other side gives up
	for name, c := range map[string]struct {
		answer   func(net.Conn, *http.Request)
		category ledger.Category
		code     string
		timeout  time.Duration
	}{
		"silence":             {silent, ledger.CategoryTimeout, "timeout", 50 * time.Millisecond},
		"half a head":         {func(conn net.Conn, r *http.Request) { says("HTTP/1.1 20")(conn, r); silent(conn, r) }, ledger.CategoryTimeout, "timeout", 50 * time.Millisecond},
		"a slow loris":        {drip(head), ledger.CategoryTimeout, "timeout", 100 * time.Millisecond},
		"reset after":         {func(conn net.Conn, _ *http.Request) { reset(conn) }, ledger.CategoryConnectionLost, "connection_lost", 0},
		"FC-214 closed after": {func(conn net.Conn, _ *http.Request) { _ = conn.Close() }, ledger.CategoryConnectionLost, "connection_lost", 0},
		"cut in the head":     {func(conn net.Conn, r *http.Request) { says(head[:30])(conn, r); _ = conn.Close() }, ledger.CategoryConnectionLost, "connection_lost", 0},
		"cut in the body":     {func(conn net.Conn, r *http.Request) { says(head+`{"id":`)(conn, r); _ = conn.Close() }, ledger.CategoryConnectionLost, "connection_lost", 0},
		"no HTTP":             {says("220 mail.example ESMTP\r\n"), ledger.CategoryMalformedAnswer, "malformed_answer", 0},
		"a huge header":       {says("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<17) + "\r\n\r\n"), ledger.CategoryMalformedAnswer, "malformed_answer", 0},
		"an endless head":     {endless("HTTP/1.1 200 OK\r\n", "X: y\r\n"), ledger.CategoryMalformedAnswer, "malformed_answer", 0},
		"an endless body":     {endless("HTTP/1.1 200 OK\r\n\r\n", strings.Repeat("x", 4096)), ledger.CategoryMalformedAnswer, "answer_too_long", 0},
		"endless chunks":      {endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"), ledger.CategoryMalformedAnswer, "", 0},
		"endless interims":    {endless("", "HTTP/1.1 100 Continue\r\n\r\n"), ledger.CategoryMalformedAnswer, "malformed_answer", 0},
		"another protocol":    {says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), ledger.CategoryMalformedAnswer, "malformed_answer", 0},
		"a bad chunk":         {says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), ledger.CategoryMalformedAnswer, "malformed_answer", 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t, c.answer)
			tool := capture(p.url())
			tool.HTTP.Request.MaxResponseBytes = 1 << 16
			if c.timeout != 0 {
				tool.HTTP.Request.Timeout = c.timeout
			}
			r := local().Act(t.Context(), tool, effect())
			if c.code == "" {
				c.code = r.Code
			}
			want(t, r, ledger.OutcomeAmbiguous, c.category, c.code)
			arrived(t, p, 1, 1)
		})
	}
}

// drip sends a head and then a byte now and then, for as long as somebody reads.
func drip(head string) func(net.Conn, *http.Request) {
	return func(conn net.Conn, _ *http.Request) {
		_, err := io.WriteString(conn, head)
		for tick := time.NewTicker(5 * time.Millisecond); err == nil; <-tick.C {
			_, err = io.WriteString(conn, " ")
		}
	}
}

// endless sends a head and then the same again and again, for as long as somebody reads.
func endless(head, again string) func(net.Conn, *http.Request) {
	return func(conn net.Conn, _ *http.Request) {
		_, err := io.WriteString(conn, head)
		for err == nil {
			_, err = io.WriteString(conn, again)
		}
	}
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

// TestReady: it is asked once, when the connection stands and before any byte; what it says is kept to.
func TestReady(t *testing.T) {
	p := newPeer(t, func(conn net.Conn, _ *http.Request) { _, _ = io.Copy(io.Discard, conn) })
	asked := 0
	e := effect()
	e.Ready = func(context.Context) (time.Duration, error) {
		asked++
		if _, n, _, _ := p.seen(); n != 0 {
			t.Errorf("%d bytes have left before", n)
		}
		return 0, errors.New("the begin was refused")
	}
	want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "permit")
	for _, left := range []time.Duration{0, -time.Second} {
		e.Ready = func(context.Context) (time.Duration, error) { return left, nil }
		want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "permit")
	}
	if _, n, _, _ := p.seen(); n != 0 || asked != 1 {
		t.Fatalf("%d bytes have left, asked %d times", n, asked)
	}
	// A tool's own time of 5 s is no reason to go on longer than the permit.
	e.Ready = func(context.Context) (time.Duration, error) { return 50 * time.Millisecond, nil }
	start := time.Now()
	want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeAmbiguous, ledger.CategoryTimeout, "timeout")
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestWhatStandsStillBeforeItSends: a process that was frozen after its look at the permit does not send.
func TestWhatStandsStillBeforeItSends(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	e := effect()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	e.Ready = func(context.Context) (time.Duration, error) { <-ctx.Done(); return time.Minute, nil }
	want(t, local().Act(ctx, capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "permit")
	if _, n, _, _ := p.seen(); n != 0 {
		t.Errorf("%d bytes have left", n)
	}
}

// TestAResetBeforeTheFirstByte: the connection is gone when it is to be written to, so nothing has left.
func TestAResetBeforeTheFirstByte(t *testing.T) {
	accepted := make(chan net.Conn, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		if conn, err := l.Accept(); err == nil {
			accepted <- conn
		}
	}()
	e := effect()
	e.Ready = func(context.Context) (time.Duration, error) { reset(<-accepted); return time.Minute, nil }
	want(t, local().Act(t.Context(), capture("http://"+l.Addr().String()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "connect")
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

// TestInjection: no argument reaches another place than its own; one that no header can hold is never sent.
func TestInjection(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	tool := capture(p.url())
	tool.HTTP.Request.Headers = []registry.HTTPHeader{{Name: "X-Subject", Value: "order {args.note}"}}
	e := effect()
	for _, bad := range []string{"a\r\nX-Admin: true", "a\nb", "a\r", "\x00", "\x7f", strings.Repeat("x", 1<<15)} {
		e.Arguments = canon.Object(map[string]*canon.Value{
			"amount": canon.String("1.00"), "currency": canon.String("EUR"), "order_id": canon.String("o"), "note": canon.String(bad)}).Canonical()
		want(t, local().Act(t.Context(), tool, e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "template")
	}
	for _, id := range []string{"..", ".", ""} {
		e.Arguments = []byte(`{"amount":"1.00","currency":"EUR","note":"x","order_id":"` + id + `"}`)
		want(t, local().Act(t.Context(), tool, e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "template")
	}
	arrived(t, p, 0, 0)
	e.Arguments = []byte(`{"amount":"1.00","currency":"EUR","note":"ü \"x\"","order_id":"1/../../admin?x=1#y HTTP/1.1\r\nX: y"}`)
	want(t, local().Act(t.Context(), tool, e), ledger.OutcomeSucceeded, "", "")
	_, _, requests, _ := p.seen()
	if first, _, _ := strings.Cut(requests[0], "\r\n"); first != "POST /v1/orders/1%2F..%2F..%2Fadmin%3Fx=1%23y%20HTTP%2F1.1%0D%0AX:%20y/captures?channel=web HTTP/1.1" {
		t.Errorf("the request line is %s", first)
	}
}

// TestWhatATemplateLacks: an argument that is not there is told by its reference.
func TestWhatATemplateLacks(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	for _, text := range []string{`{}`, `{"order_id":"1","amount":"x","currency":"EUR"}`, `{"order_id":{"a":1},"amount":"1.00","currency":"EUR"}`, `not json`} {
		e := effect()
		e.Arguments = []byte(text)
		want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "template")
	}
	e := effect()
	e.VendorKey = ""
	want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "template")
	arrived(t, p, 0, 0)
}

// TestSecrets: one that is missing keeps the request back, and none is in what is told of a request, even where the
// provider repeats it.
func TestSecrets(t *testing.T) {
	p := newPeer(t, func(conn net.Conn, r *http.Request) {
		auth := r.Header.Get("Authorization")
		answers("401 Unauthorized", `{"id":"x `+auth+`","error":{"code":"bad key `+auth+`"},"message":"`+auth+`"}`, "X-Request-Id: "+auth)(conn, r)
	})
	tool := capture(p.url())
	secret := &registry.SecretRef{Environment: "OPLEDGER_SECRET_PAY", Prefix: "Bearer "}
	tool.HTTP.Request.Headers = []registry.HTTPHeader{{Name: "Authorization", Secret: secret}}
	tool.HTTP.Outcomes = []registry.HTTPOutcomeRule{{When: registry.HTTPCondition{Status: []string{"401"}}, Outcome: registry.HTTPRejected,
		Extract: registry.HTTPExtract{ProviderObjectID: "/id", Code: "/error/code", Result: "/message", ProviderRequestIDHeader: "X-Request-Id"}}}
	r := local().Act(t.Context(), tool, effect())
	want(t, r, ledger.OutcomeRejected, "", "bad key Bearer [secret]")
	if told := fmt.Sprintf("%+v %s", r, r.ResultJSON); strings.Contains(told, "sk_live") || !bytes.Contains(r.ResultJSON, []byte("[secret]")) {
		t.Errorf("told %s", told)
	}
	for _, ref := range []registry.SecretRef{{Environment: "OPLEDGER_SECRET_NONE"}, {Environment: "DATABASE_PASSWORD"}, {File: "none"}, {Environment: "OPLEDGER_SECRET_TWO_LINES"}} {
		*secret = ref
		want(t, local().Act(t.Context(), tool, effect()), ledger.OutcomeNotSent, ledger.CategoryNotSent, "secret_missing")
	}
	arrived(t, p, 1, 1)
}
