package mutants

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Builder makes programs with patches applied, without touching the tree.
type Builder struct {
	Root    string // of the module
	Patches string // the folder of the patches
	Dir     string // for copies, overlays and programs
}

// AssertionsOff is the patch that every program of a trial has: no mutant is to be caught by the core's own assertions.
const AssertionsOff = "assertions-off"

// Overlay applies patches, one after the other, to copies of the files that they change, and writes the file that
// "go build -overlay" takes.
func (b *Builder) Overlay(name string, patches ...string) (string, error) {
	sources := map[string][]byte{}
	for _, patch := range patches {
		text, err := os.ReadFile(filepath.Join(b.Patches, patch+".patch"))
		if err != nil {
			return "", err
		}
		_, files, err := ParsePatch(text)
		if err != nil {
			return "", fmt.Errorf("%s: %w", patch, err)
		}
		for _, f := range files {
			source, changed := sources[f.Path]
			if !changed {
				if source, err = os.ReadFile(filepath.Join(b.Root, filepath.FromSlash(f.Path))); err != nil {
					return "", fmt.Errorf("%s: %w", patch, err)
				}
			}
			if sources[f.Path], err = f.Apply(source); err != nil {
				return "", fmt.Errorf("%s: %w", patch, err)
			}
		}
	}
	return b.write(name, sources)
}

// write writes the changed files and the overlay that puts them in the place of the tree's.
func (b *Builder) write(name string, sources map[string][]byte) (string, error) {
	replace := map[string]string{}
	for path, source := range sources {
		file := filepath.Join(b.Dir, name, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, source, 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(b.Root, filepath.FromSlash(path))] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(b.Dir, name, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o644)
}

// quickly compiles the module's own packages without optimizing them: a mutant is compiled once and runs for some seconds.
const quickly = "-gcflags=./...=-N -l"

// Build makes the program with patches applied, and answers where it is. One that is to search for long is optimized.
func (b *Builder) Build(ctx context.Context, name string, optimized bool, patches ...string) (string, error) {
	overlay, err := b.Overlay(name, patches...)
	if err != nil {
		return "", err
	}
	program := filepath.Join(b.Dir, name, "opledger")
	// Without symbols the linker is half as long about it.
	args := []string{"build", "-overlay", overlay, "-ldflags", "-s -w", "-o", program}
	if !optimized {
		args = append(args, quickly)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./cmd/opledger")...)
	cmd.Dir = b.Root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not build: %w\n%s", err, out)
	}
	return program, nil
}
