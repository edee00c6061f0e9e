package litestore

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// LockedError says that another process has the file open. One process owns a file, since its clock and its one writer
// are what the promises rest on; command-line tools ask that process over gRPC instead.
type LockedError struct {
	Path string
	// Process is the other's process id, or zero where it is not known.
	Process int
}

func (e *LockedError) Error() string {
	if e.Process == 0 {
		return fmt.Sprintf("%s is open in another process, and one server process owns a SQLite file", e.Path)
	}
	return fmt.Sprintf("%s is open in process %d, and one server process owns a SQLite file", e.Path, e.Process)
}

// fileLock holds a lock on a file beside the database. The operating system gives it up when the process ends, however
// it ends. The lock file itself stays: removing it would let two processes lock two files of one name.
type fileLock struct{ file *os.File }

// lockFile locks "<path>.lock" and writes the process id into it.
func lockFile(path string) (*fileLock, error) {
	file, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if taken, err := tryLock(file); err != nil || taken {
		defer file.Close()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", file.Name(), err)
		}
		return nil, &LockedError{Path: path, Process: readProcess(file)}
	}
	l := &fileLock{file}
	if err := l.writeProcess(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *fileLock) writeProcess() error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

func readProcess(file *os.File) int {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 32))
	if err != nil {
		return 0
	}
	process, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return process
}

func (l *fileLock) release() error { return l.file.Close() }
