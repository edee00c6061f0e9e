package outward

import (
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func lookup(name string) (string, bool) {
	value, set := map[string]string{"OPLEDGER_SECRET_CHAT": "from the environment", "OPLEDGER_SECRET_EMPTY": "", "OPLEDGER_SECRET_LINE": "\n", "DATABASE_PASSWORD": "x", "OPLEDGER_TOKENS": "x"}[name]
	return value, set
}

func TestAddressesThatAreNotPublic(t *testing.T) {
	for _, a := range []string{
		"127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.100.100.200", "0.0.0.0", "255.255.255.255",
		"224.0.0.1", "198.18.0.1", "192.0.0.192", "::", "::1", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1",
		"::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::", "2001::1", "fec0::1",
		"168.63.129.16", "::ffff:168.63.129.16", "192.88.99.1", "::ffff:0:7f00:1", "4000::1",
	} {
		if Public(netip.MustParseAddr(a)) {
			t.Errorf("%s counts as public", a)
		}
		if err := onlyPublic("tcp", net.JoinHostPort(a, "443"), nil); err == nil {
			t.Errorf("%s is connected to", a)
		}
	}
	for _, a := range []string{"1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1"} {
		if !Public(netip.MustParseAddr(a)) {
			t.Errorf("%s does not count as public", a)
		}
	}
}

func TestSecretsThatMayBeNamed(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "chat"), "0123456789abcdef0123456789\n")
	write(filepath.Join(dir, "long"), strings.Repeat("x", maxSecretBytes+1))
	write(filepath.Join(outside, "other"), "0123456789abcdef0123456789")
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	linked := os.Symlink(filepath.Join(outside, "other"), filepath.Join(dir, "link")) == nil // not everybody may on Windows
	s := &Secrets{EnvPrefix: DefaultEnvPrefix, Dir: dir, LookupEnv: lookup}
	for ref, want := range map[Place]string{
		{File: "chat"}: "0123456789abcdef0123456789", {Environment: "OPLEDGER_SECRET_CHAT"}: "from the environment",
	} {
		if k, err := s.Read(ref); err != nil || string(k) != want {
			t.Errorf("%s: %q, %v", ref, k, err)
		}
	}
	bad := map[Place]string{
		{Environment: "DATABASE_PASSWORD"}: "not released", {Environment: "OPLEDGER_TOKENS"}: "not released", {}: "not released",
		{Environment: "OPLEDGER_SECRET_NONE"}: "not set", {Environment: "OPLEDGER_SECRET_EMPTY"}: "not set", {Environment: "OPLEDGER_SECRET_LINE"}: "is empty", {File: "none"}: "cannot be read",
		{File: ".."}: "cannot be read", {File: "folder"}: "cannot be read", {File: "long"}: "longer",
	}
	if linked {
		bad[Place{File: "link"}] = "cannot be read"
	}
	for ref, words := range bad {
		if k, err := s.Read(ref); err == nil || !strings.Contains(err.Error(), words) || k != nil {
			t.Errorf("%s: %q, %v", ref, k, err)
		}
	}
	for _, ref := range []Place{{File: "chat"}, {Environment: "OPLEDGER_SECRET_CHAT"}} {
		if _, err := (&Secrets{LookupEnv: lookup}).Read(ref); err == nil {
			t.Errorf("%s may be named although nothing is released", ref)
		}
	}
}

// TestSecretsKeptApart: what belongs to a namespace names its own secrets, and no name of a namespace leads to another's.
func TestSecretsKeptApart(t *testing.T) {
	dir := t.TempDir()
	for _, ns := range []string{"shop", "other", "a_b"} {
		if err := os.Mkdir(filepath.Join(dir, ns), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ns, "key"), []byte("of "+ns), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("of nobody"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Secrets{EnvPrefix: "S_", Dir: dir, LookupEnv: func(name string) (string, bool) { return "of " + name, true }}
	read := func(ns string, ref Place) string {
		of := s.Of(ns)
		k, err := of.Read(ref)
		if err != nil {
			return "refused"
		}
		return string(k)
	}
	if got := read("shop", Place{Environment: "S_OTHER__KEY"}); got != "of S_OTHER__KEY" {
		t.Errorf("where they are not kept apart: %s", got)
	}
	s.PerNamespace = true
	for _, c := range []struct {
		ns   string
		ref  Place
		want string
	}{
		{"shop", Place{Environment: "S_SHOP__KEY"}, "of S_SHOP__KEY"},
		{"shop-eu", Place{Environment: "S_SHOP_EU__KEY"}, "of S_SHOP_EU__KEY"},
		{"shop", Place{File: "key"}, "of shop"},
		{"a_b", Place{File: "key"}, "of a_b"},
		{"shop", Place{Environment: "S_KEY"}, "refused"},
		{"shop", Place{Environment: "S_OTHER__KEY"}, "refused"},
		{"shop", Place{Environment: "S_SHOP_EU__KEY"}, "refused"},
		{"shop-eu", Place{Environment: "S_SHOP__KEY"}, "refused"},
		{"a_b", Place{Environment: "S_A_B__KEY"}, "refused"}, // as a-b's begin
		{"a-", Place{Environment: "S_A___KEY"}, "refused"},
		{"a--b", Place{Environment: "S_A__B__KEY"}, "refused"}, // a's own
		{"shop", Place{File: "../other/key"}, "refused"},
		{"shop", Place{File: "../key"}, "refused"},
		{"..", Place{File: "key"}, "refused"},
		{".", Place{File: "key"}, "refused"},
		{"shop/../other", Place{File: "key"}, "refused"},
		{"", Place{File: "key"}, "refused"},
		{"", Place{Environment: "S___KEY"}, "refused"},
		{"none", Place{File: "key"}, "refused"},
	} {
		if got := read(c.ns, c.ref); got != c.want {
			t.Errorf("%q reads %s: %s, want %s", c.ns, c.ref, got, c.want)
		}
	}
}
