package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ErrNotInstalled says that PostgreSQL's server programs are missing, and how to get them.
// Tests fail with it; they are never skipped for it.
var ErrNotInstalled = errors.New(`PostgreSQL's server programs (initdb, postgres) were not found, neither in PATH nor where packages put them
  Debian, Ubuntu:  apt-get install postgresql
  Fedora, RHEL:    dnf install postgresql-server
  macOS:           brew install postgresql
or name a running server whose user may create databases: ` + EnvURL + `=postgres://user:password@host:port/postgres`)

// installGlobs are the directories in which packagers put server programs, away from PATH, so that
// several major versions can be installed side by side.
var installGlobs = []string{
	"/usr/lib/postgresql/*/bin",            // Debian, Ubuntu
	"/usr/pgsql-*/bin",                     // the PostgreSQL project's RPMs
	"/opt/homebrew/opt/postgresql@*/bin",   // Homebrew on Apple silicon
	"/usr/local/opt/postgresql@*/bin",      // Homebrew on Intel
	"/usr/local/pgsql/bin",                 // built from source
	"/Applications/Postgres.app/*/*/*/bin", // Postgres.app
	"/usr/lib/postgresql*/bin",             // Alpine, openSUSE
}

// findPrograms returns the directory that holds initdb and postgres: PATH's, else the newest installed.
func findPrograms() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		// A wrapper or link in PATH is of no use without the server beside it.
		if real, err := filepath.EvalSymlinks(path); err == nil && hasPrograms(filepath.Dir(real)) {
			return filepath.Dir(real), nil
		}
	}
	var found []string
	for _, glob := range installGlobs {
		dirs, err := filepath.Glob(glob)
		if err != nil {
			return "", err
		}
		found = append(found, slices.DeleteFunc(dirs, func(dir string) bool { return !hasPrograms(dir) })...)
	}
	if len(found) == 0 {
		return "", ErrNotInstalled
	}
	return slices.MaxFunc(found, func(a, b string) int { return majorVersion(a) - majorVersion(b) }), nil
}

func hasPrograms(dir string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return true
}

// majorVersion reads the last number in a directory's name ("/usr/lib/postgresql/15/bin": 15), 0 without one.
func majorVersion(dir string) int {
	numbers := strings.FieldsFunc(dir, func(r rune) bool { return r < '0' || r > '9' })
	if len(numbers) == 0 {
		return 0
	}
	version, err := strconv.Atoi(numbers[len(numbers)-1])
	if err != nil {
		return 0
	}
	return version
}
