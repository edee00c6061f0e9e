package callers_test

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/metadata"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/transact"
)

// TestTokensOfADatabase are made, found, listed and revoked, and refused where a file would refuse them.
func TestTokensOfADatabase(t *testing.T) {
	engine, err := litestore.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	l := transact.New(engine, transact.Options{})
	t.Cleanup(func() {
		l.Close()
		_ = engine.Close()
	})
	d := callers.Database{Records: engine}
	create := func(c callers.Caller) (token, hash string, err error) {
		t.Helper()
		if token, err = callers.NewToken(rand.Reader); err != nil {
			t.Fatal(err)
		}
		command, err := d.NewCredential(t.Context(), token, c)
		if err != nil {
			return "", "", err
		}
		if strings.Contains(command.Grant+command.Hash, token) {
			t.Error("the database is given the token itself")
		}
		for range 2 { // as after an answer that was lost
			if _, err := l.Do(t.Context(), command); err != nil {
				t.Fatal(err)
			}
		}
		return token, command.Hash, nil
	}
	judge := func(token string) (callers.Caller, error) {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs("authorization", "Bearer "+token))
		return callers.Tokens{d}.Authenticate(ctx)
	}

	agent := callers.Caller{Namespace: "shop", Principal: "agent", Roles: []callers.Role{callers.Propose, callers.Execute}, Tools: []string{"payment.*"}, Teams: []string{"support"}}
	first, firstHash, err := create(agent)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := create(agent) // so that the first can be replaced
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{first, second} {
		if c, err := judge(token); err != nil || c.Principal != "agent" || !c.May(callers.Execute) || !c.InTeam("support") || c.MayTool("order.get") {
			t.Errorf("got %+v, %v", c, err)
		}
	}
	for says, c := range map[string]callers.Caller{
		"ROLES_NOT_APART": {Namespace: "shop", Principal: "x", Person: "x", Roles: []callers.Role{callers.Propose, callers.Approve}},
		"person=":         {Namespace: "shop", Principal: "x", Roles: []callers.Role{callers.Approve}},
		"another token":   {Namespace: "shop", Principal: "agent", Roles: []callers.Role{callers.Read}},
	} {
		if _, _, err := create(c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
	if _, _, err := create(callers.Caller{Namespace: "other", Principal: "agent", Roles: []callers.Role{callers.Read}}); err != nil {
		t.Errorf("the same name in another namespace: %v", err)
	}

	for range 2 {
		if _, err := l.Do(t.Context(), &ledger.RevokeCredential{Hash: firstHash}); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := judge(first); !errors.As(err, new(*callers.UnauthenticatedError)) {
		t.Errorf("a revoked token: %+v, %v", c, err)
	}
	if _, err := judge(second); err != nil {
		t.Errorf("the other token: %v", err)
	}
	for revoked, want := range map[bool]int{false: 2, true: 3} {
		if list, err := d.List(t.Context(), revoked); err != nil || len(list) != want {
			t.Errorf("listed %d, %v", len(list), err)
		}
	}
	reply, err := l.Do(t.Context(), &ledger.RevokeCredential{Hash: strings.Repeat("0", 64)})
	if changed, ok := reply.(*ledger.CredentialChanged); err != nil || !ok || changed.Credential != nil {
		t.Errorf("a token that there is not: %+v, %v", reply, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := d.LookupToken(gone, callers.TokenHash{}); err == nil || errors.As(err, new(*callers.UnauthenticatedError)) {
		t.Errorf("a database that cannot be asked: %v", err)
	}
}
