package callers

import "context"

// Store keeps the hashes of tokens, and whom their bearers are let in as. Its answers are safe for concurrent use.
type Store interface {
	// LookupToken finds whose token has the hash. It compares the whole hash in constant time. An error says that the
	// store could not be asked.
	LookupToken(ctx context.Context, hash TokenHash) (caller Caller, found bool, err error)
}
