package policytest

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/opledger/opledger/policy"
)

// Report is what came of a file of cases.
type Report struct {
	File   string `json:"file"`
	Passed int    `json:"passed"`
	Failed int    `json:"failed"`
	Cases  []Case `json:"cases"`
	// Problems are what is wrong with the files. Where the tools or the rules have one, no case is judged.
	Problems []Problem `json:"problems"`
	// Untested are rules that say no in no case: whatever they are changed to, the cases would not notice.
	Untested []string `json:"untested"`
}

// OK reports whether every case came out as expected.
func (r *Report) OK() bool { return r.Failed == 0 && len(r.Problems) == 0 }

// Case is what came of one case.
type Case struct {
	Name        string    `json:"name"`
	Line        int       `json:"line"`
	Passed      bool      `json:"passed"`
	Got         Answer    `json:"got"`
	Want        Answer    `json:"want"`
	Differences []string  `json:"differences,omitempty"`
	Verdicts    []Verdict `json:"verdicts"`
}

// Answer is a decision with what is said of it.
type Answer struct {
	Decision   string   `json:"decision"`
	Rule       string   `json:"rule,omitempty"`
	Because    string   `json:"because,omitempty"`
	Contains   []string `json:"because_contains,omitempty"` // of what is expected
	RetryAfter string   `json:"retry_after,omitempty"`
	Earlier    string   `json:"earlier,omitempty"`
}

// Verdict is what one rule said of a case.
type Verdict struct {
	Rule     string            `json:"rule"`
	Decision string            `json:"decision"`
	Because  string            `json:"because,omitempty"`
	Shadow   bool              `json:"shadow,omitempty"`
	Override bool              `json:"overridden,omitempty"`
	Inputs   map[string]string `json:"inputs,omitempty"`
}

func verdictsOf(list []policy.Verdict) []Verdict {
	told := make([]Verdict, len(list))
	for i, v := range list {
		told[i] = Verdict{Rule: v.Rule, Decision: string(v.Outcome), Because: v.Because, Shadow: v.Shadow, Override: v.GrantID != "", Inputs: v.Inputs}
	}
	return told
}

// Write writes the report for people: a line for each case, what each rule said where one failed, and a summary.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "error: %s\n", printable(p.Error()))
	}
	for i := range r.Cases {
		r.Cases[i].write(&b, r.File)
	}
	if len(r.Untested) > 0 {
		fmt.Fprintf(&b, "no case makes these rules say no: %s\n", strings.Join(r.Untested, ", "))
	}
	fmt.Fprintf(&b, "%s: %d cases, %d passed, %d failed", r.File, r.Passed+r.Failed, r.Passed, r.Failed)
	if len(r.Problems) > 0 {
		fmt.Fprintf(&b, ", %d errors in the files", len(r.Problems))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Case) write(b *strings.Builder, file string) {
	if c.Passed {
		fmt.Fprintf(b, "ok    %s\n", printable(c.Name))
		return
	}
	fmt.Fprintf(b, "FAIL  %s (%s:%d)\n", printable(c.Name), file, c.Line)
	for _, d := range c.Differences {
		fmt.Fprintf(b, "      %s\n", printable(d))
	}
	fmt.Fprintf(b, "      want %s\n      got  %s\n", c.Want.text(), c.Got.text())
	for _, v := range c.Verdicts {
		fmt.Fprintf(b, "        %s\n", v.text())
	}
}

func (a Answer) text() string {
	text := a.Decision
	if a.Rule != "" {
		text += " by " + a.Rule
	}
	if a.Because != "" {
		text += ": " + a.Because
	}
	if len(a.Contains) > 0 {
		text += fmt.Sprintf(", because of %q", a.Contains)
	}
	if a.RetryAfter != "" {
		text += " (again after " + a.RetryAfter + ")"
	}
	return printable(text)
}

func (v *Verdict) text() string {
	text := v.Rule + ": " + v.Decision
	switch {
	case v.Shadow:
		text += " in shadow, let pass"
	case v.Override:
		text += ", overridden"
	}
	var inputs []string
	for name, value := range v.Inputs {
		inputs = append(inputs, name+"="+value)
	}
	slices.Sort(inputs)
	if len(inputs) > 0 {
		text += " [" + strings.Join(inputs, ", ") + "]"
	}
	return printable(text)
}

// printable keeps what a file says from moving the cursor.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '·'
		}
		return r
	}, s)
}
