package pgtest

import (
	"io"
	"os/exec"
)

// reaper cleans up after a test process that could not: killed, crashed, or past its time. It is a small
// shell that waits until its standard input ends, which the kernel sees to however the test process dies.
// Linux's parent-death signal would do less: it follows the starting thread, not the process, and leaves
// the directory behind.
type reaper struct {
	cmd  *exec.Cmd
	hold io.Closer // the pipe whose end wakes the reaper
}

// reaperScript stops the postmaster at once (SIGQUIT), waits until it is gone, and removes everything.
// $1 is the server's directory.
const reaperScript = `
read -r _
if pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null); then
	kill -QUIT "$pid" 2>/dev/null
	while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
fi
rm -rf "$1"
`

func startReaper(acct account, dir string) (*reaper, error) {
	cmd := exec.Command("/bin/sh", "-c", reaperScript, "pgtest-reaper", dir)
	cmd.SysProcAttr = acct.attributes()
	cmd.Dir = "/"
	hold, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &reaper{cmd: cmd, hold: hold}, nil
}

// release lets the reaper do its work and waits until it has.
func (r *reaper) release() error {
	if err := r.hold.Close(); err != nil {
		return err
	}
	return r.cmd.Wait()
}
