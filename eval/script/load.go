package script

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/world"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/registry/toolfile"
)

// sharedTools is the file of tools that scenarios of one folder may use.
const sharedTools = "tools.yaml"

// Load reads every scenario of a folder, in the order of their names. The file tools.yaml holds tools that they share; it
// need not be there. The error joins what is wrong with each file.
func Load(fsys fs.FS) ([]*Scenario, error) {
	shared, err := loadTools(fsys)
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	var all []*Scenario
	var faults []error
	names := map[string]string{}
	for _, file := range files {
		if file == sharedTools {
			continue
		}
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		s, err := Parse(file, text, shared)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if other := names[s.Name]; other != "" {
			faults = append(faults, fmt.Errorf("%s: %s is the name of %s already", file, s.Name, other))
		}
		names[s.Name] = file
		all = append(all, s)
	}
	return all, errors.Join(faults...)
}

func loadTools(fsys fs.FS) (map[string]*pb.ToolDefinition, error) {
	tools := map[string]*pb.ToolDefinition{}
	text, err := fs.ReadFile(fsys, sharedTools)
	if errors.Is(err, fs.ErrNotExist) {
		return tools, nil
	} else if err != nil {
		return nil, err
	}
	sources, problems := toolfile.Parse(sharedTools, text)
	for _, s := range sources {
		tools[s.Proto.GetName()] = s.Proto
	}
	var faults []error
	for _, p := range problems {
		faults = append(faults, p)
	}
	return tools, errors.Join(faults...)
}

// goodName is what selects a scenario and stands in its part's name.
var goodName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// Parse reads one scenario. Every fault of it is found here and names its line; nothing runs.
func Parse(file string, text []byte, shared map[string]*pb.ToolDefinition) (*Scenario, error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	var document, more yaml.Node
	if err := d.Decode(&document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if d.Decode(&more) != io.EOF {
		return nil, fmt.Errorf("%s: a file holds one scenario", file)
	}
	s := &Scenario{File: path.Base(file), Engines: []string{world.SQLite, world.PostgreSQL}, known: map[string]*pb.ToolDefinition{}}
	for name, tool := range shared {
		s.known[name] = tool
	}
	root := document.Content[0]
	if err := tidy(root, 0); err != nil {
		return nil, in(file, err)
	}
	if err := s.read(root); err != nil {
		return nil, in(file, err)
	}
	if !goodName.MatchString(s.Name) || s.Title == "" || len(s.Steps) == 0 {
		return nil, &Fault{file, root.Line, "a scenario has a name of lower-case letters, digits and dashes, a title, and steps"}
	}
	return s, nil
}

func (s *Scenario) read(root *yaml.Node) error {
	if err := mapping(root); err != nil {
		return err
	}
	var steps *yaml.Node
	readers := map[string]func(*yaml.Node) error{
		"name": into(&s.Name), "title": into(&s.Title), "source": into(&s.Source),
		"dimension": s.readDimension, "engines": s.readEngines, "use": s.readUse, "tools": s.readTools,
		"callers": s.readCallers, "webhooks": s.readWebhooks, "wanted": s.readWanted,
		"steps":   func(n *yaml.Node) error { steps = n; return nil },
		"finally": func(n *yaml.Node) error { s.finally = n; return nil },
	}
	for k, v := range pairs(root) {
		read := readers[k.Value]
		if read == nil {
			return unknown(k, "part of a scenario", keysOf(readers))
		}
		if err := read(v); err != nil {
			return err
		}
	}
	if s.Dimension == "" || steps == nil {
		return at(root, "a scenario has a dimension and steps")
	}
	return s.readSteps(steps)
}

func into(where *string) func(*yaml.Node) error {
	return func(node *yaml.Node) (err error) {
		*where, err = text(node)
		return err
	}
}

func keysOf[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}

func (s *Scenario) readDimension(node *yaml.Node) error {
	dimensions := []string{
		string(eval.IntentToOperation), string(eval.RetrySafety), string(eval.ReplaySafety), string(eval.ConcurrencySafety),
		string(eval.Compensation), string(eval.WhatIsTold),
	}
	if !slices.Contains(dimensions, node.Value) {
		return unknown(node, "dimension", dimensions)
	}
	s.Dimension = eval.Dimension(node.Value)
	return nil
}

func (s *Scenario) readEngines(node *yaml.Node) (err error) {
	all := s.Engines
	if s.Engines, err = texts(node); err != nil {
		return err
	}
	for _, e := range s.Engines {
		if !slices.Contains(all, e) {
			return at(node, "%q is no engine; there is %s", e, strings.Join(all, ", "))
		}
	}
	return nil
}

// readWebhooks takes the sources in the form of the server's own file, whose checks are the server's too.
func (s *Scenario) readWebhooks(node *yaml.Node) (err error) {
	if s.Webhooks, err = text(node); err != nil {
		return err
	}
	if _, err := inbox.Parse("webhooks", []byte(s.Webhooks), inbox.Options{Unsigned: true}); err != nil {
		return at(node, "%v", err)
	}
	return nil
}
