//go:build windows

package litestore

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockOffset is where the lock lies: behind what the file holds, since a lock on Windows keeps others from reading.
const lockOffset = 1 << 20

// tryLock takes the file's lock, or says that somebody else has it.
func tryLock(file *os.File) (taken bool, err error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: lockOffset})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}
