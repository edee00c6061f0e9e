package campaign

import (
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
)

func TestSlice(t *testing.T) {
	c := A(500, check.All)
	r, err := c.Run(t.Context(), eval.Env{Engine: "sqlite", Dir: t.TempDir(), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range r.Findings {
		t.Errorf("%s %s %d: %s", f.Checker, f.Dimension, f.Run, f.Message)
		if i < 3 {
			for _, s := range f.History {
				t.Log(s)
			}
		}
	}
	t.Log(r.Notes)
	for _, f := range r.Figures {
		t.Logf("%+v", f)
	}
}
