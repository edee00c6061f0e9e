package suite

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/opledger/opledger/eval"
)

func TestASinglePartIsFoundByItsName(t *testing.T) {
	for _, name := range []string{"storm/looked/worker/freeze", "storm/proposed/server/kill", "wires", "crowd/operations", "crowd/leases"} {
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

// TestCheckersAreThoseThatThereAre holds the names to the package that judges.
func TestCheckersAreThoseThatThereAre(t *testing.T) {
	text, err := os.ReadFile("../check/check.go")
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, m := range regexp.MustCompile(`(?m)^\tchecker\w+\s+= "(\w+)"$`).FindAllStringSubmatch(string(text), -1) {
		there = append(there, m[1])
	}
	if slices.Sort(there); len(there) == 0 || !slices.Equal(there, slices.Sorted(slices.Values(allCheckers))) {
		t.Errorf("package check judges by %v, parts say %v", there, allCheckers)
	}
}

func TestAPartSaysWhoJudgedIt(t *testing.T) {
	skips := stub{name: "skips", run: func(context.Context, eval.Env) (*eval.Result, error) { return &eval.Result{Skipped: "no"}, nil }}
	breaks := stub{name: "breaks", run: func(context.Context, eval.Env) (*eval.Result, error) { return nil, errors.New("no") }}
	if r, _ := (checked{stub{name: "x"}, modelCheckers}).Run(t.Context(), eval.Env{}); len(r.Checked) != 3 {
		t.Errorf("judged by %v", r.Checked)
	}
	if r, _ := (checked{skips, modelCheckers}).Run(t.Context(), eval.Env{}); r.Checked != nil {
		t.Errorf("what did not run was judged by %v", r.Checked)
	}
	if r, err := (checked{breaks, modelCheckers}).Run(t.Context(), eval.Env{}); r != nil || err == nil {
		t.Errorf("came to %v, %v", r, err)
	}
}
