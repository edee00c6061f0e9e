package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/report"
	"github.com/opledger/opledger/eval/suite"
)

// tiny is a part that does what its test says.
type tiny struct {
	name string
	run  func(env eval.Env, r *eval.Result) error
}

func (p tiny) Name() string      { return p.name }
func (p tiny) Size(eval.Env) int { return 2 }
func (p tiny) Run(_ context.Context, env eval.Env) (*eval.Result, error) {
	r := &eval.Result{Part: p.name, Engine: env.Engine, Seed: env.Seed, Checked: []string{"effects"}}
	env.Step(2)
	if p.run == nil {
		return r, nil
	}
	return r, p.run(env, r)
}

// tinyAttack has suites of every end, and notes in what environment they ran.
func tinyAttack(seen *[]eval.Env) suite.Attack {
	notes := func(env eval.Env, _ *eval.Result) error { *seen = append(*seen, env); return nil }
	finds := func(_ eval.Env, r *eval.Result) error {
		r.Findings = []eval.Finding{{Checker: "effects", Dimension: eval.RetrySafety, Part: r.Part, Message: "2 effects where 1 was wanted", Replay: "opledger eval --suite a --run 5"}}
		return nil
	}
	breaks := func(eval.Env, *eval.Result) error { return errors.New("the database does not answer") }
	skips := func(_ eval.Env, r *eval.Result) error { r.Skipped = "it needs a server of its own"; return nil }
	one := func(name string, drawn bool, run func(eval.Env, *eval.Result) error) suite.Suite {
		return suite.Suite{Name: name, About: "Does " + name + ".", LeftOut: []string{"Storms were not tried."}, Plan: func() (suite.Plan, error) {
			return suite.Plan{{Parts: []eval.Part{tiny{"part/" + name, run}}, Drawn: drawn}}, nil
		}}
	}
	scenario := func(name string) suite.Scenario {
		return suite.Scenario{Part: tiny{"script/" + name, notes}, Name: name, Title: "What happened to " + name, Dimension: eval.ReplaySafety}
	}
	return suite.Attack{
		Suites:  []suite.Suite{one("standard", false, notes), one("a", true, notes), one("finds", false, finds), one("breaks", false, breaks), one("skips", false, skips)},
		Shipped: func() ([]suite.Scenario, error) { return []suite.Scenario{scenario("fc-101"), scenario("fc-102")}, nil },
		Single:  func(name string) (eval.Part, bool) { return scenario(name).Part, strings.HasPrefix(name, "storm/") },
		Read: func(path string, tools []string) ([]suite.Scenario, error) {
			return []suite.Scenario{scenario("own-" + strings.Join(tools, "-"))}, nil
		},
	}
}

// evaluate runs "opledger eval" on the tiny suites.
func evaluate(t *testing.T, seen *[]eval.Env, args ...string) result {
	t.Helper()
	root := newRoot()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "eval" {
			root.RemoveCommand(cmd)
		}
	}
	root.AddCommand(in(groupStart, newEval(tinyAttack(seen))))
	var out, failed bytes.Buffer
	status := execute(t.Context(), root, args, streams{in: strings.NewReader(""), out: &out, err: &failed})
	return result{status, out.String(), failed.String()}
}

func TestEvalEndsWithWhatItCameTo(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		says   string
	}{
		"standard": {exitOK, "Nothing was found"},
		"finds":    {exitFailed, "again: opledger eval --suite a --run 5 --seed 7 --engine sqlite\n"},
		"breaks":   {exitNotDone, "the database does not answer"},
		"skips":    {exitNotDone, "it needs a server of its own"},
	} {
		got := evaluate(t, new([]eval.Env), "eval", "--suite", name, "--seed", "7")
		if got.status != c.status {
			t.Errorf("%s: status %d, want %d; said %s", name, got.status, c.status, got.err)
		}
		has(t, name, got.out, c.says, "Storms were not tried.", "PostgreSQL and CockroachDB were not tried")
		if strings.Contains(got.err, "said") {
			t.Errorf("%s: said %s", name, got.err)
		}
	}
}

func TestEvalWritesEveryForm(t *testing.T) {
	dir := t.TempDir()
	junit, page := filepath.Join(dir, "report.xml"), filepath.Join(dir, "report.html")
	got := evaluate(t, new([]eval.Env), "eval", "--suite", "finds", "--json", "--seed", "18446744073709551615", "--junit", junit, "--html", page)
	var r report.Report
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatalf("%v in %s", err, got.out)
	}
	if r.Verdict != report.Found || r.Seed != 1<<64-1 || r.Command != "opledger eval --suite finds --engine sqlite --seed 18446744073709551615" || r.Version == "" {
		t.Errorf("got %+v", r.About)
	}
	text, err := os.ReadFile(junit)
	if err != nil || xml.Unmarshal(text, new(struct{})) != nil {
		t.Errorf("%v, JUnit %s", err, text)
	}
	has(t, "JUnit", string(text), `failures="1"`)
	text, err = os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	has(t, "page", string(text), "2 effects where 1 was wanted")
}

