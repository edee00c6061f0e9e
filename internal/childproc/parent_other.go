//go:build !linux

package childproc

import "syscall"

// dieWithParent: other systems know no such wish. The context ends the child as long as its parent lives.
func dieWithParent() *syscall.SysProcAttr { return nil }
