package servers

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/opledger/opledger/internal/childproc"
)

// installedRedmine is where Debian's package redmine puts the application.
const installedRedmine = "/usr/share/redmine"

// redmine is a running Redmine and the key of a user of it.
type redmine struct{ url, key string }

// folder is where the Redmine of these tests lives.
var folder string

var redmineContext, stopRedmine = context.WithCancel(context.Background())

// theRedmine starts the one Redmine that the tests of this package share, since its start takes seconds.
var theRedmine = sync.OnceValues(func() (redmine, error) {
	var err error
	if folder, err = os.MkdirTemp("", "opledger-redmine-"); err != nil {
		return redmine{}, err
	}
	if err := layOut(folder); err != nil {
		return redmine{}, err
	}
	line, err := start(redmineContext, childproc.Command{
		Executable: "ruby", Arguments: []string{filepath.Join(folder, "redmine.rb")},
		Environment: []string{"RAILS_ENV=production", "REDMINE_INSTANCE=default", "SECRET_KEY_BASE=" + strings.Repeat("0123456789abcdef", 4)},
	})
	if err != nil {
		return redmine{}, err
	}
	address, key, _ := strings.Cut(line, " ")
	return redmine{address, key}, nil
})

// layOut makes an instance of its own: a copy of the application, whose files Rails finds by where they really are, with a
// database and logs beside it. Nothing of the machine's own instance is read or written.
func layOut(root string) error {
	for _, part := range []string{"app", "config", "db", "lib", "templates"} {
		if err := copyFolder(filepath.Join(root, part), filepath.Join(installedRedmine, part)); err != nil {
			return err
		}
	}
	instance := filepath.Join(root, "instances", "default")
	for _, dir := range []string{"config", "files", "log", "tmp/cache"} {
		if err := os.MkdirAll(filepath.Join(instance, dir), 0o700); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "plugins"), 0o700); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(installedRedmine, "public"), filepath.Join(root, "public")); err != nil {
		return err
	}
	gems, err := os.ReadFile(filepath.Join(installedRedmine, "Gemfile"))
	if err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join("testdata", "serve_redmine.rb"))
	if err != nil {
		return err
	}
	database := filepath.Join(root, "redmine.sqlite3")
	for name, text := range map[string]string{
		// The package's file reads which database is used from the machine's own instances.
		"Gemfile":                               strings.ReplaceAll(string(gems), installedRedmine+"/", root+"/"),
		"Gemfile.local":                         "gem 'webrick'\n",
		"config.ru":                             "# marks the folder that Rails runs in\n",
		"redmine.rb":                            string(script),
		"instances/default/config/database.yml": "production:\n  adapter: sqlite3\n  database: " + database + "\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// copyFolder copies files as they read. What a link leads nowhere to is left out: the machine's own instance may not be set
// up at all.
func copyFolder(to, from string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if d.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		if d.Type()&os.ModeSymlink != 0 {
			return nil // database.yml, which the instance has of its own
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o600)
	})
}

// needRedmine gives the tests' Redmine.
func needRedmine(t *testing.T) redmine {
	t.Helper()
	if !there(filepath.Join(installedRedmine, "config", "environment.rb")) {
		missing(t, "Redmine", "on Debian: apt-get install --no-install-recommends redmine redmine-sqlite ruby-webrick; elsewhere this test cannot run")
	}
	r, err := theRedmine()
	if err != nil {
		t.Fatal(err)
	}
	return r
}
