package toolfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// FuzzParse: no file ends in a panic, and a tool that is accepted can be compiled, printed and read again as the same.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../examples/tools/*.yaml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(least))
	f.Fuzz(func(t *testing.T, text []byte) {
		sources, _ := toolfile.Parse("tool.yaml", text)
		for _, s := range sources {
			problems, _ := s.Check(registry.Capabilities{})
			if len(problems) > 0 {
				continue
			}
			if _, err := registry.Compile(s.Definition); err != nil {
				t.Fatalf("accepted, and yet it does not compile: %v", err)
			}
			digest, err := toolfile.Digest(s.Proto)
			if err != nil {
				t.Fatal(err)
			}
			printed, err := toolfile.Marshal(s.Proto)
			if err != nil {
				t.Fatal(err)
			}
			again, found := toolfile.Parse("tool.yaml", printed)
			if len(again) != 1 {
				t.Fatalf("printed, it cannot be read: %v\n%s", found, printed)
			}
			if second, _ := toolfile.Digest(again[0].Proto); second != digest {
				t.Fatalf("printed, it is another tool:\n%s", printed)
			}
		}
	})
}
