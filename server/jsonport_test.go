package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/jsonport"
	"github.com/opledger/opledger/server/servertest"
)

// proposeURL is the path of ProposeOperation over HTTP.
const proposeURL = "/opledger.v1.OperationService/ProposeOperation"

// post sends a body as a careful client would, changed as the test says.
func post(t testing.TB, c *servertest.Client, body []byte, change func(*http.Request)) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.Address+proposeURL, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, text
}

func proposalJSON(arguments string) []byte {
	body, _ := json.Marshal(map[string]string{"requestId": uuid.NewString(), "tool": "payment.capture", "argumentsJson": arguments})
	return body
}

// TestJSONOverHTTP: a call by curl is the call by gRPC.
func TestJSONOverHTTP(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		status, text := post(t, c, proposalJSON(capture), nil)
		var m struct{ Decision string }
		if err := json.Unmarshal(text, &m); err != nil || status != http.StatusOK || m.Decision != "DECISION_EXECUTE" {
			t.Fatalf("%d %s %v", status, text, err)
		}
		decided(t, c.Propose("payment.capture", capture), pb.Decision_DECISION_IN_FLIGHT)
		status, text = post(t, c, proposalJSON(`{"order_id":7}`), nil)
		if status != http.StatusBadRequest {
			t.Fatalf("%d %s", status, text)
		}
		says(t, string(text), "invalid_argument", "google.rpc.ErrorInfo", "google.rpc.BadRequest")
	})
}

// TestJSONCaution: what a page in somebody's browser could send is refused before it is read.
func TestJSONCaution(t *testing.T) {
	w := servertest.SQLite(t)
	c := serve(w, func(c *server.Config) {
		c.JSON = jsonport.Options{Hosts: []string{"ledger.example.com"}, Origins: []string{"https://desk.example.com"}}
	})
	body := proposalJSON(capture)
	for name, bad := range map[string]struct {
		change func(*http.Request)
		status int
		code   string
	}{
		"a form's content type":       {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType, "invalid_argument"},
		"no content type":             {func(r *http.Request) { r.Header.Del("Content-Type") }, http.StatusUnsupportedMediaType, "invalid_argument"},
		"a content type in disguise":  {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain; application/json") }, http.StatusUnsupportedMediaType, "invalid_argument"},
		"another page's origin":       {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example.com") }, http.StatusForbidden, "permission_denied"},
		"no page's origin":            {func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden, "permission_denied"},
		"a page of the same machine":  {func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:3000") }, http.StatusForbidden, "permission_denied"},
		"a fetch that hides its page": {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden, "permission_denied"},
		"a name made to point here":   {func(r *http.Request) { r.Host = "rebound.example.com" }, http.StatusForbidden, "permission_denied"},
		"GET":                         {func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed, "unimplemented"},
		"forwarded":                   {func(r *http.Request) { r.Header.Set("X-Forwarded-For", "203.0.113.7") }, http.StatusUnauthorized, "unauthenticated"},
		"no such method":              {func(r *http.Request) { r.URL.Path = "/opledger.v1.OperationService/Nothing" }, http.StatusNotFound, "unimplemented"},
	} {
		t.Run(name, func(t *testing.T) {
			status, text := post(t, c, body, bad.change)
			if status != bad.status || !strings.Contains(string(text), `"`+bad.code+`"`) {
				t.Fatalf("%d %s; want %d %s", status, text, bad.status, bad.code)
			}
		})
	}
	if all := c.Operations(); len(all) != 0 {
		t.Fatalf("something was recorded: %v", all)
	}
	for name, good := range map[string]func(*http.Request){
		"a known page":   func(r *http.Request) { r.Header.Set("Origin", "https://desk.example.com") },
		"a known host":   func(r *http.Request) { r.Host = "ledger.example.com" },
		"with a charset": func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") },
	} {
		if status, text := post(t, c, proposalJSON(capture), good); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
}

// TestBadJSONBodies: a body that is no request is bad input.
func TestBadJSONBodies(t *testing.T) {
	c := serve(servertest.SQLite(t))
	for name, body := range map[string]string{
		"no JSON":             `hello`,
		"cut off":             `{"tool":`,
		"an array":            `[]`,
		"an unknown field":    `{"requestId":"` + uuid.NewString() + `","tool":"record.write","argumentJson":"{}"}`,
		"a wrong type":        `{"tool":7}`,
		"a field twice":       `{"tool":"payment.capture","tool":"refund.create"}`,
		"invalid UTF-8":       "{\"tool\":\"\xff\"}",
		"nested":              `{"argumentsStruct":{"a":` + nested(20_000) + `}}`,
		"a number too large":  `{"requestId":"` + uuid.NewString() + `","tool":"record.write","argumentsStruct":{"n":9007199254740993}}`,
		"a number beyond all": `{"argumentsStruct":{"n":1e999}}`,
	} {
		t.Run(name, func(t *testing.T) {
			status, text := post(t, c, []byte(body), nil)
			if status != http.StatusBadRequest || !strings.Contains(string(text), `"invalid_argument"`) || !strings.Contains(string(text), "google.rpc.ErrorInfo") {
				t.Fatalf("%d %s", status, text)
			}
		})
	}
	t.Run("too large", func(t *testing.T) {
		status, text := post(t, c, proposalJSON(`{"a":"`+strings.Repeat("x", server.MaxMessageBytes)+`"}`), nil)
		if status != http.StatusTooManyRequests || !strings.Contains(string(text), "resource_exhausted") {
			t.Fatalf("%d %s", status, text)
		}
	})
}

// TestAJSONBodyThatNeverEnds: who sends half a body and no more is cut off, and a call that comes whole may wait for longer.
func TestAJSONBodyThatNeverEnds(t *testing.T) {
	t.Parallel()
	c := serve(servertest.SQLite(t), func(c *server.Config) { c.JSON.BodyTimeout = 200 * time.Millisecond })
	body, writer := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.Address+proposeURL, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	go func() { _, _ = writer.Write([]byte(`{"requestId":`)) }()
	reply, err := http.DefaultClient.Do(r)
	_ = writer.Close()
	if err == nil {
		defer reply.Body.Close()
		if reply.StatusCode != http.StatusBadRequest {
			t.Fatalf("it is answered by %d", reply.StatusCode)
		}
	}

	p := c.Execute("payment.capture", capture)
	waits, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+c.Address+"/opledger.v1.OperationService/GetOperation",
		strings.NewReader(`{"operationId":"`+p.OperationId+`","wait":"0.6s"}`))
	if err != nil {
		t.Fatal(err)
	}
	waits.Header.Set("Content-Type", "application/json")
	reply, err = http.DefaultClient.Do(waits)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if text, err := io.ReadAll(reply.Body); err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("%d %s %v", reply.StatusCode, text, err)
	}
}
