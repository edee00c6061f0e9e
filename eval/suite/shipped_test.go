package suite

import (
	"testing"

	"github.com/opledger/opledger/eval"
)

func TestASingleRoundOfAStormIsFoundByItsName(t *testing.T) {
	for _, name := range []string{"storm/looked/worker/freeze", "storm/proposed/server/kill", "wires"} {
		if part, found := single(name); !found || part.Size(eval.Env{}) < 1 {
			t.Errorf("%s: found %v", name, found)
		}
	}
	for _, name := range []string{"storm", "storm/", "storm/looked/worker", "fc-101", ""} {
		if _, found := single(name); found {
			t.Errorf("%q is a part", name)
		}
	}
}

func TestWhatNeedsNoServerSaysNothingOfAGivenOne(t *testing.T) {
	r, err := apart{stub{name: "model"}}.Run(t.Context(), eval.Env{Server: "127.0.0.1:1"})
	if err != nil || r.Skipped == "" {
		t.Errorf("came to %+v, %v", r, err)
	}
	if r, err := (apart{stub{name: "model"}}).Run(t.Context(), eval.Env{}); err != nil || r.Skipped != "" {
		t.Errorf("came to %+v, %v", r, err)
	}
}
