package smallworld

import (
	"testing"

	"github.com/opledger/opledger/eval"
)

// TestEveryPromiseHolds searches every world with the real core and expects no broken promise.
func TestEveryPromiseHolds(t *testing.T) {
	p := Part(0)
	if testing.Short() {
		p = Part(6)
	}
	result, err := p.Run(t.Context(), eval.Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range result.Notes {
		t.Log(note)
	}
	for _, f := range result.Findings {
		t.Errorf("%s\n\t%v", f.Message, f.History)
	}
}
