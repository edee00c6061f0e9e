package callers

// Watched is another file of a server's settings, kept in force as the files of callers are: read whole, read again when
// it changes, and with what it said before where it has a fault.
type Watched[T any] struct{ reloaded[T] }

// OpenWatched reads the file. Parse gives its content, or says what is wrong with it.
func OpenWatched[T any](path string, parse func(path string, data []byte) (T, error)) (*Watched[T], error) {
	w := &Watched[T]{reloaded[T]{path: path, parse: parse}}
	if err := w.Reload(); err != nil {
		return nil, err
	}
	return w, nil
}

// Content is what the file said when it was last read without a fault.
func (w *Watched[T]) Content() T { return w.content() }
