package mutants

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// FilePatch is what a patch changes in one file.
type FilePatch struct {
	Path  string // from the root of the module, with slashes
	Hunks []Hunk
}

// Hunk is one place of a change: its lines as they are before it and after it, context included.
type Hunk struct {
	Line        int // at which it begins before the change, from 1
	Old, New    []string
	description string // as the patch spells it, for errors
}

// ParsePatch reads a unified diff. Lines before the first file are a comment, and returned.
func ParsePatch(text []byte) (comment string, files []FilePatch, err error) {
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	var said []string
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "--- a/") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ b/"):
			files = append(files, FilePatch{Path: strings.TrimPrefix(lines[i+1], "+++ b/")})
			i++
		case len(files) == 0:
			said = append(said, line)
		case strings.HasPrefix(line, "@@ "):
			hunk, err := parseHunk(line)
			if err != nil {
				return "", nil, err
			}
			f := &files[len(files)-1]
			f.Hunks = append(f.Hunks, hunk)
		default:
			if err := files[len(files)-1].add(line); err != nil {
				return "", nil, err
			}
		}
	}
	if len(files) == 0 {
		return "", nil, fmt.Errorf("the patch changes no file")
	}
	return strings.Join(said, "\n"), files, nil
}

// parseHunk reads "@@ -12,7 +12,6 @@".
func parseHunk(line string) (Hunk, error) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return Hunk{}, fmt.Errorf("%q is no place of a change", line)
	}
	start, _, _ := strings.Cut(strings.TrimPrefix(fields[1], "-"), ",")
	n, err := strconv.Atoi(start)
	if err != nil {
		return Hunk{}, fmt.Errorf("%q is no place of a change: %w", line, err)
	}
	return Hunk{Line: n, description: line}, nil
}

// add adds one line to the hunk that is being read.
func (f *FilePatch) add(line string) error {
	if len(f.Hunks) == 0 {
		return fmt.Errorf("%s: %q stands before any place of a change", f.Path, line)
	}
	h := &f.Hunks[len(f.Hunks)-1]
	if line == "" {
		line = " " // editors and mailers strip the space of an empty line
	}
	switch text := line[1:]; line[0] {
	case ' ':
		h.Old, h.New = append(h.Old, text), append(h.New, text)
	case '-':
		h.Old = append(h.Old, text)
	case '+':
		h.New = append(h.New, text)
	default:
		return fmt.Errorf("%s: %q is no line of a patch", f.Path, line)
	}
	return nil
}

// Apply makes the change. A hunk applies where its lines stand word for word, at its line or at the one other place that
// has them; anything else is an error, since a mutation at another place would prove nothing.
func (f *FilePatch) Apply(source []byte) ([]byte, error) {
	lines := strings.Split(string(source), "\n")
	moved := 0
	for _, h := range f.Hunks {
		at, err := h.find(lines, h.Line-1+moved)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		changed := append([]string(nil), lines[:at]...)
		changed = append(append(changed, h.New...), lines[at+len(h.Old):]...)
		moved += len(h.New) - len(h.Old)
		lines = changed
	}
	out := []byte(strings.Join(lines, "\n"))
	if bytes.Equal(out, source) {
		return nil, fmt.Errorf("%s: the patch changes nothing", f.Path)
	}
	return out, nil
}

// find is where a hunk applies.
func (h *Hunk) find(lines []string, expected int) (int, error) {
	stands := func(at int) bool {
		if at < 0 || at+len(h.Old) > len(lines) {
			return false
		}
		for i, want := range h.Old {
			if lines[at+i] != want {
				return false
			}
		}
		return true
	}
	if stands(expected) {
		return expected, nil
	}
	found := -1
	for at := range lines {
		if !stands(at) {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("%s applies at several places", h.description)
		}
		found = at
	}
	if found < 0 {
		return 0, fmt.Errorf("%s no longer applies", h.description)
	}
	return found, nil
}
