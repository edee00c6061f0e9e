package callers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

// The bounds of a file of tokens: some ten thousand credentials.
const (
	maxFileBytes = 4 << 20
	maxTokens    = 10_000
)

// File lets in the bearers of the tokens whose hashes a file lists, one a line:
//
//	# A comment. Empty lines are skipped; " #" ends a line early.
//	sha256:<64 hex digits> namespace=shop principal=checkout-agent roles=propose,execute,read
//	sha256:<64 hex digits> namespace=shop principal=ann roles=approve,resolve,read person=ann@example.com
//
// The file never holds a token itself. One principal may have several tokens, so that one can be replaced without a
// moment in between, but always with the same roles and person.
type File struct {
	path    string
	current atomic.Pointer[table]
}

var _ Authenticator = (*File)(nil)

// table is one reading of the file.
type table struct {
	info os.FileInfo
	// byPrefix finds the few candidates by the first bytes of the hash; the whole hash is compared in constant time.
	byPrefix map[[8]byte][]entry
	count    int
	warnings []string
}

// OpenFile reads the file. Every fault of it is an error that names the line.
func OpenFile(path string) (*File, error) {
	f := &File{path: path}
	if err := f.Reload(); err != nil {
		return nil, err
	}
	return f, nil
}

// Reload reads the file again, whatever its modification time says. Where the new content has a fault the old one stays
// in force, so that a slip of the pen does not shut everybody out.
func (f *File) Reload() error {
	t, err := readTable(f.path)
	if err != nil {
		return err
	}
	f.current.Store(t)
	return nil
}

// ReloadIfChanged reads the file again where it was replaced or written since it was read, and reports whether it did.
func (f *File) ReloadIfChanged() (bool, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return false, err
	}
	if have := f.current.Load().info; os.SameFile(have, info) && have.ModTime().Equal(info.ModTime()) && have.Size() == info.Size() {
		return false, nil
	}
	return true, f.Reload()
}

// Warnings says what about the file is weaker than it should be, in sentences.
func (f *File) Warnings() []string { return f.current.Load().warnings }

// Count is the number of tokens.
func (f *File) Count() int { return f.current.Load().count }

// Authenticate finds the bearer of the request's token.
func (f *File) Authenticate(ctx context.Context) (Caller, error) {
	token, err := bearerToken(ctx)
	if err != nil {
		return Caller{}, err
	}
	if token == "" {
		return Caller{}, &UnauthenticatedError{"this server lets in the bearers of tokens only: send \"authorization: Bearer " + TokenPrefix + "...\""}
	}
	if looksLikeToken(token) {
		if caller, found := f.current.Load().find(sha256.Sum256([]byte(token))); found {
			return caller, nil
		}
	}
	return Caller{}, &UnauthenticatedError{"the token is not known to this server; obtain a valid one"}
}

func (t *table) find(hash tokenHash) (caller Caller, found bool) {
	for _, e := range t.byPrefix[[8]byte(hash[:8])] {
		if subtle.ConstantTimeCompare(e.hash[:], hash[:]) == 1 {
			caller, found = e.caller, true
		}
	}
	return caller, found
}

func readTable(path string) (*table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes, the limit of a file of tokens", path, maxFileBytes)
	}
	entries, err := parseFile(path, data)
	if err != nil {
		return nil, err
	}
	t := &table{info: info, byPrefix: map[[8]byte][]entry{}, count: len(entries)}
	for _, e := range entries {
		prefix := [8]byte(e.hash[:8])
		t.byPrefix[prefix] = append(t.byPrefix[prefix], e)
	}
	t.warnings, err = judgeMode(path, info.Mode())
	return t, err
}

// judgeMode refuses a file that others can write, since they could let themselves in, and warns of one that they can
// read.
func judgeMode(path string, mode os.FileMode) ([]string, error) {
	if runtime.GOOS == "windows" { // which has no such bits
		return nil, nil
	}
	if mode.Perm()&0o002 != 0 {
		return nil, fmt.Errorf("everybody on this machine can write %s (mode %04o), and so let themselves in: chmod 600 %s", path, mode.Perm(), path)
	}
	if mode.Perm()&0o004 != 0 {
		return []string{fmt.Sprintf("Everybody on this machine can read %s (mode %04o). It holds hashes and no tokens, but tells who may do what: chmod 600 %s", path, mode.Perm(), path)}, nil
	}
	return nil, nil
}

// parseFile reads every line and checks them against each other.
func parseFile(path string, data []byte) ([]entry, error) {
	var entries []entry
	hashes := map[tokenHash]int{}
	holders := map[string]entry{}
	for i, raw := range bytes.Split(data, []byte("\n")) {
		text := strings.TrimSpace(string(raw))
		if text == "" || text[0] == '#' {
			continue
		}
		fail := func(reason, format string, args ...any) error {
			return &LineError{Path: path, Line: i + 1, Reason: reason, Message: fmt.Sprintf(format, args...)}
		}
		e, reason, err := parseLine(text)
		if err != nil {
			return nil, fail(reason, "%v", err)
		}
		e.line = i + 1
		if first, twice := hashes[e.hash]; twice {
			return nil, fail("", "the same token stands in line %d", first)
		}
		hashes[e.hash] = e.line
		holder := string(e.caller.Namespace) + " " + string(e.caller.Principal)
		if first, known := holders[holder]; !known {
			holders[holder] = e
		} else if !slices.Equal(first.caller.Roles, e.caller.Roles) || first.caller.Person != e.caller.Person {
			return nil, fail("", "the principal %s has other roles or another person in line %d; give a second bearer a name of its own", e.caller.Principal, first.line)
		}
		if len(entries) == maxTokens {
			return nil, fail("", "a file of tokens holds at most %d", maxTokens)
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%s lists no token, so that nobody would be let in; \"opledger tokens new\" prints a line for it", path)
	}
	return entries, nil
}
