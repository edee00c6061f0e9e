package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// charge is a tool that the server carries out at an address.
const charge = `
name: payment.charge
class: EXTERNAL_IDEMPOTENT_WRITE
executor: SERVER_HTTP
arguments_schema: {type: object, additionalProperties: false, required: [ref], properties: {ref: {type: string, minLength: 1, maxLength: 64}}}
identity: {key_template: "charge:{ref}", occurrence: NOBODY}
reconcile: [RESEND, PERSON]
provider: {name: pay, idempotency_key: {supported: true, header: Idempotency-Key, retention: 24h}}
http:
  request: {method: POST, url: "%s/charges", json: '{"ref":"{args.ref}"}', timeout: 30s}
  outcomes: [{when: {status: ["201"]}, outcome: SUCCEEDED, extract: {provider_object_id: /id}}]
  allowed_hosts: [127.0.0.1]
`

// chargeAt writes the tool's file.
func chargeAt(t *testing.T, url string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "charge.yaml")
	if err := os.WriteFile(path, fmt.Appendf(nil, charge, url), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheServerCarriesOutTools(t *testing.T) {
	var requests atomic.Int64
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id":"ch_1","key":%q}`, r.Header.Get("Idempotency-Key"))
	}))
	defer provider.Close()
	r := serveProcess(t, []string{"--http-allow-private", "--http-allow-http", "--http-allowed-hosts", "127.0.0.1,*.example.com"})
	r.ok(t, "tools", "apply", chargeAt(t, provider.URL))
	has(t, "propose", r.ok(t, "propose", "payment.charge", "--arguments", `{"ref":"order_1"}`, "--wait", "20s"), "completed_success", "ch_1")
	replayed := r.json(t, "propose", "payment.charge", "--arguments", `{"ref":"order_1"}`)
	if text(replayed, "decision") != "DECISION_REPLAYED" || text(replayed, "result.provider_object_id") != "ch_1" || requests.Load() != 1 {
		t.Errorf("after %d requests: %v", requests.Load(), replayed)
	}
	res, err := http.Get("http://" + r.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	metrics, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "metrics", string(metrics), `opledger_exchange_duration_seconds_count{kind="dispatch",outcome="succeeded",tool="payment.charge"} 1`)
	r.stop(t)
}

// TestToolsReachNothingByDefault: what is not allowed is not sent, and the operation says why.
func TestToolsReachNothingByDefault(t *testing.T) {
	for name, c := range map[string]struct {
		flags []string
		code  string
	}{
		"without TLS alone":      {[]string{"--http-allow-http"}, "address_refused"},
		"the operator's bound":   {[]string{"--http-allow-http", "--http-allow-private", "--http-allowed-hosts", "*.example.com"}, "host_not_allowed"},
		"a host that is another": {[]string{"--http-allow-http", "--http-allow-private", "--http-allowed-hosts", "27.0.0.1"}, "host_not_allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			provider := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
			defer provider.Close()
			r := serveProcess(t, c.flags)
			r.ok(t, "tools", "apply", chargeAt(t, provider.URL))
			id := text(r.json(t, "propose", "payment.charge", "--arguments", `{"ref":"order_1"}`), "result.operation_id")
			until(t, "a failed attempt", func() bool { return strings.Contains(r.ok(t, "ops", "show", id), c.code) })
			if requests.Load() != 0 {
				t.Errorf("%d requests were sent", requests.Load())
			}
			r.stop(t)
		})
	}
}

// TestAToolWithoutTLSIsRefusedByDefault: it is not even taken.
func TestAToolWithoutTLSIsRefusedByDefault(t *testing.T) {
	r := serveProcess(t, nil)
	if got := r.at(t, "tools", "apply", chargeAt(t, "http://127.0.0.1:1")); got.status != exitFailed || !strings.Contains(got.err, "CAPABILITY_MISSING") {
		t.Errorf("got %+v", got)
	}
	r.stop(t)
}

// TestADrainReportsWhatItCutsOff: a request that hangs when the server stops is cut off in time, and its outcome is in the
// database as it is known.
func TestADrainReportsWhatItCutsOff(t *testing.T) {
	arrived, leave := make(chan struct{}, 10), make(chan struct{})
	provider := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-leave
	}))
	defer provider.Close()
	defer close(leave)
	data := "XDG_DATA_HOME=" + t.TempDir()
	r := serveProcess(t, []string{"--http-allow-private", "--http-allow-http", "--shutdown-timeout", "1s"}, data)
	r.ok(t, "tools", "apply", chargeAt(t, provider.URL))
	id := text(r.json(t, "propose", "payment.charge", "--arguments", `{"ref":"order_1"}`), "result.operation_id")
	<-arrived
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := r.wait(); err != nil {
		t.Fatalf("the server ended with %v", err)
	}
	after := serveProcess(t, nil, data) // which may send nothing
	has(t, "the first attempt", after.ok(t, "ops", "show", id), "unknown_outcome", "ambiguous")
	after.stop(t)
}

// until waits until a condition holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("%s did not come", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
