package mutants_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval/mutants"
)

// rulesOfTheModel are those of the executable model of the core: each has a mutant.
var rulesOfTheModel = []string{
	"two_permits", "permit_handed_out_again", "expiry_is_not_sent", "unbegun_without_requirement", "begin_after_deadline",
	"begin_without_nonce", "any_copy_speaks", "retry_on_ambiguous", "second_report_overrides", "outer_report_ends_sending",
	"stale_report_moves", "attempt_speaks_for_operation", "late_success_unheeded", "not_found_at_once", "delay_from_dispatch",
	"lookup_counted_from_its_answer", "lookup_without_stamp", "absence_clears_silent", "absence_clears_acknowledged",
	"resend_without_key", "fresh_vendor_key", "retention_from_last_moment", "retention_without_flight", "duration_from_receipt",
}

// fewest is how many mutants have to be caught at least.
const fewest = 40

func manifest(t *testing.T) []mutants.Mutant {
	t.Helper()
	all, err := mutants.ReadManifest("mutants.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestManifest: every patch has an entry, every entry a patch and a scenario, and no rule of the model is left out.
func TestManifest(t *testing.T) {
	all := manifest(t)
	if len(all) < fewest {
		t.Errorf("there are %d mutants, at least %d are wanted", len(all), fewest)
	}
	names := []string{mutants.AssertionsOff}
	models := map[string]bool{}
	for _, m := range all {
		names = append(names, m.Name)
		models[m.Model] = true
		if file := m.File("."); file != "" {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
	for _, rule := range rulesOfTheModel {
		if !models[rule] {
			t.Errorf("the rule %s of the model has no mutant", rule)
		}
	}
	patches, err := filepath.Glob("*.patch")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range patches {
		if !slices.Contains(names, strings.TrimSuffix(p, ".patch")) {
			t.Errorf("%s has no entry in the manifest", p)
		}
	}
}

// TestPatchesApply to the tree as it is, beside the one that takes the assertions out. Whether a mutant is caught is what
// scripts/mutants finds out.
func TestPatchesApply(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	b := mutants.Builder{Root: root, Patches: ".", Dir: t.TempDir()}
	for _, m := range manifest(t) {
		if _, err := b.Overlay(m.Name, mutants.AssertionsOff, m.Name); err != nil {
			t.Error(err)
		}
		text, err := os.ReadFile(m.Name + ".patch")
		if err != nil {
			t.Error(err)
			continue
		}
		if comment, _, err := mutants.ParsePatch(text); err != nil || comment != m.Rule {
			t.Errorf("%s: the patch says %q, the manifest %q (%v)", m.Name, comment, m.Rule, err)
		}
	}
}

func TestManifestIsHeldToItself(t *testing.T) {
	good := "mutants:\n  - {name: 01-a, rule: A rule., scenario: a.yaml, checker: effects}\n"
	for name, text := range map[string]string{
		"an unknown word":       good + "    why: not\n",
		"the same name twice":   good + "  - {name: 01-a, rule: A rule., scenario: a.yaml, checker: effects}\n",
		"a path for a name":     strings.Replace(good, "01-a", "../01-a", 1),
		"no rule":               strings.Replace(good, "A rule.", `""`, 1),
		"no scenario":           strings.Replace(good, "a.yaml", `""`, 1),
		"what a file expects":   strings.Replace(good, "effects", "expect", 1),
		"an engine of its own":  strings.Replace(good, "checker", "engine: oracle, checker", 1),
		"a checker of its own":  strings.Replace(good, "effects", "luck", 1),
		"something else's list": "scenarios: []\n",
	} {
		file := filepath.Join(t.TempDir(), "mutants.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if all, err := mutants.ReadManifest(file); err == nil {
			t.Errorf("%s: %+v", name, all)
		}
	}
}
