package suite

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval"
)

const receipt = `name: receipt
title: A receipt goes out once
dimension: retry_safety
use: [email.send]
steps:
  - propose: email.send
    arguments: {template: receipt, ref: order_1, to: [kim@example.com]}
    as: first
    expect: {decision: EXECUTE}
  - propose: email.send
    arguments: {template: receipt, ref: order_1, to: [kim@example.com]}
    expect: {decision: IN_FLIGHT, same_operation_as: first}
`

// folderOf is a folder with the named files.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func emailTool(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../examples/tools/email.send.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOwnScenariosRunOnOwnTools(t *testing.T) {
	beside := folderOf(t, map[string]string{"receipt.yaml": receipt, "tools.yaml": emailTool(t), "notes.txt": "no scenario"})
	apart := folderOf(t, map[string]string{"receipt.yml": receipt})
	for name, c := range map[string]struct {
		path  string
		tools []string
	}{
		"a folder with its tools": {beside, nil},
		"a file beside its tools": {filepath.Join(beside, "receipt.yaml"), nil},
		"tools of another folder": {apart, []string{folderOf(t, map[string]string{"email.yaml": emailTool(t)})}},
		"a tool's file":           {apart, []string{"../../examples/tools/email.send.yaml"}},
	} {
		found, err := readScenarios(c.path, c.tools)
		if err != nil || len(found) != 1 || found[0].Name != "receipt" || found[0].Title != "A receipt goes out once" || found[0].Dimension != eval.RetrySafety {
			t.Errorf("%s: %+v, %v", name, found, err)
			continue
		}
		r, err := found[0].Run(t.Context(), eval.Env{Engine: "sqlite", Dir: t.TempDir()})
		if err != nil || !r.Passed() || r.Skipped != "" {
			t.Errorf("%s: came to %+v, %v", name, r, err)
		}
	}
}

func TestAScenarioThatDoesNotComeTrueIsAFinding(t *testing.T) {
	wrong := strings.Replace(receipt, "IN_FLIGHT", "EXECUTE", 1)
	found, err := readScenarios(folderOf(t, map[string]string{"receipt.yaml": wrong, "tools.yaml": emailTool(t)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := found[0].Run(t.Context(), eval.Env{Engine: "sqlite", Dir: t.TempDir()})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Checker != "expect" || len(r.Findings[0].History) == 0 || !slices.Equal(r.Checked, []string{"expect"}) {
		t.Errorf("came to %+v, %v", r, err)
	}
}

func TestScenariosThatCannotBeReadSayWhere(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		tools []string
		says  []string
	}{
		"an unknown tool":  {map[string]string{"a.yaml": receipt}, nil, []string{"a.yaml", "email.send"}},
		"every file":       {map[string]string{"a.yaml": "name: 1", "b.yaml": "steps: {}"}, nil, []string{"a.yaml", "b.yaml"}},
		"tools beside it":  {map[string]string{"a.yaml": receipt, "tools.yaml": "name: [}"}, nil, []string{"tools.yaml"}},
		"tools by a flag":  {map[string]string{"a.yaml": receipt}, []string{"/nonexistent"}, []string{"/nonexistent"}},
		"more than a file": {map[string]string{"a.yaml": receipt + strings.Repeat("#", maxScenarioBytes)}, nil, []string{"a.yaml", "limit"}},
	} {
		_, err := readScenarios(folderOf(t, c.files), c.tools)
		for _, part := range c.says {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: got %v, which lacks %q", name, err, part)
			}
		}
	}
}

func TestEverySuiteHasPartsOfNamesOfTheirOwn(t *testing.T) {
	for _, s := range Shipped.Suites {
		plan, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, part := range plan.Parts() {
			if seen[part.Name()] || part.Size(eval.Env{}) < 0 {
				t.Errorf("%s: the part %s stands twice, or has no size", s.Name, part.Name())
			}
			seen[part.Name()] = true
			if only := plan.Only(part.Name()); len(only.Parts()) != 1 {
				t.Errorf("%s: the part %s cannot be chosen", s.Name, part.Name())
			}
		}
		if len(seen) == 0 || s.About == "" || len(s.LeftOut) == 0 {
			t.Errorf("%s does nothing, or does not say what it leaves out", s.Name)
		}
	}
}
