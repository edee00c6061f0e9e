package callers

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/metadata"
)

// tokenOf makes the token whose random bytes are all the same, so that tests know it.
func tokenOf(t *testing.T, b byte) string {
	t.Helper()
	token, err := NewToken(bytes.NewReader(bytes.Repeat([]byte{b}, tokenBytes)))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func write(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	rewrite(t, path, lines...)
	return path
}

// rewrite replaces the file in one step, so that nobody reads half of it.
func rewrite(t *testing.T, path string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func bearing(values ...string) context.Context {
	md := metadata.MD{}
	for _, v := range values {
		md.Append("authorization", v)
	}
	return metadata.NewIncomingContext(context.Background(), md)
}

func TestTheBearerOfATokenIsWhoItsLineSays(t *testing.T) {
	agent, ann := tokenOf(t, 1), tokenOf(t, 2)
	path := write(t,
		"# who may do what", "",
		HashToken(agent)+" namespace=shop principal=checkout-agent roles=propose,execute,read # the 2:13 a.m. one",
		HashToken(ann)+" namespace=shop principal=ann roles=approve,resolve person=ann@example.com")
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if f.Count() != 2 {
		t.Errorf("count is %d", f.Count())
	}
	c, err := f.Authenticate(bearing("Bearer " + agent))
	if err != nil || c.Namespace != "shop" || c.Principal != "checkout-agent" || c.Local {
		t.Fatalf("got %+v, %v", c, err)
	}
	for role, may := range map[Role]bool{Propose: true, Execute: true, Read: true, Approve: false, Administer: false} {
		if c.May(role) != may || (c.Require(role) == nil) != may {
			t.Errorf("role %s: may is %v", role, !may)
		}
	}
	var denied *DeniedError
	if err := c.Require(Resolve); !errors.As(err, &denied) || denied.Role != Resolve {
		t.Errorf("got %v", err)
	}
	if c, err := f.Authenticate(bearing("bearer " + ann)); err != nil || c.Person != "ann@example.com" {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestWhoBearsNoKnownTokenIsNotLetIn(t *testing.T) {
	known, unknown := tokenOf(t, 1), tokenOf(t, 9)
	f, err := OpenFile(write(t, HashToken(known)+" namespace=shop principal=a roles=read"))
	if err != nil {
		t.Fatal(err)
	}
	for name, ctx := range map[string]context.Context{
		"no metadata":      context.Background(),
		"no header":        bearing(),
		"empty":            bearing(""),
		"no token":         bearing("Bearer "),
		"unknown token":    bearing("Bearer " + unknown),
		"another scheme":   bearing("Basic " + known),
		"the hash itself":  bearing("Bearer " + HashToken(known)),
		"two headers":      bearing("Bearer "+known, "Bearer "+unknown),
		"a token too much": bearing("Bearer " + known + known),
	} {
		c, err := f.Authenticate(ctx)
		var refused *UnauthenticatedError
		if !errors.As(err, &refused) {
			t.Errorf("%s: got %+v, %v", name, c, err)
		} else if strings.Contains(err.Error(), known) || strings.Contains(err.Error(), unknown) {
			t.Errorf("%s: the error shows a token: %v", name, err)
		}
	}
}

func TestAFaultNamesItsLine(t *testing.T) {
	hash, other := HashToken(tokenOf(t, 1)), HashToken(tokenOf(t, 2))
	good := hash + " namespace=shop principal=a roles=read"
	for name, c := range map[string]struct {
		lines  []string
		line   int
		reason string
		says   string
	}{
		"a token itself":     {[]string{"# x", tokenOf(t, 1) + " namespace=shop principal=a roles=read"}, 2, "", "hash of a token"},
		"short hash":         {[]string{"sha256:ab namespace=shop principal=a roles=read"}, 1, "", "64 hex digits"},
		"no hex":             {[]string{"sha256:" + strings.Repeat("z", 64) + " namespace=shop"}, 1, "", "no hex"},
		"misspelt field":     {[]string{good, other + " namespace=shop principle=b roles=read"}, 2, "", `"principle" is not known`},
		"field twice":        {[]string{good + " roles=read"}, 1, "", "twice"},
		"no value":           {[]string{hash + " namespace= principal=a roles=read"}, 1, "", "name=value"},
		"misspelt role":      {[]string{hash + " namespace=shop principal=a roles=reads"}, 1, "", "no role"},
		"role twice":         {[]string{hash + " namespace=shop principal=a roles=read,read"}, 1, "", "twice"},
		"no roles":           {[]string{hash + " namespace=shop principal=a"}, 1, "", "no roles"},
		"no namespace":       {[]string{hash + " principal=a roles=read"}, 1, "", "no namespace"},
		"no principal":       {[]string{hash + " namespace=shop roles=read"}, 1, "", "no principal"},
		"odd namespace":      {[]string{hash + " namespace=Shop principal=a roles=read"}, 1, "", "has to match"},
		"odd principal":      {[]string{hash + " namespace=shop principal=a,b roles=read"}, 1, "", "has to match"},
		"approves, no name":  {[]string{hash + " namespace=shop principal=a roles=approve"}, 1, "", "person="},
		"same token twice":   {[]string{good, hash + " namespace=shop principal=b roles=read"}, 2, "", "line 1"},
		"principal, 2 roles": {[]string{good, other + " namespace=shop principal=a roles=read,propose"}, 2, "", "line 1"},
		"propose, approve":   {[]string{hash + " namespace=shop principal=a roles=propose,approve person=a"}, 1, ReasonRolesNotApart, "never may approve"},
		"execute, resolve":   {[]string{hash + " namespace=shop principal=a roles=execute,resolve person=a"}, 1, ReasonRolesNotApart, "never may resolve"},
		"propose, override":  {[]string{hash + " namespace=shop principal=a roles=propose,override person=a"}, 1, ReasonRolesNotApart, "never may override"},
		"execute, break":     {[]string{hash + " namespace=shop principal=a roles=execute,break_leases person=a"}, 1, ReasonRolesNotApart, "never may break_leases"},
		"propose, set state": {[]string{hash + " namespace=shop principal=a roles=propose,set_entity_state"}, 1, ReasonRolesNotApart, "never may set_entity_state"},
	} {
		_, err := OpenFile(write(t, c.lines...))
		var fault *LineError
		if !errors.As(err, &fault) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		if fault.Line != c.line || fault.Reason != c.reason || !strings.Contains(fault.Message, c.says) {
			t.Errorf("%s: got %v", name, fault)
		}
	}
}

func TestAFileWithoutTokensIsRefused(t *testing.T) {
	if _, err := OpenFile(write(t, "# nobody yet")); err == nil || !strings.Contains(err.Error(), "tokens new") {
		t.Errorf("got %v", err)
	}
	if _, err := OpenFile(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestAChangedFileCountsAndABrokenOneDoesNot(t *testing.T) {
	first, second := tokenOf(t, 1), tokenOf(t, 2)
	path := write(t, HashToken(first)+" namespace=shop principal=a roles=read")
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := f.ReloadIfChanged(); changed || err != nil {
		t.Fatalf("an unchanged file: %v, %v", changed, err)
	}

	rewrite(t, path, HashToken(second)+" namespace=shop principal=a roles=read,propose")
	if changed, err := f.ReloadIfChanged(); !changed || err != nil {
		t.Fatalf("a changed file: %v, %v", changed, err)
	}
	if _, err := f.Authenticate(bearing("Bearer " + first)); err == nil {
		t.Error("a withdrawn token is still let in")
	}
	if c, err := f.Authenticate(bearing("Bearer " + second)); err != nil || !c.May(Propose) {
		t.Errorf("the new token: %+v, %v", c, err)
	}

	rewrite(t, path, "nonsense")
	if changed, err := f.ReloadIfChanged(); !changed || err == nil {
		t.Errorf("a broken file: %v, %v", changed, err)
	}
	if _, err := f.Authenticate(bearing("Bearer " + second)); err != nil {
		t.Errorf("a broken file shut out who was let in: %v", err)
	}

	// The same size and content again, with another time only, as "touch" does.
	rewrite(t, path, HashToken(second)+" namespace=shop principal=a roles=read,propose")
	if err := f.Reload(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if changed, err := f.ReloadIfChanged(); !changed || err != nil {
		t.Errorf("another modification time: %v, %v", changed, err)
	}
}

func TestOthersMayNotWriteTheFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such mode bits")
	}
	path := write(t, HashToken(tokenOf(t, 1))+" namespace=shop principal=a roles=read")
	for mode, want := range map[os.FileMode]struct{ refused, warned bool }{
		0o600: {false, false}, 0o640: {false, false}, 0o644: {false, true}, 0o646: {true, false},
	} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFile(path)
		if (err != nil) != want.refused || f != nil && (len(f.Warnings()) > 0) != want.warned {
			t.Errorf("mode %04o: %v, %v", mode, f, err)
		}
	}
}

func TestTheLineForATokenIsReadBack(t *testing.T) {
	token := tokenOf(t, 3)
	line, err := FormatLine(token, Caller{Namespace: "shop", Principal: "ann", Person: "ann@example.com", Roles: []Role{Read, Approve}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(line, token) {
		t.Fatal("the line shows the token")
	}
	f, err := OpenFile(write(t, line))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := f.Authenticate(bearing("Bearer " + token)); err != nil || !c.May(Approve) || c.Person != "ann@example.com" {
		t.Errorf("got %+v, %v", c, err)
	}
	for name, c := range map[string]Caller{
		"mixed roles":      {Namespace: "shop", Principal: "a", Person: "a", Roles: []Role{Propose, Approve}},
		"no roles":         {Namespace: "shop", Principal: "a"},
		"a comment inside": {Namespace: "shop", Principal: "a", Person: "ann #", Roles: []Role{Read}},
	} {
		if line, err := FormatLine(token, c); err == nil {
			t.Errorf("%s: got %q", name, line)
		}
	}
}

func TestTwoTokensDiffer(t *testing.T) {
	if tokenOf(t, 1) == tokenOf(t, 2) || HashToken(tokenOf(t, 1)) == HashToken(tokenOf(t, 2)) {
		t.Error("they do not")
	}
	if _, err := NewToken(strings.NewReader("too short")); err == nil {
		t.Error("a token was made of too few random bytes")
	}
}
