//go:build race

package ledger_test

// raced is true under the race detector, which makes a search ten times slower and has nothing to find in it: each world
// is searched by one goroutine.
const raced = true
