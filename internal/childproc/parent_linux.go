package childproc

import "syscall"

// dieWithParent lets the kernel kill the child when its parent is gone, even by SIGKILL.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
