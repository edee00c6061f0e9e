package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/internal/wirefault"
)

const (
	exampleSources = "../../examples/webhooks/sources.yaml"
	exampleTopup   = "../../examples/webhooks/account.topup.yaml"
	exampleSecret  = "OPLEDGER_SECRET_ACME_PAY=a secret of acme-pay"
)

// topup executes a top-up whose answer is lost, and gives its operation and client reference.
func (r *running) topup(t *testing.T, account string) (operation, reference string) {
	t.Helper()
	m := r.json(t, "propose", "account.topup", "--arguments", `{"account_id":"`+account+`","amount":"20.00","currency":"USD"}`, "--workflow", "wf_1")
	operation, reference = text(m, "permit.operation_id"), text(m, "permit.client_reference")
	r.ok(t, "report", operation, text(m, "permit.attempt_id"), "--attempt-token", text(m, "permit.attempt_token"), "--outcome", "ambiguous")
	return operation, reference
}

// eventFile writes the example's event for a reference, under its own id and charge.
func eventFile(t *testing.T, n int, reference string) string {
	t.Helper()
	example, err := os.ReadFile("../../examples/webhooks/event.json")
	if err != nil {
		t.Fatal(err)
	}
	body := strings.NewReplacer("REFERENCE", reference, "evt_1", fmt.Sprintf("evt_%d", n), "ch_1", fmt.Sprintf("ch_%d", n)).Replace(string(example))
	file := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// delivery is a signed delivery, made by "opledger events sign".
type delivery struct {
	body      []byte
	signature string
}

func signDelivery(t *testing.T, file string) delivery {
	t.Helper()
	name, value, _ := strings.Cut(exampleSecret, "=")
	t.Setenv(name, value)
	out := do(t, "events", "sign", "acme-pay", file, "--webhook-sources", exampleSources)
	if out.status != exitOK {
		t.Fatalf("events sign: %s", out.err)
	}
	_, rest, found := strings.Cut(out.out, "Stripe-Signature: ")
	signature, _, ended := strings.Cut(rest, "'")
	if !found || !ended || !strings.Contains(out.out, "/webhooks/default/acme-pay'") {
		t.Fatalf("events sign prints %s", out.out)
	}
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return delivery{body, signature}
}

// to delivers to a server, and answers its status and text; a server that dies gives an error.
func (d delivery) to(address string) (int, string, error) {
	req, err := http.NewRequest(http.MethodPost, "http://"+address+"/webhooks/default/acme-pay", bytes.NewReader(d.body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Stripe-Signature", d.signature)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	var answer bytes.Buffer
	_, err = answer.ReadFrom(res.Body)
	return res.StatusCode, answer.String(), err
}

// stored expects a delivery to be stored, and answers whether it was before.
func (d delivery) stored(t *testing.T, address string) (again bool) {
	t.Helper()
	status, answer, err := d.to(address)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	return strings.Contains(answer, `"deduplicated":true`)
}

// settledOnce expects an operation to have become a success once, by one statement.
func (r *running) settledOnce(t *testing.T, operation string) {
	t.Helper()
	m := r.json(t, "ops", "show", operation)
	evidence, _ := field(m, "evidence").([]any)
	events := strings.Count(r.ok(t, "ops", "events", operation, "--json"), `"to_state": "STATE_COMPLETED_SUCCESS"`)
	if state := text(m, "state"); state != "STATE_COMPLETED_SUCCESS" || len(evidence) != 1 || events != 1 {
		t.Fatalf("%s is %s by %d statements, %d times", operation, state, len(evidence), events)
	}
}

// kill ends the process as a power cut would.
func (r *running) kill(t *testing.T) {
	t.Helper()
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = r.wait()
}

// TestServeWebhookSources: the file is read at the start and again when it changes; what cannot be checked is told.
func TestServeWebhookSources(t *testing.T) {
	text, err := os.ReadFile(exampleSources)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sources.yaml")
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(string(text), "name: acme-pay", "name: other-pay", 1))
	r := startServe(t, []string{"--webhook-sources", file})
	r.await(t, "no delivery of the webhook source default/other-pay can be checked: the environment variable OPLEDGER_SECRET_ACME_PAY is not set")
	r.address, _ = r.await(t, messageServing)["address"].(string)
	d := signDelivery(t, eventFile(t, 1, "opr-nobody"))
	if status, _, err := d.to(r.address); status != http.StatusNotFound {
		t.Fatalf("%d %v", status, err)
	}
	write(string(text))
	if err := r.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	r.await(t, "the file of webhook sources was read again")
	if status, _, err := d.to(r.address); status != http.StatusServiceUnavailable {
		t.Fatalf("%d %v", status, err)
	}
	r.stop(t)

	write("sources: [{name: x}]\n")
	if out := do(t, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--webhook-sources", file); out.status == exitOK || !strings.Contains(out.err, "sources.yaml:1:11: preset is missing") {
		t.Fatalf("%d %s", out.status, out.err)
	}
	write("sources: [{name: x, preset: none, fields: {event_id: /id, event_type: /type}, verdicts: {done: happened}}]\n")
	if out := do(t, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--webhook-sources", file); !strings.Contains(out.err, "--webhook-unsigned") {
		t.Fatalf("%d %s", out.status, out.err)
	}
	r = startServe(t, []string{"--webhook-sources", file, "--webhook-unsigned"})
	r.await(t, "signs nothing: whoever reaches this server can speak for that provider")
	r.await(t, messageServing)
	r.stop(t)
}

// TestEventsRecord: an event on one's own word, and its repeat.
func TestEventsRecord(t *testing.T) {
	r := serveProcess(t, []string{"--webhook-sources", exampleSources}, exampleSecret)
	r.ok(t, "tools", "apply", exampleTopup)
	operation, reference := r.topup(t, "acc_1")
	has(t, "record", r.ok(t, "events", "record", "acme-pay", "evt_1", "--payload", "@"+eventFile(t, 1, reference)), operation)
	has(t, "its repeat", r.ok(t, "events", "record", "acme-pay", "evt_1", "--type", "charge.failed"), operation, "stored before  yes")
	r.settledOnce(t, operation)
	has(t, "an early one", r.ok(t, "events", "record", "acme-pay", "evt_2", "--type", "charge.succeeded", "--object-id", "ch_9", "--at", "2026-01-01T00:00:00Z"), "no operation yet")
	if out := r.at(t, "events", "record", "nobody", "evt_1"); out.status != exitFailed || !strings.Contains(out.err, "--webhook-sources") {
		t.Fatalf("%d %s", out.status, out.err)
	}
}

// TestFC210: a server process is killed with an event in its hands, right before the commit; nothing of the event is there
// then, and what is delivered again is applied once. An event that was answered is never lost.
func TestFC210(t *testing.T) {
	t.Run("postgresql", func(t *testing.T) {
		url := pgtest.NewDatabase(t)
		proxy := wirefault.Start(t, url)
		behind := serveProcess(t, []string{"--webhook-sources", exampleSources, "--database-url", proxy.URL()}, exampleSecret)
		behind.ok(t, "tools", "apply", exampleTopup)
		operation, reference := behind.topup(t, "acc_1")
		d := signDelivery(t, eventFile(t, 1, reference))
		release := make(chan struct{})
		fault := proxy.Inject(wirefault.Rule{Match: wirefault.Matching(`(?i)insert into inbound_events`), Times: 1, Action: wirefault.Hold(release)})
		cut := make(chan error, 1)
		go func() {
			_, _, err := d.to(behind.address)
			cut <- err
		}()
		<-fault.Reached()
		behind.kill(t)
		close(release)
		if err := <-cut; err == nil {
			t.Fatal("the killed server answered")
		}
		r := serveProcess(t, []string{"--webhook-sources", exampleSources, "--database-url", url}, exampleSecret)
		if state := text(r.json(t, "ops", "show", operation), "state"); state != "STATE_UNKNOWN_OUTCOME" {
			t.Fatalf("before the event is delivered again the operation is %s", state)
		}
		redelivered(t, r, operation, d)
	})
	t.Run("sqlite", func(t *testing.T) {
		data := "--database-url=sqlite://" + filepath.Join(t.TempDir(), "ledger.db")
		args := []string{"--webhook-sources", exampleSources, data}
		r := serveProcess(t, args, exampleSecret)
		r.ok(t, "tools", "apply", exampleTopup)
		for round := range 4 {
			landed := killedAmidDeliveries(t, r, round)
			r = serveProcess(t, args, exampleSecret)
			for n, l := range landed {
				if again := l.delivery.stored(t, r.address); l.answered && !again {
					t.Fatalf("event %d was answered and is lost", n)
				}
				r.settledOnce(t, l.operation)
			}
		}
	})
}

// redelivered delivers twice at once, and expects one application.
func redelivered(t *testing.T, r *running, operation string, d delivery) {
	t.Helper()
	var wait sync.WaitGroup
	again := make([]bool, 2)
	for i := range again {
		wait.Go(func() { again[i] = d.stored(t, r.address) })
	}
	wait.Wait()
	if again[0] == again[1] {
		t.Fatalf("of two deliveries at once one is the repeat: %v", again)
	}
	r.settledOnce(t, operation)
}

// landing is a delivery with what is known of it.
type landing struct {
	operation string
	delivery  delivery
	answered  bool
}

// killedAmidDeliveries kills a server when it has answered a few of many deliveries that come at once.
func killedAmidDeliveries(t *testing.T, r *running, round int) []*landing {
	t.Helper()
	var all []*landing
	for i := range 6 {
		operation, reference := r.topup(t, fmt.Sprintf("acc_%d_%d", round, i))
		all = append(all, &landing{operation: operation, delivery: signDelivery(t, eventFile(t, 10*round+i, reference))})
	}
	answers := make(chan struct{}, len(all))
	var wait sync.WaitGroup
	for _, l := range all {
		wait.Go(func() {
			status, _, err := l.delivery.to(r.address)
			l.answered = err == nil && status == http.StatusOK
			answers <- struct{}{}
		})
	}
	for range round {
		<-answers
	}
	r.kill(t)
	wait.Wait()
	return all
}
