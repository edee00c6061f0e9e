package vectors

import (
	"fmt"
	"slices"

	"github.com/opledger/opledger/canon"
)

// Side is what became of one side of a pair.
type Side struct {
	Name      string       `json:"name"` // "a" or "b"
	Accepted  bool         `json:"accepted"`
	Canonical string       `json:"canonical,omitempty"` // what takes part in identity
	Key       string       `json:"key,omitempty"`       // where the vector has a template
	Faults    canon.Faults `json:"faults,omitempty"`    // why it was refused
}

// Result is the answer to one vector.
type Result struct {
	Vector   Vector   `json:"-"`
	ID       string   `json:"id"`
	Group    string   `json:"group"`
	Passed   bool     `json:"passed"`
	Problems []string `json:"problems,omitempty"` // each says what the vector wanted and what came
	A        Side     `json:"a"`
	B        Side     `json:"b"`
}

// Run runs one vector.
func (v Vector) Run() Result {
	r := Result{Vector: v, ID: v.ID, Group: v.Group, A: Side{Name: "a"}, B: Side{Name: "b"}}
	problem := func(format string, args ...any) { r.Problems = append(r.Problems, fmt.Sprintf(format, args...)) }

	normalizer, template, err := v.compile()
	if err != nil {
		problem("the definition is refused: %v", err)
		return r
	}
	for _, s := range []struct {
		into    *Side
		text    *string
		encoded string
	}{{&r.A, v.A, v.ABase64}, {&r.B, v.B, v.BBase64}} {
		data, err := side(s.text, s.encoded)
		if err != nil {
			problem("side %s is no base64: %v", s.into.Name, err)
			return r
		}
		s.into.run(data, normalizer, template)
	}

	for _, s := range []Side{r.A, r.B} {
		mustRefuse, mayRefuse := slices.Contains(v.Refused, s.Name), slices.Contains(v.MayRefuse, s.Name)
		switch {
		case s.Accepted && mustRefuse:
			problem("side %s must be refused, but was accepted", s.Name)
		case !s.Accepted && !mustRefuse && !mayRefuse:
			problem("side %s must be accepted, but was refused", s.Name)
		}
		if v.Canonical != nil && s.Accepted && s.Canonical != *v.Canonical {
			problem("side %s must have the canonical form %s", s.Name, *v.Canonical)
		}
	}
	if r.A.Accepted && r.B.Accepted {
		same := r.A.Canonical == r.B.Canonical && r.A.Key == r.B.Key
		switch {
		case v.Same && !same:
			problem("the sides must be the same operation, but differ")
		case !v.Same && same:
			problem("the sides must not be the same operation, but are taken for one")
		}
	}
	r.Passed = len(r.Problems) == 0
	return r
}

func (v Vector) compile() (*canon.Normalizer, *canon.Template, error) {
	rules, err := v.rules()
	if err != nil {
		return nil, nil, err
	}
	normalizer, faults := canon.Compile(rules)
	if len(faults) > 0 {
		return nil, nil, faults
	}
	if v.Template == "" {
		return normalizer, nil, nil
	}
	template, faults := canon.ParseTemplate(v.Template)
	if len(faults) == 0 {
		faults = normalizer.CheckTemplate(template)
	}
	return normalizer, template, faults.Err()
}

// run takes a text all the way to its canonical form and, where there is a template, its key.
func (s *Side) run(data []byte, normalizer *canon.Normalizer, template *canon.Template) {
	value, faults := canon.Parse(data, canon.Limits{})
	var normalized *canon.Normalized
	if len(faults) == 0 {
		normalized, faults = normalizer.Normalize(value, nil)
	}
	if len(faults) == 0 && template != nil {
		var key canon.Key
		key, _, faults = template.Render(canon.Parts{Arguments: normalized, Version: 1})
		s.Key = string(key)
	}
	if s.Faults = faults; len(faults) > 0 {
		return
	}
	s.Accepted, s.Canonical = true, string(normalized.Canonical())
}

// Report is what running a file gave.
type Report struct {
	Title   string   `json:"title"`
	Results []Result `json:"results"`
	Groups  []Count  `json:"groups"` // in the order of their first vector
	Total   Count    `json:"total"`
}

// Count counts the vectors of a group.
type Count struct {
	Group  string `json:"group"`
	Passed int    `json:"passed"`
	Failed int    `json:"failed"`
}

// OK reports whether every vector passed.
func (r *Report) OK() bool { return r.Total.Failed == 0 }

// Run runs every vector of the file, in order.
func (f *File) Run() *Report {
	report := &Report{Title: f.Title, Total: Count{Group: "all"}}
	index := map[string]int{}
	for _, v := range f.Vectors {
		result := v.Run()
		report.Results = append(report.Results, result)
		at, known := index[v.Group]
		if !known {
			at = len(report.Groups)
			index[v.Group] = at
			report.Groups = append(report.Groups, Count{Group: v.Group})
		}
		for _, count := range []*Count{&report.Groups[at], &report.Total} {
			if result.Passed {
				count.Passed++
			} else {
				count.Failed++
			}
		}
	}
	return report
}
