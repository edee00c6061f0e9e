package callers

import (
	"bytes"
	"crypto/tls"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestTheFormOfACredentialSaysWhoJudgesIt, over a real connection with a certificate that would let its holder in.
func TestTheFormOfACredentialSaysWhoJudgesIt(t *testing.T) {
	ca, key, token := newAuthority(t), newKey(t, "k1"), tokenOf(t, 1)
	i := newIssuer(t, key)
	tokens, err := OpenFile(write(t, HashToken(token)+" namespace=shop principal=by-token roles=read"))
	if err != nil {
		t.Fatal(err)
	}
	certificates, err := OpenCertificates(write(t, workload+" namespace=shop principal=by-certificate roles=read"))
	if err != nil {
		t.Fatal(err)
	}
	jwt := i.judge(t, newClock())
	all := Chain{Tokens: tokens, JWT: jwt, Certificates: certificates}
	config := &tls.Config{Certificates: []tls.Certificate{*ca.named(t, "server")}, ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: ca.pool(), NextProtos: []string{"h2"}}
	known, unknown := ca.named(t, "", workload), ca.named(t, "", workload+"2")
	good, expired := key.sign(t, i.good(map[string]any{"sub": "by-jwt"}), nil), key.sign(t, i.good(map[string]any{"exp": 1}), nil)

	for name, c := range map[string]struct {
		chain       Chain
		certificate *tls.Certificate
		headers     []string
		principal   string
		fault       Fault
	}{
		"a token":                          {all, nil, []string{"authorization", "Bearer " + token}, "by-token", ""},
		"a JWT":                            {all, nil, []string{"authorization", "Bearer " + good}, "by-jwt", ""},
		"a certificate":                    {all, known, nil, "by-certificate", ""},
		"a token over a mesh's connection": {all, known, []string{"authorization", "Bearer " + token}, "by-token", ""},
		"nothing":                          {all, nil, nil, "", FaultNoCredential},
		"an unknown certificate":           {all, unknown, nil, "", FaultUnknownCertificate},
		// What one refuses is refused, also where the next would have let somebody in.
		"an unknown token, a good certificate": {all, known, []string{"authorization", "Bearer " + tokenOf(t, 2)}, "", FaultUnknownToken},
		"an expired JWT, a good certificate":   {all, known, []string{"authorization", "Bearer " + expired}, "", FaultExpired},
		"no token, a good certificate":         {all, known, []string{"authorization", "Bearer "}, "", FaultWrongKind},
		"a password, a good certificate":       {all, known, []string{"authorization", "Basic YTpi"}, "", FaultWrongKind},
		"neither form":                         {all, known, []string{"authorization", "Bearer secret"}, "", FaultWrongKind},
		"four dots":                            {all, nil, []string{"authorization", "Bearer a.b.c.d.e"}, "", FaultWrongKind},
		"a JWT in two headers":                 {all, known, []string{"authorization", "Bearer " + good, "authorization", "Bearer " + good}, "", FaultSeveralCredentials},
		"a JWT and a token":                    {all, nil, []string{"authorization", "Bearer " + good, "authorization", "Bearer " + token}, "", FaultSeveralCredentials},
		"a JWT where none is taken":            {Chain{Tokens: tokens}, nil, []string{"authorization", "Bearer " + good}, "", FaultWrongKind},
		"a token where none is taken":          {Chain{JWT: jwt, Certificates: certificates}, known, []string{"authorization", "Bearer " + token}, "", FaultWrongKind},
		"a certificate where none is taken":    {Chain{JWT: jwt}, known, nil, "", FaultWrongKind},
		"a prefixed JWT":                       {all, nil, []string{"authorization", "Bearer " + TokenPrefix + good}, "", FaultUnknownToken},
	} {
		got, err := serveTLS(t, c.chain, config, false).call(t, ca.pool(), c.certificate, c.headers...)
		var refused *UnauthenticatedError
		if errors.As(err, &refused) {
			if refused.Fault != c.fault || c.fault == "" {
				t.Errorf("%s: got %s, %v", name, refused.Fault, err)
			}
		} else if err != nil || string(got.Principal) != c.principal || c.fault != "" {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestRefusalsAreLoggedByTheirWord(t *testing.T) {
	key := newKey(t, "k1")
	i, c := newIssuer(t, key), newClock()
	log := &bytes.Buffer{}
	judge := NewLogged(Chain{JWT: i.judge(t, c)}, slog.New(slog.NewTextHandler(log, nil)), c.now)
	expired := key.sign(t, i.good(map[string]any{"exp": 1}), nil)
	stranger := key.sign(t, i.good(map[string]any{"aud": "billing"}), nil)
	ask := func(token string) {
		t.Helper()
		if _, err := judge.Authenticate(bearing("Bearer " + token)); err == nil {
			t.Error("it is let in")
		}
	}
	for range 5 {
		ask(expired)
		ask(stranger)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "fault=expired") || !strings.Contains(lines[1], "fault=wrong_audience") {
		t.Errorf("the log says\n%s", log)
	}
	c.pass(toldEvery + time.Second)
	ask(expired)
	if !strings.Contains(log.String(), "more_since=4") {
		t.Errorf("the log says\n%s", log)
	}
	if strings.Contains(log.String(), expired) || strings.Contains(log.String(), "billing") {
		t.Error("the log shows what came with the request")
	}
	if _, err := judge.Authenticate(bearing("Bearer " + key.sign(t, i.good(map[string]any{"exp": c.now().Add(time.Hour).Unix()}), nil))); err != nil {
		t.Error(err)
	}
}

func TestTokensAreNotTakenInTheClear(t *testing.T) {
	if err := CheckClear(loopback); err != nil {
		t.Error(err)
	}
	if err := CheckClear(textAddr("192.0.2.7:80")); err == nil || !strings.Contains(err.Error(), "--tls-cert") || !strings.Contains(err.Error(), "--allow-plaintext") {
		t.Errorf("got %v", err)
	}
}
