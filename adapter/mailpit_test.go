package adapter_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// mailTool sends by Mailpit, which takes no key and finds a message by its tag.
const mailTool = `
name: mail.send
class: EXTERNAL_NON_IDEMPOTENT_WRITE
arguments_schema:
  type: object
  additionalProperties: false
  required: [to, subject, text]
  properties: {to: {type: string}, subject: {type: string}, text: {type: string}}
identity: {occurrence: NOBODY}
executor: SERVER_HTTP
provider: {name: mailpit, base: mailpit.v1}
http:
  allowed_hosts: [127.0.0.1]
  request:
    method: POST
    url: http://HOST/api/v1/send
    json: '{"From":{"Email":"shop@example.com"},"To":[{"Email":"{args.to}"}],"Subject":"{args.subject}","Text":"{args.text}","Tags":["{client_reference}"]}'
  outcomes:
    - {when: {status: ["200"]}, outcome: SUCCEEDED, extract: {provider_object_id: /ID}}
    - {when: {status: ["400"]}, outcome: REJECTED}
  lookups:
    - by: CLIENT_REFERENCE
      request: {method: GET, url: "http://HOST/api/v1/search?query=tag:{reference}"}
      found: {status: ["200"]}
      not_found: {status: ["200"], body_pointer: /messages, body_equals_json: "[]"}
      items: /messages
      extract: {provider_object_id: /ID, client_reference: /Tags/0}
    - by: OBJECT_ID
      request: {method: GET, url: "http://HOST/api/v1/message/{reference}"}
      found: {status: ["200"]}
      not_found: {status: ["404"]}
      extract: {provider_object_id: /ID, client_reference: /Tags/0}
`

// TestMailpit tries the shipped profile against a server that none of us wrote and that keeps what it got: an answer that
// comes, one that is lost after the mail was taken, a refusal, and what is found of each.
func TestMailpit(t *testing.T) {
	at := startMailpit(t)
	mail := func(host string) *registry.Definition {
		sources, problems := toolfile.Parse("mail.send.yaml", []byte(strings.ReplaceAll(mailTool, "HOST", host)))
		for _, p := range problems {
			t.Fatal(p)
		}
		refused, _ := sources[0].Check(registry.Capabilities{HTTP: true, PlainHTTP: true, ProviderBases: true})
		for _, p := range refused {
			t.Fatal(p)
		}
		d := registry.WithDefaults(sources[0].Definition)
		return &d
	}
	e := effect()
	e.VendorKey, e.ClientReference = "", "opr-answered"
	e.Arguments = []byte(`{"subject":"Hello \"you\"","text":"a\nb","to":"ann@example.com"}`)
	r := local().Act(t.Context(), mail(at), e)
	want(t, r, ledger.OutcomeSucceeded, "", "")

	e.ClientReference = "opr-lost"
	want(t, local().Act(t.Context(), mail(losesAnswers(t, at)), e), ledger.OutcomeAmbiguous, ledger.CategoryConnectionLost, "connection_lost")

	e.ClientReference, e.Arguments = "opr-refused", []byte(`{"subject":"x","text":"x","to":"nobody"}`)
	want(t, local().Act(t.Context(), mail(at), e), ledger.OutcomeRejected, "", "400")

	for reference, says := range map[string]ledger.Says{
		"opr-answered": ledger.SaysHappened, "opr-lost": ledger.SaysHappened, "opr-refused": ledger.SaysNot, "opr-never": ledger.SaysNot,
	} {
		q := question(registry.ByClientReference, reference)
		q.VendorKey, q.ClientReference = "", reference
		s := local().Ask(t.Context(), mail(at), q)
		if s.Says != says || says == ledger.SaysHappened && (s.ClientReference != reference || s.EffectID == "") {
			t.Errorf("%s: %+v", reference, s)
		}
		if reference == "opr-answered" && s.EffectID != r.EffectID {
			t.Errorf("sent as %s and found as %s", r.EffectID, s.EffectID)
		}
	}
	q := question(registry.ByObjectID, r.EffectID)
	q.ClientReference = "opr-answered"
	if s := local().Ask(t.Context(), mail(at), q); s.Says != ledger.SaysHappened || s.EffectID != r.EffectID {
		t.Errorf("found %+v", s)
	}
	if n := messages(t, at); n != 2 {
		t.Errorf("%d mails were taken", n)
	}
}

// startMailpit starts the server that scripts/setup-servers compiles.
func startMailpit(t *testing.T) (address string) {
	t.Helper()
	bin, err := filepath.Abs("../bin/mailpit")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(bin); err != nil {
		t.Skip("bin/mailpit is not there; scripts/setup-servers compiles it")
	}
	address = free(t)
	cmd := exec.CommandContext(t.Context(), bin, "--listen", address, "--smtp", free(t), "--database", filepath.Join(t.TempDir(), "mail.db"), "--disable-version-check")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for deadline := time.Now().Add(20 * time.Second); ; {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return address
		}
		if time.Now().After(deadline) {
			t.Fatal("mailpit does not listen")
		}
	}
}

func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// losesAnswers passes requests on, waits for the first byte of the answer, and cuts the connection.
func losesAnswers(t *testing.T, to string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				return
			}
			go func() { _, _ = io.Copy(server, client) }()
			_, _ = server.Read(make([]byte, 1))
			_, _ = client.Close(), server.Close()
		}
	}()
	return l.Addr().String()
}

// messages counts what the server has.
func messages(t *testing.T, at string) int {
	t.Helper()
	res, err := http.Get("http://" + at + "/api/v1/messages")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var list struct{ Total int }
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list.Total
}
