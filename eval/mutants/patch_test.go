package mutants_test

import (
	"strings"
	"testing"

	"github.com/opledger/opledger/eval/mutants"
)

const source = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"

const patch = `Four is forgotten.
--- a/dir/file.go
+++ b/dir/file.go
@@ -3,3 +3,2 @@
 three
-four
 five
`

func parse(t *testing.T, text string) mutants.FilePatch {
	t.Helper()
	comment, files, err := mutants.ParsePatch([]byte(text))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if comment != "Four is forgotten." || files[0].Path != "dir/file.go" {
		t.Fatalf("%q of %q", comment, files[0].Path)
	}
	return files[0]
}

// TestPatchApplies at its line, and where its lines have moved to.
func TestPatchApplies(t *testing.T) {
	for name, before := range map[string]string{"at its line": source, "further down": "zero\nand a half\n" + source} {
		f := parse(t, patch)
		got, err := f.Apply([]byte(before))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if want := strings.Replace(before, "four\n", "", 1); string(got) != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestPatchOfSeveralPlaces counts lines as the places before have moved them, also where the same lines stand twice.
func TestPatchOfSeveralPlaces(t *testing.T) {
	f := parse(t, patch+"@@ -6,2 +5,3 @@\n six\n+six and a half\n seven\n")
	got, err := f.Apply([]byte(source + source))
	if err != nil {
		t.Fatal(err)
	}
	if want := "one\ntwo\nthree\nfive\nsix\nsix and a half\nseven\n" + source; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPatchThatNoLongerApplies is an error: at another place it would prove nothing.
func TestPatchThatNoLongerApplies(t *testing.T) {
	for name, before := range map[string]string{
		"its lines are gone":                               strings.Replace(source, "four", "for", 1),
		"a line of its context is new":                     strings.Replace(source, "five", "5", 1),
		"its lines have moved and stand at several places": "zero\n" + source + source,
		"it is cut off":                                    "one\ntwo\nthree\nfour",
	} {
		f := parse(t, patch)
		if got, err := f.Apply([]byte(before)); err == nil {
			t.Errorf("%s: it made %q", name, got)
		}
	}
}

func TestPatchThatIsNone(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "a comment": "Four is forgotten.\n", "no place": "--- a/f\n+++ b/f\n x\n", "no number": "--- a/f\n+++ b/f\n@@ -x +y @@\n x\n",
		"no sign": "--- a/f\n+++ b/f\n@@ -1 +1 @@\nx\n",
	} {
		if _, files, err := mutants.ParsePatch([]byte(text)); err == nil {
			t.Errorf("%s: %+v", name, files)
		}
	}
}
