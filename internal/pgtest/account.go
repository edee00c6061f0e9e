package pgtest

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that PostgreSQL's programs run as.
type account struct {
	credential *syscall.Credential // nil: our own user
}

// serverAccount is our own user, or an unprivileged one when we are root, as which PostgreSQL refuses to run.
func serverAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return account{}, fmt.Errorf("user %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		if err != nil {
			return account{}, fmt.Errorf("group of user %s: %w", name, err)
		}
		return account{credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return account{}, fmt.Errorf("PostgreSQL refuses to run as root and there is neither a user postgres nor nobody")
}

// makeDir makes a new directory that only the account may enter.
func (a account) makeDir() (string, error) {
	parent := os.TempDir()
	if a.credential != nil && !openToAll(parent) {
		parent = "/tmp" // root's own TMPDIR may lie where the account cannot reach it
	}
	dir, err := os.MkdirTemp(parent, "opledger-pg-")
	if err != nil {
		return "", err
	}
	if a.credential != nil {
		if err := os.Chown(dir, int(a.credential.Uid), int(a.credential.Gid)); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// openToAll tells whether every user may pass through dir and all directories above it.
func openToAll(dir string) bool {
	for {
		info, err := os.Stat(dir)
		if err != nil || info.Mode()&0o001 == 0 {
			return false
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return true
	}
}

// attributes lets a process run as the account, in a process group of its own: a Ctrl-C at the terminal
// then reaches the tests, which stop the server in order, and not the server itself.
func (a account) attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: a.credential}
}
