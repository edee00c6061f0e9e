//go:build unix

package storm

import (
	_ "embed"
	"time"
)

// tools are a tool of each class whose effects lie outside, carried out by workers. Their numbers are as short as the
// contract admits, so that a permit ends while somebody watches, and long enough for the promises to cover what is done:
// whoever is frozen is woken within the stall allowance.
//
//go:embed tools.yaml
var tools []byte

// frozenFor is how long somebody stays frozen: past the end of his permit of a second, and well within the stall
// allowance of five.
const frozenFor = 2 * time.Second
