//go:build unix

package storm

import (
	"bytes"
	_ "embed"
	"slices"
	"time"
)

// tools are a tool of each class whose effects lie outside, carried out by workers. Their numbers are as short as the
// contract admits, so that a permit ends while somebody watches, and long enough for the promises to cover what is done:
// whoever is frozen is woken within the stall allowance.
//
//go:embed tools.yaml
var tools []byte

// calls are tools that the server carries out, one that may be sent again under its key and one that may not. Where they
// are to reach the provider stands open in it.
//
//go:embed calls.yaml
var calls []byte

// definitions are all tools. Servers reach the provider at the address.
func definitions(address string) []byte {
	return slices.Concat(tools, []byte("---\n"), bytes.ReplaceAll(calls, []byte("{{address}}"), []byte(address)))
}

// frozenFor is how long somebody stays frozen: past the end of every permit, which lasts a second, or 1.8 where it is
// extended, and well within the stall allowance of five.
const frozenFor = 2 * time.Second
