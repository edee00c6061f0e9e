package adapter_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// TestAnswersCutAtEachByte: an answer that is not there to its last byte is never a success and never a refusal, wherever
// it is cut. (One that ends with the connection cannot be told from a cut one; then its JSON has to be whole.)
func TestAnswersCutAtEachByte(t *testing.T) {
	for name, whole := range map[string]string{
		"by length":         "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n" + `{"id":"ch_1"}`,
		"by chunks":         "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n" + "6\r\n{\"id\":\r\n7\r\n\"ch_1\"}\r\n0\r\n\r\n",
		"by the connection": "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n" + `{"id":"ch_1"}`,
		"a refusal":         "HTTP/1.1 422 No\r\nContent-Length: 15\r\n\r\n" + `{"error":"bad"}`,
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			p := newPeer(t, func(conn net.Conn, _ *http.Request) {
				_, _ = io.WriteString(conn, whole[:n])
				_ = conn.Close()
			})
			tool, caller := capture(p.url()), local()
			tool.HTTP.Outcomes = []registry.HTTPOutcomeRule{{When: when("2xx"), Outcome: registry.HTTPSucceeded, Extract: registry.HTTPExtract{ProviderObjectID: "/id"}}}
			for ; n < len(whole); n++ {
				if r := caller.Act(t.Context(), tool, effect()); r.Outcome != ledger.OutcomeAmbiguous || r.EffectID != "" || !r.SenderReturned {
					t.Fatalf("cut after %q it is %s (%s)", whole[:n], r.Outcome, r.Code)
				}
			}
			if r := caller.Act(t.Context(), tool, effect()); r.Outcome != ledger.OutcomeSucceeded && r.Outcome != ledger.OutcomeRejected {
				t.Fatalf("whole it is %s (%s)", r.Outcome, r.Code)
			}
			arrived(t, p, len(whole)+1, len(whole)+1)
		})
	}
}

// TestWhateverComesBack: no answer at all makes "not sent" of a request that has left, and none sends it twice.
func TestWhateverComesBack(t *testing.T) {
	answer := ""
	p := newPeer(t, func(conn net.Conn, _ *http.Request) {
		_, _ = io.WriteString(conn, answer)
		_ = conn.Close()
	})
	tool, caller := capture(p.url()), local()
	tool.HTTP.Request.MaxResponseBytes = 64
	sent := 0
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"HTTP/1.1 ", "HTTP/1.0 ", "HTTP/2.0 ", "http/1.1 ", "\r\n", ""}).Draw(t, "version") +
			rapid.SampledFrom([]string{"100 Go on", "200 OK", "204 Nothing", "302 Found", "404 No", "999 What", "20", "-1 x", ""}).Draw(t, "status") + "\r\n"
		headers := ""
		for _, h := range rapid.SliceOfN(rapid.SampledFrom([]string{
			"Content-Length: 3\r\n", "Content-Length: -1\r\n", "Content-Length: 99999999999\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n",
			"Connection: keep-alive\r\n", "Location: /x\r\n", "Retry-After: 1\r\n", " folded\r\n", "no colon\r\n", "X: \x00\r\n", "\xff: y\r\n",
		}), 0, 4).Draw(t, "headers") {
			headers += h
		}
		answer = line + headers + rapid.SampledFrom([]string{"\r\n", "", "\n"}).Draw(t, "end") +
			rapid.OneOf(rapid.StringMatching(`[{}\[\]":a-z0-9\r\n]{0,100}`), rapid.Just("3\r\n{}\n\r\n0\r\n\r\n"), rapid.Just(`{}`)).Draw(t, "body")
		r := caller.Act(t.Context(), tool, effect())
		if sent++; r.Outcome == ledger.OutcomeNotSent || r.Outcome == "" || !r.SenderReturned || r.Outcome == ledger.OutcomeAmbiguous && r.Category == "" {
			t.Fatalf("%q made %s of the request (%s)", answer, r.Outcome, r.Code)
		}
	})
	arrived(t, p, sent, sent)
}

// TestAnAnswerOfMillionsOfValues: what would take thirty times the memory of its text is not read.
func TestAnAnswerOfMillionsOfValues(t *testing.T) {
	body := ""
	p := newPeer(t, func(conn net.Conn, r *http.Request) { answers("200 OK", body)(conn, r) })
	tool := capture(p.url())
	tool.HTTP.Request.MaxResponseBytes = registry.MaxResponseBytes
	tool.HTTP.Outcomes = nil
	body = "[" + strings.Repeat("{},", 1000) + "{}]"
	want(t, local().Act(t.Context(), tool, effect()), ledger.OutcomeSucceeded, "", "")
	body = "[" + strings.Repeat("{},", 1<<20) + "{}]"
	want(t, local().Act(t.Context(), tool, effect()), ledger.OutcomeAmbiguous, ledger.CategoryMalformedAnswer, "200")
}
