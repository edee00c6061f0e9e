package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/eval"
)

// shownInText is how many findings a terminal shows: a fault that is met in every run is not told a thousand times.
const shownInText = 20

// WriteText writes the report for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	r.textHead(b)
	r.textParts(b)
	for _, result := range r.Results {
		textFigures(b, result)
		textDrawn(b, result)
	}
	r.textFindings(b)
	r.textNotRun(b)
	fmt.Fprintf(b, "\n%s\n", r.sentence())
	_, err := io.WriteString(w, b.String())
	return err
}

// took is the evaluation's real time in words.
func (a About) took() string { return lasting(float64(a.TookMS) / 1000) }

// place says where it ran.
func (a About) place() string {
	if a.Server != "" {
		return "the server " + a.Server
	}
	return a.Engine
}

// sentence is the verdict in words.
func (r *Report) sentence() string {
	t := r.tally()
	var rest []string
	if t.Failed > 0 {
		rest = append(rest, some(t.Failed, "part failed", "parts failed"))
	}
	rest = append(rest, some(t.Passed, "part passed", "parts passed"))
	if t.Skipped > 0 {
		rest = append(rest, some(t.Skipped, "part did not run", "parts did not run"))
	}
	if t.Broken > 0 {
		rest = append(rest, some(t.Broken, "part could not be done", "parts could not be done"))
	}
	said := strings.Join(rest, ", ") + "."
	switch r.Verdict {
	case Found:
		return strings.ToUpper(some(len(r.Findings()), "finding", "findings")) + ": " + said
	case NotDone:
		return "NOT DONE, so nothing has been shown: " + said
	}
	return "Nothing was found: " + said
}

func (r *Report) textHead(b *strings.Builder) {
	fmt.Fprintf(b, "Evaluation of Opledger %s: suite %s on %s\n", plain(r.Version), plain(r.Suite), plain(r.place()))
	fmt.Fprintf(b, "seed %d, started %s, took %s\n", r.Seed, r.Started.UTC().Format(time.DateTime+"Z"), r.took())
	fmt.Fprintf(b, "again: %s\n", plain(r.Command))
}

// textParts writes a line for each part; parts of one kind that passed are one line where there are many.
func (r *Report) textParts(b *strings.Builder) {
	g := grid{left: 2}
	g.row("PART", "", "FINDINGS", "TOOK")
	var notes []string
	for _, family := range families(r.Results) {
		if family.folded() {
			g.row(family.name+"/ ("+count(float64(len(family.results)))+")", family.state(), count(float64(family.findings())), family.took())
		}
		for _, result := range family.results {
			if !family.folded() || !result.Passed() {
				g.row(result.Part, state(result), count(float64(len(result.Findings))), lasting(float64(result.TookMS)/1000))
			}
			for _, note := range result.Notes {
				notes = append(notes, "  "+plain(result.Part)+": "+plain(note))
			}
		}
	}
	for _, broken := range r.Broken {
		g.row(broken.Part, "could not be done")
	}
	b.WriteByte('\n')
	g.write(b, "")
	if len(notes) > 0 {
		b.WriteString("\n" + strings.Join(notes, "\n") + "\n")
	}
}

func textFigures(b *strings.Builder, result *eval.Result) {
	if len(result.Figures) == 0 {
		return
	}
	fmt.Fprintf(b, "\nFIGURES of %s\n", plain(result.Part))
	g := grid{}
	heading := []string{""}
	for _, arm := range result.Figures {
		heading = append(heading, armName(arm.Arm))
	}
	g.row(heading...)
	for _, f := range figures {
		row := []string{f.heading()}
		for _, arm := range result.Figures {
			row = append(row, f.of(arm))
		}
		g.row(row...)
	}
	g.write(b, "  ")
	if classes := duplicatesByClass(result); len(classes) > 0 {
		b.WriteByte('\n')
		g := grid{}
		heading[0] = "Duplicate effects, per 10,000 runs of the class"
		g.row(heading...)
		for _, class := range classes {
			row := []string{class.Class}
			for _, c := range class.Arms {
				row = append(row, c.duplicates())
			}
			g.row(row...)
		}
		g.write(b, "  ")
	}
}

func textDrawn(b *strings.Builder, result *eval.Result) {
	if len(result.Drawn) == 0 {
		return
	}
	m := matrixOf(result)
	fmt.Fprintf(b, "\nFAULTS DRAWN in %s%s\n", plain(result.Part), m.promise())
	g := grid{}
	heading := []string{""}
	for i := range m.Classes {
		heading = append(heading, fmt.Sprintf("(%d)", i+1))
	}
	g.row(heading...)
	for _, row := range m.Rows {
		cells := []string{string(row.Fault)}
		for _, cell := range row.Cells {
			cells = append(cells, cell.text())
		}
		g.row(cells...)
	}
	g.write(b, "  ")
	var legend []string
	for i, class := range m.Classes {
		legend = append(legend, fmt.Sprintf("(%d) %s", i+1, plain(class)))
	}
	fmt.Fprintf(b, "  %s; \"-\": cannot happen there\n", strings.Join(legend, ", "))
}

func (r *Report) textFindings(b *strings.Builder) {
	all := r.Findings()
	if len(all) > 0 {
		b.WriteString("\nFINDINGS\n")
	}
	for i, f := range all[:min(len(all), shownInText)] {
		fmt.Fprintf(b, "\n%d. %s\n", i+1, plain(f.Message))
		g := grid{left: 2}
		g.row("part", f.Part)
		g.row("checker", f.Checker+" ("+dimensionTitle(f.Dimension)+")")
		if f.Run != 0 {
			g.row("run", fmt.Sprint(f.Run))
		}
		if f.Key != "" {
			g.row("business key", f.Key)
		}
		g.write(b, "   ")
		if i > 0 && len(f.History) > 0 && slices.Equal(f.History, all[i-1].History) {
			b.WriteString("   the history is that of the finding before\n")
		} else if len(f.History) > 0 {
			b.WriteString("   the shortest history that shows it:\n")
			for n, step := range f.History {
				fmt.Fprintf(b, "   %4d  %s\n", n+1, plain(step))
			}
		}
		fmt.Fprintf(b, "   again: %s\n", plain(f.Replay))
	}
	if more := len(all) - shownInText; more > 0 {
		fmt.Fprintf(b, "\nand %s, which --json and --html tell\n", some(more, "finding more", "findings more"))
	}
}

func (r *Report) textNotRun(b *strings.Builder) {
	missing := r.notRun()
	if len(missing) == 0 {
		return
	}
	b.WriteString("\nNOT RUN\n")
	for _, m := range missing {
		fmt.Fprintf(b, "  %s\n", plain(m))
	}
}
