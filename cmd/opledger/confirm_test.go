package main

import (
	"bytes"
	"strings"
	"testing"
)

// person answers at a terminal.
type person struct{ *strings.Reader }

func (person) IsTerminal() bool { return true }

// asPerson runs a command line at whose terminal a person answers.
func asPerson(t *testing.T, says string, args ...string) result {
	t.Helper()
	var out, failed bytes.Buffer
	status := run(t.Context(), args, streams{in: person{strings.NewReader(says)}, out: &out, err: &failed})
	return result{status, out.String(), failed.String()}
}

func TestWhereNobodyCanBeAskedNothingIsDecided(t *testing.T) {
	c := answering(t, nil)
	for _, args := range [][]string{
		{"approvals", "approve", "apr_1"},
		{"approvals", "deny", "apr_1"},
		{"leases", "break", "order/1", "--reason", "x"},
		{"policy", "lift", "order/1", "--group", "g", "--operation", "op_1", "--reason", "x"},
	} {
		got := c.at(t, "y\n", args...) // a pipe is nobody
		if got.status != exitUsage || !strings.Contains(got.err, "--yes") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if len(c.asked) != 0 {
		t.Errorf("asked %v", c.asked)
	}
}
