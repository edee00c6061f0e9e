package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// certificate writes a certificate of loopback and its key, and answers their names and who trusts it.
func certificate(t *testing.T) (certFile, keyFile string, roots *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	roots = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(parsed)
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", keyDER), roots
}

// TestTLS: with a certificate the one port serves gRPC and JSON encrypted, and nobody in the clear.
func TestTLS(t *testing.T) {
	certFile, keyFile, roots := certificate(t)
	r := startServe(t, []string{"--tls-cert", certFile, "--tls-key", keyFile}, "XDG_DATA_HOME="+t.TempDir())
	address := r.await(t, messageServing)["address"].(string)
	trust := &tls.Config{RootCAs: roots}

	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(credentials.NewTLS(trust)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := pb.NewRegistryServiceClient(conn).ListTools(t.Context(), &pb.ListToolsRequest{}); err != nil {
		t.Errorf("gRPC: %v", err)
	}

	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true}, Timeout: 10 * time.Second}
	answer, err := client.Post("https://"+address+"/opledger.v1.RegistryService/ListTools", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatalf("JSON: %v", err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), "tools") {
		t.Errorf("JSON: %s %s %v", answer.Status, body, err)
	}

	if plain, err := http.Post("http://"+address+"/opledger.v1.RegistryService/ListTools", "application/json", strings.NewReader("{}")); err == nil {
		defer plain.Body.Close()
		if plain.StatusCode == http.StatusOK {
			t.Error("JSON is answered in the clear")
		}
	}
	r.stop(t)
	if got := do(t, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--tls-cert", certFile); got.status != exitUsage || !strings.Contains(got.err, "--tls-key") {
		t.Errorf("half a pair: status %d, said %s", got.status, got.err)
	}
}
