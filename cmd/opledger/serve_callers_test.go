package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// issuerOfTokens is an OpenID Connect provider on loopback, and a maker of its tokens.
func issuerOfTokens(t *testing.T) (issuer string, keys []byte, sign func(claims map[string]any) string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if keys, err = json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k1", Use: "sig"}}}); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	provider := httptest.NewServer(mux)
	t.Cleanup(provider.Close)
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": provider.URL, "jwks_uri": provider.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(keys) })
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "k1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return provider.URL, keys, func(claims map[string]any) string {
		t.Helper()
		payload, err := json.Marshal(claims)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := signer.Sign(payload)
		if err != nil {
			t.Fatal(err)
		}
		token, err := signed.CompactSerialize()
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTokensOfAnIssuerLetCallersIn: discovered keys and keys of a file alike, and the log says why one does not count.
func TestTokensOfAnIssuerLetCallersIn(t *testing.T) {
	issuer, keys, sign := issuerOfTokens(t)
	hour := time.Now().Add(time.Hour).Unix()
	ops := sign(map[string]any{"iss": issuer, "aud": "opledger", "sub": "ci", "exp": hour, "realm_access": map[string]any{"roles": []string{"ops", "offline_access"}}})
	agent := sign(map[string]any{"iss": issuer, "aud": "opledger", "sub": "agent", "exp": hour, "realm_access": map[string]any{"roles": []string{"agents"}}})
	expired := sign(map[string]any{"iss": issuer, "aud": "opledger", "sub": "ci", "exp": 1})
	foreign := sign(map[string]any{"iss": issuer, "aud": "billing", "sub": "ci", "exp": hour})
	mapping := []string{"--jwt-audience", "opledger", "--jwt-roles-claim", "realm_access.roles", "--jwt-role", "ops=administer,ops=read,agents=propose,agents=execute"}

	for _, source := range [][]string{{"--oidc-issuer", issuer}, {"--jwt-issuer", issuer, "--jwt-jwks-file", file(t, "keys.json", string(keys))}} {
		flags := append(mapping, source...)
		r := startServe(t, flags)
		record := r.await(t, messageServing)
		if r.address = text(record, "address"); record["issuer"] != issuer || record["audience"] != "opledger" {
			t.Errorf("it says %v", record)
		}
		r.ok(t, "tools", "apply", tool("refund.create"), "--token", ops)
		r.ok(t, "propose", "refund.create", "--arguments", refund, "--token", agent)
		if got := r.at(t, "tools", "apply", tool("email.send"), "--token", agent); got.status != exitFailed || !strings.Contains(got.err, "[PERMISSION_DENIED]") {
			t.Errorf("an agent applied a tool: %+v", got)
		}
		for fault, token := range map[string]string{"expired": expired, "wrong_audience": foreign, "wrong_kind": "secret"} {
			if got := r.at(t, "tools", "list", "--token", token); got.status != exitFailed || !strings.Contains(got.err, "[UNAUTHENTICATED]") || strings.Contains(got.err, "audience") {
				t.Errorf("%s: %+v", fault, got)
			}
			if record := r.await(t, "a caller was not let in"); record["fault"] != fault {
				t.Errorf("%s: the log says %v", fault, record)
			}
		}
		r.stop(t)

		explain := append([]string{"tokens", "explain", "-"}, flags...)
		if got := doWith(t, ops, append(explain, "--json")...); got.status != exitOK || text(parse(t, got.out), "principal") != "ci" || text(parse(t, got.out), "namespace") != "default" {
			t.Errorf("explained: %+v", got)
		}
		if got := doWith(t, agent+"\n", explain...); got.status != exitOK || !strings.Contains(got.out, "execute, propose") {
			t.Errorf("explained: %+v", got)
		}
		if got := doWith(t, foreign, explain...); got.status != exitFailed || !strings.Contains(got.err, "wrong_audience") {
			t.Errorf("explained: %+v", got)
		}
	}
}

// TestClientCertificatesLetCallersIn over a real connection to a real process, beside tokens.
func TestClientCertificatesLetCallersIn(t *testing.T) {
	certFile, keyFile, roots := certificate(t)
	pair, err := tls.LoadX509KeyPair(certFile, keyFile) // of an authority, as it happens
	if err != nil {
		t.Fatal(err)
	}
	workload := func(id string) *tls.Certificate {
		uri, err := url.Parse(id)
		if err != nil {
			t.Fatal(err)
		}
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
			SerialNumber: big.NewInt(7), URIs: []*url.URL{uri}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		}, pair.Leaf, &key.PublicKey, pair.PrivateKey)
		if err != nil {
			t.Fatal(err)
		}
		return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	}
	token, line := newToken(t, "--namespace", "shop", "--principal", "ci", "--roles", "administer")
	withTokens := []string{"--tokens", file(t, "tokens", line)}
	certificates := []string{"--tls-cert", certFile, "--tls-key", keyFile, "--client-ca", certFile,
		"--client-certs", file(t, "certs", "spiffe://prod.example/shop/reader namespace=shop roles=read")}

	for name, flags := range map[string][]string{"alone": certificates, "beside tokens": append(withTokens, certificates...)} {
		r := startServe(t, flags)
		record := r.await(t, messageServing)
		if record["client_certificates"] != 1.0 {
			t.Errorf("%s: it says %v", name, record)
		}
		list := func(certificate *tls.Certificate, token string) error {
			config := &tls.Config{RootCAs: roots}
			if certificate != nil {
				config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return certificate, nil }
			}
			conn, err := grpc.NewClient(text(record, "address"), grpc.WithTransportCredentials(credentials.NewTLS(config)))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			ctx := t.Context()
			if token != "" {
				ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
			}
			_, err = pb.NewRegistryServiceClient(conn).ListTools(ctx, &pb.ListToolsRequest{})
			return err
		}
		if err := list(workload("spiffe://prod.example/shop/reader"), ""); err != nil {
			t.Errorf("%s: a workload: %v", name, err)
		}
		if answer, err := postJSON(text(record, "address"), roots, workload("spiffe://prod.example/shop/reader")); err != nil || answer != http.StatusOK {
			t.Errorf("%s: a workload by JSON: %d, %v", name, answer, err)
		}
		if err := list(workload("spiffe://prod.example/shop/other"), ""); status.Code(err) != codes.Unauthenticated {
			t.Errorf("%s: another workload: %v", name, err)
		}
		want := map[string][2]codes.Code{"alone": {codes.Unavailable, codes.Unavailable}, "beside tokens": {codes.Unauthenticated, codes.OK}}[name]
		if err := list(nil, ""); status.Code(err) != want[0] {
			t.Errorf("%s: nobody: %v", name, err)
		}
		if err := list(nil, token); status.Code(err) != want[1] {
			t.Errorf("%s: a token: %v", name, err)
		}
		r.stop(t)
	}
}

