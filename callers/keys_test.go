package callers

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

func marshal(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestAFileOfKeysIsReadAgain as the file of tokens is, by the same code.
func TestAFileOfKeysIsReadAgain(t *testing.T) {
	first, second := newKey(t, "k1"), newKey(t, "k2")
	set := func(k signingKey) string { return marshal(t, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{k.public()}}) }
	path := write(t, set(first))
	keys, err := OpenKeys(path)
	if err != nil || keys.Count() != 1 {
		t.Fatal(keys, err)
	}
	i := &issuer{url: "https://login.example"}
	j, err := NewJWT(JWTConfig{Issuer: i.url, Audience: "opledger", Keys: keys, Mapping: Mapping{Namespace: "shop"}, Clock: newClock().now})
	if err != nil {
		t.Fatal(err)
	}
	old, fresh := first.sign(t, i.good(nil), nil), second.sign(t, i.good(nil), nil)
	judge := func(when, token string, want Fault) {
		t.Helper()
		if _, fault := letsIn(t, j, token); fault != want {
			t.Errorf("%s: the fault is %q", when, fault)
		}
	}
	judge("before", old, "")
	judge("before", fresh, FaultUnknownKey)
	rewrite(t, path, set(second))
	if changed, err := keys.ReloadIfChanged(); !changed || err != nil {
		t.Fatal(changed, err)
	}
	judge("after", old, FaultUnknownKey)
	judge("after", fresh, "")
	rewrite(t, path, "nonsense")
	if changed, err := keys.ReloadIfChanged(); !changed || err == nil {
		t.Errorf("a broken file: %v, %v", changed, err)
	}
	judge("with a broken file", fresh, "")
	if err := os.Chmod(path, 0o644); err != nil || len(keys.Warnings()) > 0 {
		t.Errorf("public keys are no secret: %v, %v", err, keys.Warnings())
	}
}

func TestASetOfKeysWithASecretIsRefusedWhole(t *testing.T) {
	good := newKey(t, "k1")
	public := marshal(t, good.public())
	private := marshal(t, jose.JSONWebKey{Key: good.private, KeyID: "k2"})
	for name, keys := range map[string]string{
		"a private key": public + "," + private, "a secret": public + `,{"kty":"oct","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}`,
	} {
		_, err := OpenKeys(write(t, `{"keys":[`+keys+`]}`))
		if err == nil || !strings.Contains(err.Error(), "key 2 of the set is no public key") || strings.Contains(err.Error(), "c2VjcmV0") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := OpenKeys(write(t, fmt.Sprintf(`{"keys":[%s{}]}`, strings.Repeat(public+",", maxKeys)))); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("too many: %v", err)
	}
}

// TestKeysThatCannotCheckASignaturePassOver: a set has keys for other ends, and a weak one does not count.
func TestKeysThatCannotCheckASignaturePassOver(t *testing.T) {
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	good, sealing := newKey(t, "k1"), newKey(t, "k2").public()
	sealing.Use = "enc"
	mislabelled := newKey(t, "k3").public()
	mislabelled.Algorithm = "RS256"
	set, err := parseKeySet([]byte(`{"keys":[` + strings.Join([]string{
		marshal(t, sealing), marshal(t, mislabelled), marshal(t, jose.JSONWebKey{Key: weak.Public(), KeyID: "k4"}),
		`{"kty":"OKP","crv":"X25519","x":"AAAA","kid":"k5"}`, `{"kty":"new","kid":"k6"}`, marshal(t, good.public()),
	}, ",") + `]}`))
	if err != nil || len(set) != 1 || set[0].KeyID != "k1" {
		t.Fatalf("got %v, %v", set, err)
	}
	for _, c := range []struct {
		id        string
		algorithm jose.SignatureAlgorithm
		want      int
	}{{"k1", jose.ES256, 1}, {"", jose.ES256, 1}, {"k2", jose.ES256, 0}, {"k1", jose.ES384, 0}, {"k1", jose.RS256, 0}} {
		if got := set.fitting(c.id, c.algorithm); len(got) != c.want {
			t.Errorf("%+v: got %d", c, len(got))
		}
	}
	if _, err := parseKeySet([]byte(`{"keys":[` + marshal(t, sealing) + `]}`)); err == nil || errors.Is(err, jose.ErrUnsupportedKeyType) {
		t.Errorf("nothing left: %v", err)
	}
}
