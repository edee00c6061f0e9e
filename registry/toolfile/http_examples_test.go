package toolfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// TestHTTPExamplesAreAccepted: a server of this release takes every tool that it is to carry out itself, and none has a
// warning, but for finds that their provider's object says nothing more of.
func TestHTTPExamplesAreAccepted(t *testing.T) {
	files, err := filepath.Glob("../../examples/tools/http/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %q", err, files)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources, problems := toolfile.Parse(file, text)
		for _, s := range sources {
			if want := s.Definition.Name + ".yaml"; filepath.Base(file) != want {
				t.Errorf("%s holds %s", file, s.Definition.Name)
			}
			refused, warnings := s.Check(registry.ThisRelease())
			problems = append(append(problems, refused...), warnings...)
		}
		for _, p := range problems {
			t.Error(p)
		}
	}
}
