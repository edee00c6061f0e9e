package policytest

import (
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/policy"
)

// defaultNow is the time of a case that states none: a Thursday, at noon, in no zone's night. It is fixed, so that a file
// says the same on every day.
var defaultNow = time.Date(2026, time.January, 15, 12, 0, 0, 0, time.UTC)

// file is a file of cases as it is written.
type file struct {
	tools []located
	rules []*yaml.Node // paths, or rules written out
	now   time.Time
	cases []testCase
}

// located is a text with its place, so that what is wrong with it can be told there.
type located struct {
	text string
	node *yaml.Node
}

// testCase is one proposal, the world that it is made in, and what is expected.
type testCase struct {
	node       *yaml.Node
	name       string
	proposal   proposal
	entity     policy.EntityState
	version    int64
	counters   []counter
	earlier    []proposal
	overridden []string
	now        time.Time
	expect     expectation
}

// proposal is what a case proposes, or what was done before it.
type proposal struct {
	node       *yaml.Node
	tool       located
	arguments  []byte // JSON
	argsNode   *yaml.Node
	occurrence string
	principal  principal
	workflow   string
	run        string
	ago        time.Duration // of what was done before
	open       bool          // it has not ended
}

type principal struct {
	id, person string
	roles      []string
}

// counter is the value of a rule's counters before the case.
type counter struct {
	rule  located
	value int64
}

// expectation is what a case is held to.
type expectation struct {
	decision string
	rule     string
	because  []string
	shadow   []string // rules that would have said no, and were let pass
}

// The decisions that a case may expect: those that rules lead to, and that none stands in the way.
var decisions = []string{string(policy.Pass), string(policy.Denied), string(policy.Suppress), string(policy.Later), string(policy.Ask)}

func (r *reader) file(node *yaml.Node) *file {
	f := &file{now: defaultNow}
	r.mapping(node, "a file of cases", map[string]func(*yaml.Node){
		"tools": func(n *yaml.Node) {
			r.each(n, func(item *yaml.Node) { f.tools = append(f.tools, located{r.text(item), item}) })
		},
		"rules": func(n *yaml.Node) { r.each(n, func(item *yaml.Node) { f.rules = append(f.rules, item) }) },
		"now":   func(n *yaml.Node) { f.now = r.instant(n) },
		"cases": func(n *yaml.Node) { r.each(n, func(item *yaml.Node) { f.cases = append(f.cases, r.testCase(item)) }) },
	})
	if len(f.cases) == 0 && len(r.problems) == 0 {
		r.fault(node, "The file has no case; a test that tests nothing would always pass.")
	}
	seen := map[string]bool{}
	for i := range f.cases {
		c := &f.cases[i]
		if c.now.IsZero() {
			c.now = f.now
		}
		if seen[c.name] {
			r.fault(c.node, "Another case has the name %q; give each its own, so that a failure can be found.", c.name)
		}
		seen[c.name] = true
	}
	return f
}

func (r *reader) testCase(node *yaml.Node) testCase {
	c := testCase{node: node}
	fields := r.proposal(node, &c.proposal)
	add := func(name string, read func(*yaml.Node)) { fields[name] = read }
	add("name", func(n *yaml.Node) { c.name = r.text(n) })
	add("now", func(n *yaml.Node) { c.now = r.instant(n) })
	add("overridden", func(n *yaml.Node) { c.overridden = r.texts(n) })
	add("expect", func(n *yaml.Node) { c.expect = r.expectation(n) })
	add("entity", func(n *yaml.Node) {
		r.mapping(n, "an entity", map[string]func(*yaml.Node){
			"state":      func(n *yaml.Node) { c.entity.State = r.text(n) },
			"attributes": func(n *yaml.Node) { c.entity.Attributes = r.json(n) },
			"version":    func(n *yaml.Node) { c.version = r.integer(n) },
		})
	})
	add("counters", func(n *yaml.Node) {
		r.pairs(n, func(key, value *yaml.Node) {
			c.counters = append(c.counters, counter{located{key.Value, key}, r.integer(value)})
		})
	})
	add("earlier", func(n *yaml.Node) {
		r.each(n, func(item *yaml.Node) {
			p := proposal{}
			fields := r.proposal(item, &p)
			fields["ago"] = func(n *yaml.Node) { p.ago = r.duration(n) }
			fields["open"] = func(n *yaml.Node) { p.open = r.truth(n) }
			r.required(item, r.mapping(item, "what was done before", fields), "tool")
			c.earlier = append(c.earlier, p)
		})
	})
	r.required(node, r.mapping(node, "a case", fields), "name", "tool", "expect")
	return c
}

// proposal gives the fields of a proposal, which cases and what was done before have in common.
func (r *reader) proposal(node *yaml.Node, p *proposal) map[string]func(*yaml.Node) {
	p.node, p.argsNode, p.arguments, p.principal.id = node, node, []byte("{}"), "agent"
	return map[string]func(*yaml.Node){
		"tool":       func(n *yaml.Node) { p.tool = located{r.text(n), n} },
		"arguments":  func(n *yaml.Node) { p.arguments, p.argsNode = r.json(n), n },
		"occurrence": func(n *yaml.Node) { p.occurrence = r.text(n) },
		"workflow":   func(n *yaml.Node) { p.workflow = r.text(n) },
		"run":        func(n *yaml.Node) { p.run = r.text(n) },
		"principal": func(n *yaml.Node) {
			r.mapping(n, "a principal", map[string]func(*yaml.Node){
				"id":     func(n *yaml.Node) { p.principal.id = r.text(n) },
				"person": func(n *yaml.Node) { p.principal.person = r.text(n) },
				"roles":  func(n *yaml.Node) { p.principal.roles = r.texts(n) },
			})
		},
	}
}

func (r *reader) expectation(node *yaml.Node) expectation {
	var e expectation
	seen := r.mapping(node, "an expectation", map[string]func(*yaml.Node){
		"decision":         func(n *yaml.Node) { e.decision = r.word(n, decisions) },
		"rule":             func(n *yaml.Node) { e.rule = r.text(n) },
		"because_contains": func(n *yaml.Node) { e.because = r.texts(n) },
		"shadow":           func(n *yaml.Node) { e.shadow = r.texts(n) },
	})
	r.required(node, seen, "decision")
	if e.decision == string(policy.Pass) && (e.rule != "" || len(e.because) > 0) {
		r.fault(node, "Where nothing stands in the way no rule decides and nothing is said; leave out rule and because_contains, or expect another decision.")
	}
	return e
}
