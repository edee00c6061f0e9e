package smallworld

import (
	"testing"
	"time"

	"github.com/opledger/opledger/registry"
)

func TestProbe(t *testing.T) {
	for _, r := range []rules{
		{class: registry.ExternalNonIdempotentWrite, operations: 1, horizon: 7, depth: 11},
		{class: registry.ExternalNonIdempotentWrite, operations: 1, begin: true, horizon: 7, depth: 11},
	} {
		s := search{rules: r}
		start := time.Now()
		s.visited = func(n int) { t.Log(n, time.Since(start)) }
		f, err := s.run(t.Context())
		t.Log(r, f, err, f.wrong, f.history, time.Since(start))
	}
}
