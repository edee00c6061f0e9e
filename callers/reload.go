package callers

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"sync/atomic"
)

// maxFileBytes bounds every file that says who is let in.
const maxFileBytes = 4 << 20

// reloaded is a file that is read whole, and again when it changes.
type reloaded[T any] struct {
	path    string
	parse   func(path string, data []byte) (T, error)
	private bool // warn where everybody can read it
	current atomic.Pointer[reading[T]]
}

// reading is one reading of the file.
type reading[T any] struct {
	info     os.FileInfo
	content  T
	warnings []string
}

// Reload reads the file again, whatever its modification time says. Where the new content has a fault the old one stays
// in force, so that a slip of the pen does not shut everybody out.
func (f *reloaded[T]) Reload() error {
	r, err := f.read()
	if err != nil {
		return err
	}
	f.current.Store(r)
	return nil
}

// ReloadIfChanged reads the file again where it was replaced or written since it was read, and reports whether it did.
func (f *reloaded[T]) ReloadIfChanged() (bool, error) {
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
func (f *reloaded[T]) Warnings() []string { return f.current.Load().warnings }

// content is what the file said when it was last read without a fault.
func (f *reloaded[T]) content() T { return f.current.Load().content }

func (f *reloaded[T]) read() (*reading[T], error) {
	file, err := os.Open(f.path)
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
		return nil, fmt.Errorf("%s is larger than %d bytes, the limit of a file that lets callers in", f.path, maxFileBytes)
	}
	r := &reading[T]{info: info}
	if r.content, err = f.parse(f.path, data); err != nil {
		return nil, err
	}
	r.warnings, err = judgeMode(f.path, info.Mode(), f.private)
	return r, err
}

// judgeMode refuses a file that others can write, since they could let themselves in, and warns of a private one that
// they can read.
func judgeMode(path string, mode os.FileMode, private bool) ([]string, error) {
	if runtime.GOOS == "windows" { // which has no such bits
		return nil, nil
	}
	if mode.Perm()&0o002 != 0 {
		return nil, fmt.Errorf("everybody on this machine can write %s (mode %04o), and so let themselves in: chmod 600 %s", path, mode.Perm(), path)
	}
	if private && mode.Perm()&0o004 != 0 {
		return []string{fmt.Sprintf("Everybody on this machine can read %s (mode %04o). It holds no secret itself, but tells who may do what: chmod 600 %s", path, mode.Perm(), path)}, nil
	}
	return nil, nil
}
