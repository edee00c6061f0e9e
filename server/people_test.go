package server_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/opledger/opledger/callers"
)

// people are callers with tokens, as a server knows them from its file.
type people struct {
	*callers.File
	tokens map[string]string
}

// newPeople makes a token for each line "namespace principal roles [person]".
func newPeople(t *testing.T, lines ...string) *people {
	t.Helper()
	p := &people{tokens: map[string]string{}}
	var file strings.Builder
	for _, line := range lines {
		words := strings.Fields(line)
		token, err := callers.NewToken(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		p.tokens[words[1]] = token
		fmt.Fprintf(&file, "%s namespace=%s principal=%s roles=%s", callers.HashToken(token), words[0], words[1], words[2])
		if len(words) > 3 {
			fmt.Fprintf(&file, " person=%s", words[3])
		}
		file.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	opened, err := callers.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p.File = opened
	return p
}

// token is a principal's token.
func (p *people) token(principal string) string { return p.tokens[principal] }