// postJSON lists tools with a client certificate, as curl --cert would.
func postJSON(address string, roots *x509.CertPool, certificate *tls.Certificate) (int, error) {
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{
		RootCAs: roots, GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return certificate, nil },
	}}}
	defer client.CloseIdleConnections()
	answer, err := client.Post("https://"+address+"/opledger.v1.RegistryService/ListTools", "application/json", strings.NewReader("{}"))
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// newToken makes a token and its line.
func newToken(t *testing.T, args ...string) (token, line string) {
	t.Helper()
	got := do(t, append([]string{"tokens", "new", "--json"}, args...)...)
	if got.status != exitOK {
		t.Fatal(got.err)
	}
	m := parse(t, got.out)
	return text(m, "token"), text(m, "line")
}

func TestATokensLineBoundsItsBearer(t *testing.T) {
	_, line := newToken(t, "--principal", "agent", "--roles", "propose", "--tools", "payment.*,refund.create", "--teams", "support")
	has(t, "the line", line, "tools=payment.*,refund.create", "teams=support")
	token, line := newToken(t, "--principal", "kim", "--roles", "read,read_sensitive", "--tools", "order.get")
	if got := do(t, "tokens", "explain", file(t, "token", token), "--tokens", file(t, "tokens", line)); got.status != exitOK || !strings.Contains(got.out, "order.get") || !strings.Contains(got.out, "read_sensitive") {
		t.Errorf("explained: %+v", got)
	}
	for says, args := range map[string][]string{"the team": {"--teams", "Support"}, "the tool": {"--tools", "*"}} {
		if got := do(t, append([]string{"tokens", "new", "--principal", "x", "--roles", "read"}, args...)...); got.status != exitUsage || !strings.Contains(got.err, says) {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if got := do(t, "__complete", "tokens", "new", "--roles", "read_"); !strings.Contains(got.out, "read_sensitive") {
		t.Errorf("completion: %+v", got)
	}
}

func TestWrongSettingsOfCallersAreRefusedWithWhatToDo(t *testing.T) {
	issuer, keys, _ := issuerOfTokens(t)
	keysFile, certs := file(t, "keys.json", string(keys)), file(t, "certs", "cn:a namespace=shop roles=read")
	certFile, _, _ := certificate(t)
	_, line := newToken(t, "--principal", "agent", "--roles", "propose")
	tokens := file(t, "tokens", line)
	for name, c := range map[string]struct {
		args   []string
		says   string
		status int
	}{
		"no audience":            {[]string{"--oidc-issuer", issuer}, "--jwt-audience", exitUsage},
		"no issuer":              {[]string{"--jwt-audience", "opledger"}, "--oidc-issuer", exitUsage},
		"keys of nobody":         {[]string{"--jwt-audience", "opledger", "--jwt-jwks-file", keysFile}, "--jwt-issuer", exitUsage},
		"keys twice":             {[]string{"--jwt-audience", "opledger", "--oidc-issuer", issuer, "--jwt-jwks-file", keysFile}, "leave it out", exitUsage},
		"HMAC":                   {[]string{"--jwt-audience", "opledger", "--oidc-issuer", issuer, "--jwt-algorithms", "HS256"}, "HS256", exitUsage},
		"none":                   {[]string{"--jwt-audience", "opledger", "--oidc-issuer", issuer, "--jwt-algorithms", "none"}, "none", exitUsage},
		"a long leeway":          {[]string{"--jwt-audience", "opledger", "--oidc-issuer", issuer, "--jwt-leeway", "1h"}, "leeway", exitUsage},
		"a role of nobody":       {[]string{"--jwt-audience", "opledger", "--oidc-issuer", issuer, "--jwt-role", "ops=admin"}, "no role", exitUsage},
		"half a mapping":         {[]string{"--jwt-audience", "opledger", "--oidc-issuer", issuer, "--jwt-role", "ops"}, "VALUE=ROLE", exitUsage},
		"two namespaces":         {[]string{"--jwt-audience", "opledger", "--oidc-issuer", issuer, "--jwt-namespace", "a", "--jwt-namespace-claim", "b"}, "not both", exitUsage},
		"an issuer in the clear": {[]string{"--jwt-audience", "opledger", "--oidc-issuer", "http://login.example"}, "https", exitFailed},
		"another's description":  {[]string{"--jwt-audience", "opledger", "--oidc-issuer", issuer + "/"}, "letter for letter", exitFailed},
		"no keys":                {[]string{"--jwt-audience", "opledger", "--jwt-issuer", issuer, "--jwt-jwks-file", certs}, "Key Set", exitFailed},
		"CAs alone":              {[]string{"--client-ca", certFile}, "--client-certs", exitUsage},
		"CAs without TLS":        {[]string{"--client-ca", certFile, "--client-certs", certs}, "--tls-cert", exitUsage},
		"no CA":                  {[]string{"--client-ca", certs, "--client-certs", certs}, "no certificate in PEM", exitFailed},
		"in the clear":           {[]string{"--listen", "0.0.0.0:0", "--tokens", tokens}, "--allow-plaintext", exitFailed},
	} {
		args := append([]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "off"}, c.args...)
		if got := do(t, args...); got.status != c.status || !strings.Contains(got.err, c.says) {
			t.Errorf("%s: status %d, said %s", name, got.status, got.err)
		}
	}
	r := startServe(t, []string{"--listen", "0.0.0.0:0", "--tokens", tokens, "--allow-plaintext"})
	r.await(t, "calls travel in the clear")
	r.await(t, messageServing)
	r.stop(t)
}
