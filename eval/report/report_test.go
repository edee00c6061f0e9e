package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

var update = flag.Bool("update", false, "write the golden files")

// nasty is a business key as nobody wants it: markup, an escape sequence, a broken line, a changed direction of writing.
const nasty = "order_\"'<script>alert(1)</script>\x1b[2J\nnext\u202e]]>"

func about() About {
	return About{
		Suite: "standard", Version: "v1.2.3", Engine: "sqlite", Seed: 1<<63 + 5, Started: time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC), TookMS: 93_400,
		Command: "opledger eval --suite standard --engine sqlite --seed 9223372036854775813", LeftOut: []string{"Storms of real processes: --suite full has them."},
	}
}

func arm(a eval.Arm, duplicates, lost int) eval.Figures {
	return eval.Figures{Arm: a, Runs: 2000, Wanted: 2100, Effects: 2100 + duplicates - lost, Duplicates: duplicates, Lost: lost, Repetitions: 100, Proposals: 4000,
		ByClass: []eval.ClassFigures{
			{Class: registry.ExternalIdempotentWrite, Runs: 1000, Wanted: 1000, Effects: 1000 + duplicates, Duplicates: duplicates},
			{Class: registry.Irreversible, Runs: 1000, Wanted: 1100, Effects: 1100 - lost, Lost: lost},
		}}
}

func campaign() *eval.Result {
	ledger := arm(eval.Opledger, 1, 0)
	ledger.NeedsHuman, ledger.NeedsHumanBudget, ledger.Ambiguous, ledger.ResolvedAlone, ledger.Reconciled = 12, 40, 800, 788, 788
	ledger.ReconcileMean, ledger.ReconcileP99 = 95*time.Second, 31*time.Minute
	ledger.Contended, ledger.Incidents, ledger.AddedMean, ledger.AddedP99, ledger.AddedRows, ledger.AddedBytes = 80, 1, 1840*time.Microsecond, 9*time.Millisecond, 7.4, 5312
	return &eval.Result{
		Part: "campaign/a", Engine: "sqlite", Seed: 7, TookMS: 61_000, Checked: []string{"effects", "ends"}, DrawnMinimum: 100,
		Figures: []eval.Figures{arm(eval.Naive, 214, 9), arm(eval.VendorKeys, 61, 3), ledger},
		Drawn: map[string]map[eval.Fault]int{
			string(registry.Irreversible):            {eval.NoFault: 300, eval.TimeoutAfterCommit: 1100},
			string(registry.ExternalIdempotentWrite): {eval.NoFault: 250, eval.KeyForgotten: 99},
		},
		Findings: []eval.Finding{{
			Checker: "effects", Dimension: eval.RetrySafety, Part: "campaign/a", Run: 88123, Key: nasty, Message: "2 effects where 1 was wanted, of " + nasty,
			History: []string{"agent proposes", "provider commits and the answer is lost", "agent proposes " + nasty},
			Replay:  "opledger eval --suite a --engine sqlite --seed 7 --run 88123",
		}},
	}
}

func full() *Report {
	results := []*eval.Result{campaign()}
	for i := range 6 {
		results = append(results, &eval.Result{Part: fmt.Sprintf("script/case-%d", i+1), TookMS: 20, Checked: []string{"expect"}})
	}
	claims := eval.Finding{Checker: "expect", Dimension: eval.WhatIsTold, Part: results[3].Part, Message: "the answer says \"done\" of what is not known", History: []string{"the user asks"}}
	again := claims
	again.Message = "and so does the next one"
	results[3].Findings = []eval.Finding{claims, again}
	results = append(results, &eval.Result{Part: "storm", Skipped: "it needs processes of its own, and a server was given"},
		&eval.Result{Part: "smallworld", TookMS: 4000, Notes: []string{"412,331 states explored, depth 14"}})
	return New(about(), results, []Broken{{"world", "the database does not answer"}})
}

// golden compares a text with a file that a person has read.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	have := strings.Split(text, "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(have) || have[i] != line {
			t.Fatalf("%s, line %d: want %q; have\n%s", path, i+1, line, text)
		}
	}
	if len(text) != len(want) {
		t.Errorf("%s: there is more than it says", path)
	}
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	text := written(t, full().WriteText)
	golden(t, "report.txt", text)
	if strings.ContainsAny(text, "\x1b\u202e\r") {
		t.Error("a business key moves the cursor")
	}
	golden(t, "passed.txt", written(t, New(about(), []*eval.Result{{Part: "smallworld", TookMS: 12}}, nil).WriteText))
}

func TestJUnit(t *testing.T) {
	text := written(t, full().WriteJUnit)
	golden(t, "report.xml", text)
	var back junitSuites
	if err := xml.Unmarshal([]byte(text), &back); err != nil {
		t.Fatal(err)
	}
	if back.Tests != 11 || back.Failures != 2 || back.Errors != 1 || back.Skipped != 1 {
		t.Errorf("it counts %d tests, %d failures, %d errors, %d skipped", back.Tests, back.Failures, back.Errors, back.Skipped)
	}
}

func TestJSONComesBackAsItWas(t *testing.T) {
	r := full()
	var back Report
	if err := json.Unmarshal([]byte(written(t, r.WriteJSON)), &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&back, r) {
		t.Errorf("went\n%+v\ncame back\n%+v", r, &back)
	}
	naive, ledger := r.Figures[0].Values, r.Figures[2].Values
	if naive["duplicates_per_10000"] != 1070 || ledger["duplicates_per_10000"] != 5 || ledger["resolved_alone_share"] != 0.985 {
		t.Errorf("figures are %v and %v", naive, ledger)
	}
	if _, known := naive["resolved_alone_share"]; known {
		t.Error("none of no unknown outcomes is told as a share")
	}
}

func TestVerdict(t *testing.T) {
	passed, found := &eval.Result{Part: "a"}, &eval.Result{Part: "b", Findings: []eval.Finding{{Checker: "effects"}}}
	skipped := &eval.Result{Part: "c", Skipped: "no"}
	broken := []Broken{{"d", "no"}}
	for name, c := range map[string]struct {
		results []*eval.Result
		broken  []Broken
		want    Verdict
	}{
		"all passed":             {[]*eval.Result{passed, skipped}, nil, Passed},
		"found":                  {[]*eval.Result{passed, found}, nil, Found},
		"found, and one broken":  {[]*eval.Result{found}, broken, Found},
		"one broken":             {[]*eval.Result{passed}, broken, NotDone},
		"all skipped":            {[]*eval.Result{skipped}, nil, NotDone},
		"nothing that could run": {nil, nil, NotDone},
	} {
		if got := New(about(), c.results, c.broken).Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAPartThatBrokeHasNotPassed(t *testing.T) {
	r := New(about(), []*eval.Result{{Part: "campaign/a"}, {Part: "b"}}, []Broken{{"campaign/a", "the disk is full"}})
	if got := r.tally(); got != (tally{Passed: 1, Broken: 1}) {
		t.Errorf("counts %+v", got)
	}
}

func TestAFindingWithoutACommandGetsThatOfTheWhole(t *testing.T) {
	given := &eval.Result{Part: "b", Findings: []eval.Finding{{Checker: "effects"}}}
	if got := New(about(), []*eval.Result{given}, nil).Findings()[0].Replay; got != about().Command {
		t.Errorf("got %q", got)
	}
	if given.Findings[0].Replay != "" {
		t.Error("the part's own result was changed")
	}
}
