//go:build unix

package main

import (
	"bufio"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestDemoLeavesNoProcessBehind interrupts the play while server and agent run. All of its processes are in one group,
// which has to be empty once the play has ended.
func TestDemoLeavesNoProcessBehind(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"interrupt": syscall.SIGINT, "terminate": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := program(t, []string{"demo"})
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			group := cmd.Process.Pid
			t.Cleanup(func() { _ = syscall.Kill(-group, syscall.SIGKILL) })
			lines := bufio.NewScanner(out)
			for lines.Scan() && !strings.Contains(lines.Text(), "IN_FLIGHT") {
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() { // to the end of the output, so that nobody is held up by it
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
				t.Errorf("the play ended with %v, want status %d", err, exitFailed)
			}
			if err := syscall.Kill(-group, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("processes are left in the play's group: %v", err)
			}
		})
	}
}
