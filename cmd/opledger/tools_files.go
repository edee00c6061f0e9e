package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// problem is a problem of a tool file as it is told.
type problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Path    string `json:"path,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
	warning bool
	text    string
}

func problemsOf(list []toolfile.Problem, warning bool) []problem {
	told := make([]problem, len(list))
	for i, p := range list {
		told[i] = problem{File: p.File, Line: p.Line, Column: p.Column, Path: p.Path, Code: string(p.Code), Message: p.Message, warning: warning, text: p.Error()}
	}
	return told
}

// readFile reads a named file, or the standard input for "-".
func readFile(cmd *cobra.Command, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(cmd.InOrStdin(), toolfile.MaxFileBytes+1))
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > toolfile.MaxFileBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes, the limit of a file that is read whole", name, toolfile.MaxFileBytes)
	}
	return os.ReadFile(name)
}

// filesIn puts the YAML files of a folder in place of the folder's name. Folders inside it are not looked into.
func filesIn(names []string) ([]string, error) {
	var files []string
	for _, name := range names {
		info, err := os.Stat(name)
		if name == "-" || err == nil && !info.IsDir() {
			files = append(files, name)
			continue
		}
		if err != nil {
			return nil, err
		}
		before := len(files)
		for _, pattern := range []string{"*.yaml", "*.yml"} {
			found, err := filepath.Glob(filepath.Join(name, pattern))
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		}
		if len(files) == before {
			return nil, fmt.Errorf("the folder %s has no file named *.yaml or *.yml", name)
		}
	}
	return files, nil
}

// readTools reads the tools of files and checks what can be checked without a server.
func readTools(cmd *cobra.Command, names []string) (tools []toolfile.Source, faults, warnings []problem, err error) {
	names, err = filesIn(names)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, name := range names {
		text, err := readFile(cmd, name)
		if err != nil {
			return nil, nil, nil, err
		}
		sources, unread := toolfile.Parse(name, text)
		faults = append(faults, problemsOf(unread, false)...)
		for _, s := range sources {
			faults = append(faults, problemsOf(s.Locate(registry.Check(s.Definition)), false)...)
			warnings = append(warnings, problemsOf(s.Locate(registry.Lint(s.Definition)), true)...)
			tools = append(tools, s)
		}
	}
	return tools, faults, warnings, nil
}

// problems writes problems as compilers do, so that editors can jump to them.
func (p *printer) problems(list []problem) {
	for _, one := range list {
		kind := "error"
		if one.warning {
			kind = "warning"
		}
		fmt.Fprintf(p, "%s: %s\n", kind, printable(one.text))
	}
}
