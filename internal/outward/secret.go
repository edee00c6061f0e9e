package outward

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Place names where a server finds a secret. The secret itself is read when it is needed, and kept nowhere.
type Place struct {
	Environment string `json:"environment,omitempty"` // an environment variable
	File        string `json:"file,omitempty"`        // a file beneath the secrets folder
}

// String names the place, for people.
func (r Place) String() string {
	if r.Environment != "" {
		return "the environment variable " + r.Environment
	}
	return "the secret file " + r.File
}

// DefaultEnvPrefix begins the names of the environment variables that are released where nothing else is said. No flag's
// variable begins with it.
const DefaultEnvPrefix = "OPLEDGER_SECRET_"

// maxSecretBytes bounds what is read of a file.
const maxSecretBytes = 4096

// Secrets are the places that a server's operator has released. A zero value releases none.
type Secrets struct {
	// EnvPrefix begins the names of released environment variables. Empty: none is released.
	EnvPrefix string
	// Dir is the folder with secret files. Empty: there is none.
	Dir string
	// PerNamespace keeps what is released apart by namespaces, as Of says. Else whoever administers any namespace may name
	// every secret, and send it to a host of their own.
	PerNamespace bool
	// LookupEnv is os.LookupEnv, but for tests.
	LookupEnv func(string) (string, bool)
}

// Of gives the places that what belongs to a namespace may name. Kept apart, those of "shop-eu" are the variables that
// begin with the prefix and SHOP_EU__, and the files beneath the folder "shop-eu" of the secrets folder.
func (s Secrets) Of(namespace string) Secrets {
	if !s.PerNamespace {
		return s
	}
	if s.EnvPrefix != "" {
		s.EnvPrefix = variables(s.EnvPrefix, namespace)
	}
	if s.Dir != "" {
		s.Dir = folder(s.Dir, namespace)
	}
	return s
}

// variables is how the variables of one namespace begin; empty where that could be how another one's begin: the two
// underscores at the end stand in no name.
func variables(prefix, namespace string) string {
	if namespace == "" || strings.ContainsFunc(namespace, notInVariable) || strings.Contains(namespace, "--") || strings.HasSuffix(namespace, "-") {
		return ""
	}
	return prefix + strings.ToUpper(strings.ReplaceAll(namespace, "-", "_")) + "__"
}

func notInVariable(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }

// folder is a namespace's own; empty where its name is none of a folder.
func folder(dir, namespace string) string {
	if namespace == "" || namespace[0] == '.' || strings.ContainsAny(namespace, `/\:`) {
		return ""
	}
	return filepath.Join(dir, namespace)
}

// ErrNotReleased: the operator has not released the place. What is there, if anything, is not looked at.
var ErrNotReleased = errors.New("is not released by this server's operator")

// Read reads the secret at a place, without line ends behind it. Errors name the place and no content.
func (s *Secrets) Read(place Place) ([]byte, error) {
	text, err := s.read(place)
	if err != nil {
		return nil, fmt.Errorf("%s %w", place, err)
	}
	if text = bytes.TrimRight(text, "\r\n"); len(text) == 0 {
		return nil, fmt.Errorf("%s is empty", place)
	}
	return text, nil
}

func (s *Secrets) read(ref Place) ([]byte, error) {
	switch {
	case ref.Environment != "":
		return s.readVariable(ref.Environment)
	case ref.File != "":
		return s.readFile(ref.File)
	}
	return nil, ErrNotReleased
}

func (s *Secrets) readVariable(name string) ([]byte, error) {
	if s.EnvPrefix == "" || !strings.HasPrefix(name, s.EnvPrefix) {
		return nil, ErrNotReleased
	}
	lookup := s.LookupEnv
	if lookup == nil {
		lookup = os.LookupEnv
	}
	value, set := lookup(name)
	if !set || value == "" {
		return nil, errors.New("is not set on this server")
	}
	return []byte(value), nil
}

// readFile reads a file that lies beneath the folder, whatever the name or a link in the folder says.
func (s *Secrets) readFile(name string) ([]byte, error) {
	if s.Dir == "" {
		return nil, ErrNotReleased
	}
	cannot := errors.New("cannot be read on this server")
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, cannot
	}
	defer func() { _ = root.Close() }()
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil, cannot // to open a pipe would wait for its writer
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, cannot
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxSecretBytes+1))
	switch {
	case err != nil:
		return nil, cannot
	case len(text) > maxSecretBytes:
		return nil, fmt.Errorf("is longer than %d bytes", maxSecretBytes)
	}
	return text, nil
}
