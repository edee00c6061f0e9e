package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// leaseTokenVariable carries a lease token to commands. There is no flag for one: command lines can be read by others.
const leaseTokenVariable = "OPLEDGER_LEASE_TOKEN"

// leaseTokenFlag says where the token of a lease is kept.
type leaseTokenFlag struct{ path string }

func addLeaseTokenFlag(cmd *cobra.Command) *leaseTokenFlag {
	f := &leaseTokenFlag{}
	cmd.Flags().StringVar(&f.path, "lease-token-file", "", "the file that keeps the lease's token")
	allowEnvironment(cmd.Flags(), "lease-token-file")
	must(cmd.MarkFlagFilename("lease-token-file"))
	return f
}

// read finds the token: in the file that is named, else in the environment.
func (f *leaseTokenFlag) read() (string, error) {
	token, err := f.find()
	if err == nil && token == "" {
		return "", usagef("which lease? Its token is read from --lease-token-file or from %s", leaseTokenVariable)
	}
	return token, err
}

// find is read where a token may be missing.
func (f *leaseTokenFlag) find() (string, error) {
	if f.path == "" {
		return strings.TrimSpace(os.Getenv(leaseTokenVariable)), nil
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", fmt.Errorf("the file %s holds no lease token", f.path)
	}
	return token, nil
}

// tokenFile is a file that a token is about to be written to. It is opened before the lease is taken, so that no lease is
// taken whose token has no place.
type tokenFile struct {
	path string
	file *os.File // nil: no file is wanted, or it has its content
}

// prepare opens a file beside the named one, which only its owner can read.
func (f *leaseTokenFlag) prepare() (*tokenFile, error) {
	if f.path == "" {
		return &tokenFile{}, nil
	}
	file, err := os.CreateTemp(filepath.Dir(f.path), ".lease-token-*") // 0600
	if err != nil {
		return nil, fmt.Errorf("the lease token has no place: %w", err)
	}
	return &tokenFile{path: f.path, file: file}, nil
}

// keep puts the token of a grant in place, whole or not at all, and takes it out of the answer.
func (t *tokenFile) keep(g *pb.LeaseGrant) error {
	if t.file == nil || g == nil {
		return nil
	}
	_, err := t.file.WriteString(g.LeaseToken + "\n")
	if closed := t.file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(t.file.Name(), t.path)
	}
	if err != nil {
		return fmt.Errorf("the lease was taken and its token could not be kept; it ends by itself at %s: %w", clock(g.Lease.GetExpireTime()), err)
	}
	t.file, g.LeaseToken = nil, ""
	return nil
}

// abandon removes the file where it got no content.
func (t *tokenFile) abandon() {
	if t.file != nil {
		_ = t.file.Close()
		_ = os.Remove(t.file.Name())
	}
}
