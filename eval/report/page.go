package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/eval"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

// page is parsed once. Everything that a report holds is escaped where the template puts it.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"style":     func() template.CSS { return template.CSS(pageStyle) },
	"plain":     plain,
	"count":     func(n int) string { return count(float64(n)) },
	"seconds":   func(ms int64) string { return lasting(float64(ms) / 1000) },
	"dimension": dimensionTitle,
	"state":     state,
	"class":     func(s string) string { return strings.ReplaceAll(s, " ", "-") },
}).Parse(pageText))

// shownOnPage is how many findings the page shows; JSON has them all.
const shownOnPage = 200

// view is what the page shows.
type view struct {
	*Report
	Sentence string
	When     string
	Took     string
	Place    string
	Headline []headline
	Sections []section
	Blocks   []block
	Six      []dimensionView
	Found    []eval.Finding
	More     int // findings that are not shown
	Missing  []string
}

// headline is what happened to the same runs behind one arm.
type headline struct {
	Arm        eval.Arm
	Name       string
	Duplicates string
	Lost       string
}

// section is a part that has figures.
type section struct {
	ID      string
	Part    string
	Runs    string
	Charts  []chart
	Heading []string
	Rows    [][]string
	Matrix  *matrix
	Promise string
}

// block is a table of parts: the many of one kind, which are folded, or the few between them.
type block struct {
	Name, State, Took string
	Findings          int
	Folded            bool
	Results           []*eval.Result
}

func blocksOf(results []*eval.Result) []block {
	var list []block
	for _, f := range families(results) {
		if n := len(list); !f.folded() && n > 0 && !list[n-1].Folded {
			list[n-1].Results = append(list[n-1].Results, f.results...)
			continue
		}
		list = append(list, block{f.name, f.state(), f.took(), f.findings(), f.folded(), slices.Clone(f.results)})
	}
	return list
}

type dimensionView struct {
	Title, Asks string
	Findings    int
}

// WriteHTML writes the report as one page that loads nothing and runs nothing.
func (r *Report) WriteHTML(w io.Writer) error {
	v := view{
		Report: r, Sentence: r.sentence(), When: r.Started.UTC().Format("2 January 2006, 15:04:05 UTC"), Took: r.took(), Place: r.place(),
		Missing: r.notRun(),
	}
	all := r.Findings()
	v.Found = all[:min(len(all), shownOnPage)]
	v.More = len(all) - len(v.Found)
	for i, result := range r.Results {
		if s, shown := sectionOf(fmt.Sprintf("part-%d", i+1), result); shown {
			v.Sections = append(v.Sections, s)
		}
		if v.Headline == nil {
			v.Headline = headlineOf(result)
		}
	}
	v.Blocks = blocksOf(r.Results)
	for _, d := range dimensions {
		shown := dimensionView{Title: d.Title, Asks: d.Asks}
		for _, f := range all {
			if f.Dimension == d.Dimension {
				shown.Findings++
			}
		}
		v.Six = append(v.Six, shown)
	}
	return page.Execute(w, v)
}

// headlineOf compares the arms of a part on the same runs.
func headlineOf(result *eval.Result) []headline {
	if len(result.Figures) < 2 {
		return nil
	}
	var list []headline
	for _, f := range result.Figures {
		list = append(list, headline{f.Arm, armName(f.Arm), count(float64(f.Duplicates)), count(float64(f.Lost))})
	}
	return list
}

func sectionOf(id string, result *eval.Result) (section, bool) {
	s := section{ID: id, Part: result.Part, Heading: []string{"Figure"}}
	if len(result.Drawn) > 0 {
		m := matrixOf(result)
		s.Matrix, s.Promise = &m, m.promise()
	}
	if len(result.Figures) == 0 {
		return s, s.Matrix != nil
	}
	s.Runs, s.Charts = count(float64(result.Figures[0].Runs)), chartsOf(id, result)
	for _, arm := range result.Figures {
		s.Heading = append(s.Heading, armName(arm.Arm))
	}
	for _, f := range figures {
		row := []string{f.heading()}
		for _, arm := range result.Figures {
			row = append(row, f.of(arm))
		}
		s.Rows = append(s.Rows, row)
	}
	return s, true
}

// MachineTime is an instant for the page's datetime attributes.
func (v view) MachineTime() string { return v.Started.UTC().Format(time.RFC3339) }
