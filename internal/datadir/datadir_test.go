package datadir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestWhereDataBelongs(t *testing.T) {
	at := func() (string, error) { return "/home/ann", nil }
	for name, c := range map[string]struct {
		system string
		env    map[string]string
		want   string
	}{
		"XDG":             {"linux", map[string]string{"XDG_DATA_HOME": "/data"}, "/data/opledger"},
		"XDG on a Mac":    {"darwin", map[string]string{"XDG_DATA_HOME": "/data"}, "/data/opledger"},
		"relative XDG":    {"linux", map[string]string{"XDG_DATA_HOME": "data"}, "/home/ann/.local/share/opledger"},
		"nothing set":     {"linux", nil, "/home/ann/.local/share/opledger"},
		"a Mac":           {"darwin", nil, "/home/ann/Library/Application Support/opledger"},
		"Windows":         {"windows", map[string]string{"LocalAppData": "/l"}, "/l/opledger"},
		"Windows, no env": {"windows", nil, "/home/ann/AppData/Local/opledger"},
	} {
		got, err := path("opledger", c.system, func(n string) string { return c.env[n] }, at)
		if err != nil || filepath.ToSlash(got) != c.want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	if got, err := path("opledger", "linux", func(string) string { return "" }, func() (string, error) { return "", errors.New("none") }); err == nil {
		t.Errorf("without a home: got %q", got)
	}
}

func TestTheFolderIsItsOwnersAlone(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	dir, err := Make("opledger")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
