package main

import (
	"runtime/debug"
	"testing"
)

// TestGarbageIsCollectedSeldom in an evaluation, as before after it, and as GOGC says where it says something.
func TestGarbageIsCollectedSeldom(t *testing.T) {
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	for given, want := range map[string]int{"": garbagePercent, "80": 70} {
		t.Setenv("GOGC", given)
		before := debug.SetGCPercent(70)
		end := collectSeldom()
		during := percent()
		end()
		after := percent()
		debug.SetGCPercent(before)
		if during != want || after != 70 {
			t.Errorf("GOGC=%q: %d during, %d after, want %d and 70", given, during, after, want)
		}
	}
}
