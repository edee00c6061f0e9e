package policytest

import (
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// Run reads a file of cases, with the tools and the rules that it names, and judges each case. The error is one of
// reading; what is wrong with what was read is in the report.
func Run(path string) (Report, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Report{}, err
	}
	return RunText(path, text, os.ReadFile)
}

// RunText is Run for a text that need not be a file, such as an example in a page of documentation. Paths in it start
// where the named file is, and are read by the function.
func RunText(name string, text []byte, read func(path string) ([]byte, error)) (Report, error) {
	l := &loader{reader: reader{name: name}, read: read}
	report := Report{File: name, Cases: []Case{}, Untested: []string{}}
	f, b, rules := l.load(text)
	if l.err != nil {
		return Report{}, l.err
	}
	if len(l.problems) == 0 {
		report.judge(&l.reader, f, b, rules)
	}
	report.Problems = append([]Problem{}, l.problems...)
	return report, nil
}

// judge judges every case, and notes which rules say no in none of them.
func (r *Report) judge(at *reader, f *file, b *bench, rules []string) {
	said := map[string]bool{}
	for i := range f.cases {
		c := &f.cases[i]
		verdicts, ok := b.judge(at, c)
		if !ok {
			r.Failed++
			continue
		}
		for _, v := range verdicts {
			said[v.Rule] = said[v.Rule] || v.Outcome != policy.Pass
		}
		got, differences := hold(c.expect, verdicts)
		told := Case{
			Name: c.name, Line: c.node.Line, Passed: len(differences) == 0, Got: got, Differences: differences, Verdicts: verdictsOf(verdicts),
			Want: Answer{Decision: c.expect.decision, Rule: c.expect.rule, Contains: c.expect.because},
		}
		if r.Cases = append(r.Cases, told); told.Passed {
			r.Passed++
		} else {
			r.Failed++
		}
	}
	for _, id := range rules {
		if !said[id] {
			r.Untested = append(r.Untested, id)
		}
	}
}

// loader reads the files of a test.
type loader struct {
	reader
	read func(path string) ([]byte, error)
	err  error
}

// load reads the cases and compiles what they are judged by, as a server that applies the tools and the rules does.
func (l *loader) load(text []byte) (*file, *bench, []string) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		l.problems = append(l.problems, Problem{File: l.name, Message: err.Error()})
		return nil, nil, nil
	}
	if len(document.Content) == 0 {
		l.problems = append(l.problems, Problem{File: l.name, Message: "The file is empty; it holds cases."})
		return nil, nil, nil
	}
	f := l.file(document.Content[0])
	b := &bench{tools: map[string]*registry.Compiled{}}
	config := policy.Config{}
	for _, path := range f.tools {
		l.tools(path, b, &config)
	}
	var sources []rulefile.Source
	for _, n := range f.rules {
		sources = append(sources, l.rules(n)...)
	}
	ids := []string{}
	for i := range sources {
		sources[i].Rule.Version = 1
		config.Rules = append(config.Rules, sources[i].Rule)
		ids = append(ids, sources[i].Rule.ID)
	}
	if len(l.problems) > 0 {
		return f, b, nil
	}
	set, problems := policy.Compile(config)
	for _, p := range problems {
		l.place(p, sources)
	}
	b.set = set
	slices.Sort(ids)
	return f, b, ids
}

// tools reads a file of tools.
func (l *loader) tools(path located, b *bench, config *policy.Config) {
	name, text := l.open(path)
	if text == nil {
		return
	}
	sources, problems := toolfile.Parse(name, text)
	for _, s := range sources {
		problems = append(problems, s.Locate(registry.Check(s.Definition))...)
	}
	for _, p := range problems {
		l.problems = append(l.problems, Problem{File: p.File, Line: p.Line, Column: p.Column, Message: p.Problem.Error()})
	}
	if len(problems) > 0 {
		return
	}
	for _, s := range sources {
		if b.tools[s.Definition.Name] != nil {
			l.fault(path.node, "The tool %s is defined twice.", s.Definition.Name)
			continue
		}
		compiled, err := registry.Compile(registry.WithDefaults(s.Definition))
		if err != nil {
			l.fault(path.node, "The tool %s: %v.", s.Definition.Name, err)
			continue
		}
		tool := compiled.PolicyTool()
		tool.Version = 1
		b.tools[tool.Name], config.Tools = compiled, append(config.Tools, tool)
	}
}

// rules reads a file of rules, or a rule that is written out.
func (l *loader) rules(n *yaml.Node) []rulefile.Source {
	if n.Kind == yaml.MappingNode {
		source, problems := rulefile.FromNode(l.name, n)
		if l.told(problems); source == nil {
			return nil
		}
		return []rulefile.Source{*source}
	}
	name, text := l.open(located{l.text(n), n})
	if text == nil {
		return nil
	}
	sources, problems := rulefile.Parse(name, text)
	l.told(problems)
	return sources
}

// told takes problems of rules over.
func (l *loader) told(problems []rulefile.Problem) {
	for _, p := range problems {
		message := p.Message
		if p.Path != "" {
			message = p.Path + ": " + message
		}
		if p.Rule != "" {
			message = p.Rule + ": " + message
		}
		l.problems = append(l.problems, Problem{File: p.File, Line: p.Line, Column: p.Column, Message: message})
	}
}

// open reads a file that the test names. A path is relative to the test's file.
func (l *loader) open(path located) (string, []byte) {
	if path.text == "" {
		return "", nil // said already
	}
	name := path.text
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(l.name), name)
	}
	text, err := l.read(name)
	if err != nil {
		l.fault(path.node, "%v.", err)
		return "", nil
	}
	return name, text
}

// place tells a problem of a rule where its file writes it. One of a tool's own rules has the tool's name.
func (l *loader) place(p policy.Problem, sources []rulefile.Source) {
	for i := range sources {
		if sources[i].Rule.ID == p.Rule {
			l.told(sources[i].Locate([]policy.Problem{p}))
			return
		}
	}
	l.problems = append(l.problems, Problem{File: l.name, Message: p.Error()})
}