func TestEvalGivesPartsWhatTheFlagsSay(t *testing.T) {
	var seen []eval.Env
	keep := filepath.Join(t.TempDir(), "kept")
	got := evaluate(t, &seen, "eval", "--suite", "a", "--engine", "postgresql", "--database-url", "postgres://ann:secret@db/x", "--seed", "7", "--run", "88", "--keep", keep)
	if got.status != exitOK || len(seen) != 1 {
		t.Fatalf("got %+v", got)
	}
	e := seen[0]
	if e.Engine != "postgresql" || e.DatabaseURL != "postgres://ann:secret@db/x" || e.Seed != 7 || e.Only != 88 || e.Binary == "" || !strings.HasPrefix(e.Dir, keep) {
		t.Errorf("ran in %+v", e)
	}
	if _, err := os.Stat(e.Dir); err != nil {
		t.Errorf("what was to be kept is gone: %v", err)
	}
	has(t, "text", got.out, `--suite a --engine postgresql --database-url "$DATABASE_URL" --seed 7 --run 88`, "Nothing but a single run was tried.")
	if strings.Contains(got.out+got.err, "secret") {
		t.Error("the database's password is told")
	}
}

func TestEvalDrawsASeedAndPrintsIt(t *testing.T) {
	var seen []eval.Env
	one, two := evaluate(t, &seen, "eval"), evaluate(t, &seen, "eval")
	if len(seen) != 2 || seen[0].Seed == seen[1].Seed {
		t.Fatalf("drew %+v", seen)
	}
	has(t, "the first", one.out, "--seed ")
	has(t, "the first's errors", one.err, "suite standard, seed ")
	if _, err := os.Stat(seen[0].Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
	if one.out == two.out {
		t.Error("both say the same seed")
	}
}

func TestEvalOfScenarios(t *testing.T) {
	var seen []eval.Env
	own := filepath.Join(t.TempDir(), "it's mine.yaml")
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := evaluate(t, &seen, "eval", "--scenario", "fc-102", "--scenario", own, "--tools", "t.yaml")
	if got.status != exitOK || len(seen) != 2 {
		t.Fatalf("got %+v", got)
	}
	has(t, "text", got.out, "script/fc-102", "script/own-t.yaml", `it'\''s mine.yaml'`)
	if got := evaluate(t, &seen, "eval", "--scenario", "storm/a/b"); got.status != exitOK || !strings.Contains(got.out, "script/storm/a/b") {
		t.Errorf("a round of a storm: got %+v", got)
	}
}

func TestAFindingOfAScenarioNamesTheScenario(t *testing.T) {
	f := &evalFlags{seed: 4, engine: "postgresql", databaseURL: "postgres://ann:secret@db/x", tools: []string{"my tools"}}
	found := func(part, replay string) *eval.Result {
		return &eval.Result{Part: part, Findings: []eval.Finding{{Replay: replay}}}
	}
	results := []*eval.Result{found("script/fc-101", ""), found("script/own", "x"), found("campaign/a", "opledger eval --suite a --run 5"), found("storm", "")}
	f.tellReplays(results, map[string]string{"script/own": "./own.yaml"})
	for i, want := range []string{
		`opledger eval --scenario fc-101 --seed 4 --engine postgresql --database-url "$DATABASE_URL"`,
		`opledger eval --scenario ./own.yaml --tools 'my tools' --seed 4 --engine postgresql --database-url "$DATABASE_URL"`,
		`opledger eval --suite a --run 5 --seed 4 --engine postgresql --database-url "$DATABASE_URL"`,
		"",
	} {
		if got := results[i].Findings[0].Replay; got != want {
			t.Errorf("%s: got %s", results[i].Part, got)
		}
	}
}

func TestAPartAlone(t *testing.T) {
	var seen []eval.Env
	got := evaluate(t, &seen, "eval", "--suite", "a", "--part", "part/a", "--run", "9")
	if got.status != exitOK || len(seen) != 1 || seen[0].Only != 9 {
		t.Errorf("got %+v, ran in %+v", got, seen)
	}
	has(t, "completion", evaluate(t, &seen, "__complete", "eval", "--suite", "a", "--part", "p").out, "part/a")
}

func TestEvalRefusesWhatCannotBeMeant(t *testing.T) {
	for says, args := range map[string][]string{
		"none of standard":                 {"--suite", "b"},
		"neither sqlite nor":               {"--engine", "mysql"},
		"needs --database-url postgres://": {"--engine", "postgresql"},
		"is for --engine postgresql":       {"--database-url", "postgres://h/d"},
		"stands alone":                     {"--scenario", "fc-101", "--runs", "5"},
		"scenarios of your own":            {"--tools", "x.yaml"},
		"\"opledger eval list\" names":     {"--scenario", "fc-999"},
		"no such file":                     {"--scenario", "./fc-999.yaml"},
		"is chosen by":                     {"--scenario", "fc-101", "--scenario", "fc-101"},
		"choose one, such as by --suite a": {"--run", "5"},
		"is no part of the suite standard": {"--part", "part/a"},
		"no --runs and --for":              {"--suite", "a", "--run", "5", "--for", "1m"},
		"--runs has to be between":         {"--runs", "-1"},
		"--for has to be between":          {"--for", "-1s"},
		"unknown flag":                     {"--seeds", "5"},
		"nonexistent":                      {"--junit", "/nonexistent/report.xml"},
		"not a directory":                  {"--keep", "eval.go"},
	} {
		if got := evaluate(t, new([]eval.Env), append([]string{"eval"}, args...)...); got.status != exitNotDone || !strings.Contains(got.err, says) {
			t.Errorf("%v: status %d, said %s", args, got.status, got.err)
		}
	}
}

func TestEvalListAndCompletion(t *testing.T) {
	seen := new([]eval.Env)
	has(t, "list", evaluate(t, seen, "eval", "list").out, "standard", "Does finds.", "fc-101", "What happened to fc-102", "replay_safety")
	var choice evalChoice
	if err := json.Unmarshal([]byte(evaluate(t, seen, "eval", "list", "--json").out), &choice); err != nil {
		t.Fatal(err)
	}
	if len(choice.Suites) != 5 || !slices.Equal(choice.Suites[0].Parts, []string{"part/standard"}) || len(choice.Scenarios) != 2 {
		t.Errorf("got %+v", choice)
	}
	has(t, "suites", evaluate(t, seen, "__complete", "eval", "--suite", "s").out, "standard", "skips")
	has(t, "scenarios", evaluate(t, seen, "__complete", "eval", "--scenario", "fc-1").out, "fc-101\tWhat happened to fc-101")
}

func TestAnEvaluationThatIsStoppedTellsWhatItFound(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stops := tiny{"first", func(_ eval.Env, r *eval.Result) error { cancel(); r.Notes = []string{"until here"}; return nil }}
	attack := suite.Attack{
		Suites: []suite.Suite{{Name: "standard", About: "Stops.", Plan: func() (suite.Plan, error) {
			return suite.Plan{{Parts: []eval.Part{stops, tiny{name: "second"}}}}, nil
		}}},
		Shipped: func() ([]suite.Scenario, error) { return nil, nil },
	}
	var out, failed bytes.Buffer
	cmd := newEval(attack)
	status := execute(ctx, cmd, nil, streams{in: strings.NewReader(""), out: &out, err: &failed})
	if status != exitNotDone {
		t.Errorf("status %d", status)
	}
	has(t, "text", out.String(), "until here", "second could not be done: stopped", "NOT DONE")
}

// TestEvalForReal evaluates with what the program ships: a scenario by its name, and one of a user with the user's tools.
func TestEvalForReal(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(own, []byte("name: own\ntitle: One receipt\ndimension: retry_safety\nuse: [email.send]\nsteps:\n"+
		"  - propose: email.send\n    arguments: {template: receipt, ref: order_1, to: [kim@example.com]}\n    expect: {decision: DENIED}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := do(t, "eval", "--scenario", "fc-101", "--seed", "1")
	if got.status != exitOK {
		t.Errorf("got %+v", got)
	}
	has(t, "text", got.out, "script/fc-101  passed", "opledger eval --scenario fc-101 --engine sqlite --seed 1")
	got = do(t, "eval", "--scenario", own, "--tools", tool("email.send"), "--seed", "1")
	if got.status != exitFailed {
		t.Errorf("got %+v", got)
	}
	has(t, "text", got.out, "own.yaml:6", "EXECUTE", "again: opledger eval --scenario "+own+" --tools "+tool("email.send")+" --seed 1 --engine sqlite")
	if got := do(t, "eval", "--scenario", own); got.status != exitNotDone || !strings.Contains(got.err, "email.send") {
		t.Errorf("without its tools: got %+v", got)
	}
	if got := do(t, "eval", "--suite", "model", "--server", "127.0.0.1:1"); got.status != exitNotDone || !strings.Contains(got.out, "nothing has been shown") {
		t.Errorf("of a server that no part asks: got %+v", got)
	}
	has(t, "list", do(t, "eval", "list").out, "standard", "full", "storm", "fc-101")
}
