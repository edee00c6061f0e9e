//go:build !race

package storetest

// underRace: the race detector does not watch.
const underRace = false
