package script

import (
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
)

// maxTimes bounds how much of one thing is done at once, or one after another.
const maxTimes = 1000

// readSteps reads the steps and checks each by filling in its request against what the steps before it will have left.
func (s *Scenario) readSteps(node *yaml.Node) (err error) {
	c := &checker{scenario: s, labels: &labels{checking: true, steps: map[string]*outcome{}}}
	if s.Steps, err = c.steps(node); err != nil {
		return err
	}
	if s.finally != nil {
		return (&final{scenario: s, labels: c.labels}).check(s.finally)
	}
	return nil
}

// checker reads steps in their order.
type checker struct {
	scenario *Scenario
	labels   *labels
}

func (c *checker) steps(node *yaml.Node) ([]*Step, error) {
	if node.Kind != yaml.SequenceNode || len(node.Content) == 0 {
		return nil, at(node, "a list of steps is wanted here")
	}
	var all []*Step
	for _, item := range node.Content {
		step, err := c.step(item)
		if err != nil {
			return nil, err
		}
		all = append(all, step)
	}
	return all, nil
}

// step reads one step: one verb with its subject, what every step may say, and what the verb reads.
func (c *checker) step(node *yaml.Node) (*Step, error) {
	if err := mapping(node); err != nil {
		return nil, err
	}
	s := &Step{node: node, Line: node.Line}
	for k, v := range pairs(node) {
		if verb, known := verbs[k.Value]; known && s.Verb == "" {
			s.Verb, s.verb, s.subject = k.Value, verb, v
			continue
		}
		if common, err := c.common(s, k, v); common || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		s.fields = append(s.fields, field{k, v})
	}
	if s.Verb == "" {
		return nil, at(node, "a step has a verb; there is %s", joined(keysOf(verbs)))
	}
	return s, c.check(s)
}

// common reads what every step may say beside its verb's own words.
func (c *checker) common(s *Step, k, v *yaml.Node) (common bool, err error) {
	switch k.Value {
	case "as":
		s.As, err = text(v)
	case "caller":
		if s.Caller, err = text(v); err == nil {
			if _, known := c.scenario.caller(s.Caller); !known {
				err = at(v, "no caller %q is stated", s.Caller)
			}
		}
	case "server":
		s.Twin, s.Each = v.Value == "twin", v.Value == "each"
		if !s.Twin && !s.Each && v.Value != "first" {
			err = unknown(v, "server", []string{"first", "twin", "each"})
		}
	case "times":
		s.Times, err = strconv.Atoi(v.Value)
		if err != nil || s.Times < 1 || s.Times > maxTimes {
			err = at(v, "a number from 1 to %d is wanted", maxTimes)
		}
	case "when":
		if s.When, err = text(v); err == nil {
			_, err = c.labels.find(v, s.When)
		}
	case "may_fail":
		s.MayFail, err = boolean(v)
	case "lost":
		s.Lost, err = boolean(v)
	case "expect":
		s.expect = v
	case "steps":
		if s.verb.repeats || member(s.node, "repeat") != nil {
			s.Steps, err = c.steps(v)
			break
		}
		return false, nil
	default:
		return false, nil
	}
	return true, err
}

// check fills in a step's request against placeholders, and declares its label.
func (c *checker) check(s *Step) error {
	o := &outcome{step: s}
	x := &filling{labels: c.labels, scenario: c.scenario, outcome: o, newID: func() string { return "00000000-0000-0000-0000-000000000000" }}
	if s.verb.method != "" || s.verb.dynamic {
		if err := x.fill(s); err != nil {
			return err
		}
		o.request, o.answer = x.request, x.reply
	} else if s.verb.check != nil {
		if err := s.verb.check(x, s); err != nil {
			return err
		}
		o.answer = x.reply
	}
	if s.Verb != "repeat" && s.Steps != nil {
		return at(s.node, "only a repeat has steps")
	}
	if s.expect != nil {
		if o.answer == nil {
			return at(s.expect, "%s answers nothing that could be expected", s.Verb)
		}
		if err := (&expectation{labels: c.labels, outcome: o}).check(s.expect); err != nil {
			return err
		}
	}
	if s.As != "" {
		c.labels.steps[s.As] = o
	}
	return nil
}

// duration reads a length of time that is longer than none.
func duration(node *yaml.Node) (time.Duration, error) {
	d, err := time.ParseDuration(node.Value)
	if err != nil || d <= 0 {
		return 0, at(node, "%q is no length of time, such as 30s or 24h", node.Value)
	}
	return d, nil
}

// outcome is what a step left.
type outcome struct {
	step    *Step
	request proto.Message
	answer  proto.Message
	err     error
	// all are the answers of a step that was done several times at once.
	all []reply
	// sent is what the provider made of a step that sent.
	sent *sent
}

// reply is one answer, or the error in its place.
type reply struct {
	request proto.Message
	answer  proto.Message
	err     error
}
