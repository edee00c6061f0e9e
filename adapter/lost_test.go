package adapter_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

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
