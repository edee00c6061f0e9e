package notify

import (
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
)

func TestURLsThatAreRefused(t *testing.T) {
	strict, clear := &Rules{}, &Rules{AllowHTTP: true}
	for url, words := range map[string]string{
		"http://chat.example/x": "https", "https://": "host", "ftp://chat.example": "https", "https://me:pw@chat.example": "password",
		"https://chat.example/#x": "fragment", "https://localhost/x": "loopback", "https://LOCALHOST.:8443/x": "loopback",
		"https://a.localhost": "loopback", "https://127.0.0.1": "loopback", "https://[::1]:443/": "loopback", "https://169.254.169.254/latest": "link-local",
		"https://[::ffff:10.0.0.1]/": "private", "https://chat.example:port/": "URL", "%": "URL",
	} {
		if err := strict.checkURL(url); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{"https://chat.example/hooks/1?a=b", "https://8.8.8.8:8443/"} {
		if err := strict.checkURL(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	if err := clear.checkURL("http://chat.example"); err != nil {
		t.Error(err)
	}
	if err := (&Rules{AllowPrivate: true}).checkURL("https://10.1.2.3:8443/x"); err != nil {
		t.Error(err)
	}
}

// TestANameThatResolvesToAPrivateAddress: what the text of a URL does not tell is found out when it is connected to.
func TestANameThatResolvesToAPrivateAddress(t *testing.T) {
	in := newInbox(t)
	_, port, err := net.SplitHostPort(in.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	rules := &Rules{AllowHTTP: true}
	conn, err := rules.dialer().DialContext(t.Context(), "tcp", net.JoinHostPort("localhost", port))
	if err == nil {
		_ = conn.Close()
		t.Fatal("it was connected to")
	}
	if fault(err) != outward.ErrAddress.Error() {
		t.Fatalf("the fault is %q: %v", fault(err), err)
	}
}

// TestKeysOfSecrets: what signs is a key; what is none is told without its content.
func TestKeysOfSecrets(t *testing.T) {
	s := &Secrets{EnvPrefix: DefaultEnvPrefix, Dir: t.TempDir(), LookupEnv: lookup}
	if err := os.WriteFile(filepath.Join(s.Dir, "base64"), []byte("whsec_!"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"OPLEDGER_SECRET_CHAT": "0123456789abcdef01234567", "OPLEDGER_SECRET_OLD": secrets["OPLEDGER_SECRET_OLD"]} {
		if k, err := keyAt(s, SecretRef{Environment: name}); err != nil || string(k) != want {
			t.Errorf("%s: %q, %v", name, k, err)
		}
	}
	for ref, words := range map[SecretRef]string{
		{Environment: "DATABASE_PASSWORD"}: "not released", {Environment: "OPLEDGER_SECRET_TINY"}: "shorter", {File: "base64"}: "base64",
	} {
		if k, err := keyAt(s, ref); err == nil || !strings.Contains(err.Error(), words) || k != nil {
			t.Errorf("%s: %q, %v", ref, k, err)
		}
	}
}

// TestSignatureOfOthers: the signature is the one that the specification's own libraries make of the same message.
func TestSignatureOfOthers(t *testing.T) {
	k, err := key([]byte("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	sign(h, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`), k)
	if got := h.Get("Webhook-Signature"); got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("signed as %q", got)
	}
}

// TestRotation: while secrets are rotated both sign, and a previous one that is gone already is not missed.
func TestRotation(t *testing.T) {
	w := onSQLite(t)
	in := newInbox(t)
	w.subscribes("sub_1", in.server.URL, func(x *Terms) { x.Previous = &SecretRef{Environment: "OPLEDGER_SECRET_OLD"} })
	w.subscribes("sub_2", in.server.URL, func(x *Terms) { x.Previous = &SecretRef{Environment: "OPLEDGER_SECRET_NONE"} })
	w.happens("ntc_1")
	w.deliverer().pass(t)
	for _, r := range in.all() {
		rotating := r.id == DeliveryID(tenant, "ntc_1", "sub_1")
		if !r.verified(secrets["OPLEDGER_SECRET_CHAT"]) || r.verified(secrets["OPLEDGER_SECRET_OLD"]) != rotating {
			t.Errorf("signed as %q", r.header.Get("webhook-signature"))
		}
		changed := r
		changed.body = append([]byte(" "), r.body...)
		if changed.verified(secrets["OPLEDGER_SECRET_CHAT"]) {
			t.Error("another body has the same signature")
		}
	}
	if len(in.all()) != 2 {
		t.Fatalf("%d came", len(in.all()))
	}
}

// TestTLSIsVerified: a receiver with a certificate of nobody's is not sent to.
func TestTLSIsVerified(t *testing.T) {
	in := &inbox{t: t, answer: newInbox(t).answer}
	in.server = httptest.NewUnstartedServer(in)
	in.server.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that is to fail
	in.server.StartTLS()
	t.Cleanup(in.server.Close)
	w := onSQLite(t)
	w.subscribes("sub_1", in.server.URL)
	rules := local
	rules.AllowHTTP = false
	w.happens("ntc_1")
	w.deliverer(func(c *Config) { c.Rules = rules }).pass(t)
	if s := w.notice("ntc_1").Tries["sub_1"]; s.Delivered || !strings.Contains(s.Fault, "certificate") || len(in.all()) != 0 {
		t.Fatalf("recorded %+v", s)
	}
	roots := x509.NewCertPool()
	roots.AddCert(in.server.Certificate())
	w.happens("ntc_2")
	w.deliverer(func(c *Config) { c.Rules, c.Roots = rules, roots }).pass(t)
	if !w.notice("ntc_2").Tries["sub_1"].Delivered || len(in.all()) != 1 {
		t.Fatalf("recorded %+v", w.notice("ntc_2"))
	}
}

func TestTermsAndMessages(t *testing.T) {
	terms := &Terms{Kinds: []ledger.NoticeKind{ledger.NoticeApprovalWaiting, ledger.NoticeIncident}, EndStates: []ledger.State{ledger.FailedPermanent}, Owner: "lead"}
	for name, c := range map[string]struct {
		n    ledger.Notice
		want bool
	}{
		"one of the owners":  {ledger.Notice{NoticeKind: ledger.NoticeApprovalWaiting, Owner: "finance, lead"}, true},
		"another owner":      {ledger.Notice{NoticeKind: ledger.NoticeApprovalWaiting, Owner: "leading"}, false},
		"nobody is asked":    {ledger.Notice{NoticeKind: ledger.NoticeIncident, Owner: "finance"}, true},
		"not subscribed to":  {ledger.Notice{NoticeKind: ledger.NoticeUnknown}, false},
		"end states elsehow": {ledger.Notice{NoticeKind: ledger.NoticeIncident, State: ledger.CompletedSuccess}, true},
	} {
		if got := terms.Want(&c.n); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	ended := &Terms{Kinds: []ledger.NoticeKind{ledger.NoticeEnded}, EndStates: []ledger.State{ledger.FailedPermanent}}
	if ended.Want(&ledger.Notice{NoticeKind: ledger.NoticeEnded, State: ledger.CompletedSuccess}) || !ended.Want(&ledger.Notice{NoticeKind: ledger.NoticeEnded, State: ledger.FailedPermanent}) {
		t.Error("end states are not heeded")
	}
	n := &ledger.Notice{NoticeKind: ledger.NoticeApprovalWaiting, OperationID: "op_1", ApprovalID: "apr_1", Tool: "refund.create", Owner: "lead", Because: strings.Repeat("ü", 1000)}
	m := MessageOf(n, "sub_1")
	if m.Text != "Operation op_1 (refund.create) waits for approval by lead: apr_1." || len([]rune(m.Reason)) != maxReason {
		t.Errorf("got %+v", m)
	}
	if strings.Contains(m.ID, ".") || !strings.HasPrefix(m.ID, "dlv_") || m.ID == MessageOf(n, "sub_2").ID {
		t.Errorf("the id is %q", m.ID)
	}
}
