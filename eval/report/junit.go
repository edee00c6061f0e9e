package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/eval"
)

// The elements of JUnit's XML, as far as CI systems agree on them.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out,omitempty"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Skipped *junitProblem `xml:"skipped"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the report as JUnit XML: a test suite for each part, in it a test case for each checker that judged
// it. A part that did not run is one skipped case, one that could not be done an error.
func (r *Report) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "opledger eval " + r.Suite, Time: seconds(r.TookMS)}
	for _, result := range r.Results {
		all.Suites = append(all.Suites, r.junitSuite(result.Part, result.TookMS, junitCases(result), strings.Join(result.Notes, "\n")))
	}
	for _, broken := range r.Broken {
		failed := junitCase{Class: broken.Part, Name: "run", Time: seconds(0), Error: &junitProblem{Message: plain(broken.Error), Type: "not_done"}}
		all.Suites = append(all.Suites, r.junitSuite(broken.Part, 0, []junitCase{failed}, ""))
	}
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r *Report) junitSuite(name string, tookMS int64, cases []junitCase, out string) junitSuite {
	s := junitSuite{
		Name: name, Tests: len(cases), Time: seconds(tookMS), Timestamp: r.Started.UTC().Format(time.RFC3339), Cases: cases, Out: out,
		Properties: []junitProperty{{"version", r.Version}, {"engine", r.Engine}, {"seed", fmt.Sprint(r.Seed)}, {"command", r.Command}},
	}
	for _, c := range cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	return s
}

// junitCases are a part's checkers, each with what it found.
func junitCases(result *eval.Result) []junitCase {
	if result.Skipped != "" && result.Passed() {
		return []junitCase{{Class: result.Part, Name: "run", Time: seconds(0), Skipped: &junitProblem{Message: plain(result.Skipped)}}}
	}
	found := map[string][]eval.Finding{}
	checkers := slices.Clone(result.Checked)
	for _, f := range result.Findings {
		if !slices.Contains(checkers, f.Checker) {
			checkers = append(checkers, f.Checker)
		}
		found[f.Checker] = append(found[f.Checker], f)
	}
	if len(checkers) == 0 {
		checkers = []string{"run"}
	}
	var cases []junitCase
	for _, checker := range checkers {
		c := junitCase{Class: result.Part, Name: checker, Time: seconds(0)}
		if list := found[checker]; len(list) > 0 {
			c.Failure = &junitProblem{Message: plain(list[0].Message), Type: checker, Text: failureText(list[:min(len(list), shownInText)])}
			if n := len(list); n > 1 {
				c.Failure.Message = fmt.Sprintf("%d findings, the first: %s", n, c.Failure.Message)
			}
		}
		cases = append(cases, c)
	}
	return cases
}

func failureText(findings []eval.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "\n%s\n", plain(f.Message))
		if f.Run != 0 {
			fmt.Fprintf(&b, "run %d\n", f.Run)
		}
		if f.Key != "" {
			fmt.Fprintf(&b, "business key %s\n", plain(f.Key))
		}
		for i, step := range f.History {
			fmt.Fprintf(&b, "%4d  %s\n", i+1, plain(step))
		}
		fmt.Fprintf(&b, "again: %s\n", plain(f.Replay))
	}
	return b.String()
}

// seconds writes milliseconds as JUnit wants them.
func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }
