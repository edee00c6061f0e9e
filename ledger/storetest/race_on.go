//go:build race

package storetest

// underRace: the race detector watches, and makes an engine inside the process many times slower.
const underRace = true
