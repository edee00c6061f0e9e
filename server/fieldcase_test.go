package server_test

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/server/servertest"
)

// fieldCase is one case of what went wrong for others, with its right outcome here. Effects are counted at the provider,
// which is the test: it makes one for each permit that it acts on.
type fieldCase struct {
	name string
	test func(t *testing.T, w *servertest.World)
}

// fieldCases are this release's, in order; those of one kind share a file. What needs workers, approvals, guards, leases
// or workflows is left to the releases that bring them, and each case says what it leaves.
var fieldCases = slices.Concat(agentCases, effectCases, identityCases, storeCases, engineCases, databaseCases, inboundCases)

// TestFieldCase runs every case on every engine.
func TestFieldCase(t *testing.T) {
	for _, c := range fieldCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // most of a case is waiting for disks
			servertest.On(t, c.test)
		})
	}
}

//go:embed testdata/field_cases.txt
var namedCases string

// TestFieldCasesAreComplete holds the cases against the list that this release has to have.
func TestFieldCasesAreComplete(t *testing.T) {
	var have []string
	for _, c := range fieldCases {
		have = append(have, c.name)
	}
	slices.Sort(have)
	if want := strings.Fields(namedCases); !slices.Equal(have, want) {
		t.Fatalf("the cases are\n%q, want\n%q", have, want)
	}
}
