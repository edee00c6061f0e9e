package world

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"sync"

	"github.com/google/uuid"
)

// random is a stream of bytes that a seed decides. It is safe for concurrent use.
type random struct {
	mu     sync.Mutex
	source *rand.ChaCha8
	steady bool
}

func newRandom(seed uint64, steady bool) *random {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return &random{source: rand.NewChaCha8(key), steady: steady}
}

// jitterBytes is how many random bytes a server makes a jitter of. Identifiers take 16.
const jitterBytes = 8

// Read implements io.Reader. It never fails.
func (r *random) Read(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.steady && len(b) == jitterBytes {
		binary.BigEndian.PutUint64(b, 1<<63)
		return len(b), nil
	}
	return r.source.Read(b)
}

// id is an identifier of the ledger's.
func (r *random) id(prefix string) string {
	var b [16]byte
	_, _ = r.Read(b[:])
	return prefix + hex.EncodeToString(b[:])
}

// uuid is one of the kind that clients make.
func (r *random) uuid() string {
	return uuid.Must(uuid.NewRandomFromReader(r)).String() // a reader that never fails
}

// jitter is a number in [0, 1).
func (r *random) jitter() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.steady {
		return 0.5
	}
	return float64(r.source.Uint64()>>11) / (1 << 53)
}
