package callers

import (
	"context"
	"os"
	"time"
)

// Watch keeps the file in force up to date until the context ends: at each look it is read again where it changed, at each
// signal (SIGHUP by custom) in any case. Told is called after each reading, with its error or nil, and not again for an
// error that stands.
func (f *reloaded[T]) Watch(ctx context.Context, look <-chan time.Time, signal <-chan os.Signal, told func(error)) {
	var standing string
	for {
		var read bool
		var err error
		select {
		case <-ctx.Done():
			return
		case <-look:
			read, err = f.ReloadIfChanged()
		case <-signal:
			read, err = true, f.Reload()
			standing = ""
		}
		switch {
		case err == nil:
			standing = ""
			if read {
				told(nil)
			}
		case err.Error() != standing:
			standing = err.Error()
			told(err)
		}
	}
}
