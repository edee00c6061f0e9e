package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestWhichDatabaseIsMeant(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	for in, want := range map[string]database{
		"ledger.db":                    {path: "ledger.db"},
		"./with:colon.db":              {path: "./with:colon.db"},
		"/var/lib/l.db":                {path: "/var/lib/l.db"},
		"sqlite:ledger.db":             {path: "ledger.db"},
		"sqlite:///var/lib/l.db":       {path: "/var/lib/l.db"},
		"file:l.db":                    {path: "l.db"},
		"postgres://u:p@h/d":           {url: "postgres://u:p@h/d"},
		"postgresql://h/d?sslmode=off": {url: "postgresql://h/d?sslmode=off"},
		"cockroachdb://h:26257/d":      {url: "postgres://h:26257/d"},
	} {
		if got, err := parseDatabase(in); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", in, got, err)
		}
	}
	if got, err := parseDatabase(""); err != nil || !strings.HasSuffix(got.path, "opledger.db") {
		t.Errorf("none: got %+v, %v", got, err)
	}
	for _, in := range []string{"mysql://h/d", "sqlite:", "http://h/d"} {
		if got, err := parseDatabase(in); err == nil {
			t.Errorf("%s: got %+v", in, got)
		}
	}
	d := database{url: "postgres://ann:secret@db:5432/opledger?password=secret2"}
	if text := d.String(); strings.Contains(text, "secret") || text != "postgres://db:5432/opledger" {
		t.Errorf("it is told as %s", text)
	}
}

func TestATokenIsNotSentInTheClearByAccident(t *testing.T) {
	for server, secure := range map[string]bool{
		"127.0.0.1:7117": false, "localhost:7117": false, "[::1]:7117": false, "http://db.example:7117": false,
		"opledger.example:7117": true, "192.0.2.1:7117": true, "https://127.0.0.1:7117": true,
	} {
		c := &connection{server: server}
		_, transport, err := c.target()
		if err != nil || (transport.Info().SecurityProtocol == "tls") != secure {
			t.Errorf("%s: %v, %v", server, transport, err)
		}
	}
}

func TestWhatOthersWroteCannotMoveTheCursor(t *testing.T) {
	p := &printer{}
	p.table([]string{"A", "B"}, [][]string{{"x\x1b[2Jy", "a\tb\nc"}})
	p.facts("name", "v\r\n\u009bx")
	if strings.ContainsAny(p.String(), "\x1b\t\r\u009b") || strings.Count(p.String(), "\n") != 3 {
		t.Errorf("wrote %q", p.String())
	}
}

func TestVersion(t *testing.T) {
	if got := do(t, "version"); got.status != exitOK || !strings.HasPrefix(got.out, "opledger ") {
		t.Errorf("got %+v", got)
	}
	if m := parse(t, do(t, "version", "--json").out); text(m, "version") == "" || text(m, "go") == "" {
		t.Errorf("got %v", m)
	}
}

func TestEveryCommandSaysWhatItDoes(t *testing.T) {
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: %q", cmd.CommandPath(), cmd.Short)
		}
		for _, below := range cmd.Commands() {
			look(below)
		}
	}
	look(newRoot())
}

func TestCompletionOfListsGoesOnAfterAComma(t *testing.T) {
	got := do(t, "__complete", "ops", "list", "--state", "planned,unk")
	if !strings.Contains(got.out, "planned,unknown_outcome") {
		t.Errorf("got %+v", got)
	}
}
