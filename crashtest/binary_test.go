package crashtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/opledger/opledger/internal/vendor"
)

// binary is the program under test.
var binary string

// children make this process one of the tests' others, such as a provider or a worker, where it was started as one. Those
// do not return.
var children = []func(){vendor.Main}

// TestMain builds the program: what is killed is what users run.
func TestMain(m *testing.M) {
	for _, child := range children {
		child()
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "opledger-crash-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "opledger")
	build := exec.Command("go", "build", "-o", binary, "github.com/opledger/opledger/cmd/opledger")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	return m.Run()
}
