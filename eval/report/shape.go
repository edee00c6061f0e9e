package report

import (
	"fmt"
	"strings"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

// foldFrom is from how many parts of one kind on they are told as one, except those with findings.
const foldFrom = 5

// family are the parts whose names begin alike: script/fc-101, script/fc-102.
type family struct {
	name    string
	results []*eval.Result
}

// families groups neighbours of one kind.
func families(results []*eval.Result) []family {
	var list []family
	for _, r := range results {
		name, _, grouped := strings.Cut(r.Part, "/")
		if n := len(list); grouped && n > 0 && list[n-1].name == name {
			list[n-1].results = append(list[n-1].results, r)
			continue
		}
		list = append(list, family{name, []*eval.Result{r}})
	}
	return list
}

func (f family) folded() bool { return len(f.results) >= foldFrom }

func (f family) findings() (n int) {
	for _, r := range f.results {
		n += len(r.Findings)
	}
	return n
}

func (f family) took() string {
	ms := int64(0)
	for _, r := range f.results {
		ms += r.TookMS
	}
	return lasting(float64(ms) / 1000)
}

// state says what became of the parts: "127 passed, 1 failed".
func (f family) state() string {
	counts := map[string]int{}
	for _, r := range f.results {
		counts[state(r)]++
	}
	var parts []string
	for _, s := range []string{statePassed, stateFailed, stateSkipped} {
		if counts[s] > 0 {
			parts = append(parts, count(float64(counts[s]))+" "+s)
		}
	}
	return strings.Join(parts, ", ")
}

// What became of a part.
const (
	statePassed  = "passed"
	stateFailed  = "failed"
	stateSkipped = "not run"
)

func state(r *eval.Result) string {
	switch {
	case !r.Passed():
		return stateFailed
	case r.Skipped != "":
		return stateSkipped
	}
	return statePassed
}

// notRun says everything that this evaluation does not show.
func (r *Report) notRun() []string {
	var list []string
	for _, result := range r.Results {
		if result.Skipped != "" {
			list = append(list, result.Part+": "+result.Skipped)
		}
	}
	for _, broken := range r.Broken {
		list = append(list, broken.Part+" could not be done: "+broken.Error)
	}
	return append(list, r.LeftOut...)
}

// classRow is one side-effect class, with its counts in each arm.
type classRow struct {
	Class string
	Arms  []classCell
}

type classCell struct {
	Arm    eval.Arm
	Counts eval.ClassFigures
}

func (c classCell) value() (float64, bool) {
	return eval.PerTenThousand(c.Counts.Duplicates, c.Counts.Runs)
}

func (c classCell) duplicates() string {
	if v, known := c.value(); known {
		return decimal(v)
	}
	return noneText
}

// duplicatesByClass turns the arms' figures by class round: a row for each class, a cell for each arm.
func duplicatesByClass(result *eval.Result) []classRow {
	counts := map[registry.Class]map[eval.Arm]eval.ClassFigures{}
	for _, arm := range result.Figures {
		for _, c := range arm.ByClass {
			if counts[c.Class] == nil {
				counts[c.Class] = map[eval.Arm]eval.ClassFigures{}
			}
			counts[c.Class][arm.Arm] = c
		}
	}
	var rows []classRow
	for _, class := range registry.Classes {
		if counts[class] == nil {
			continue
		}
		row := classRow{Class: string(class)}
		for _, arm := range result.Figures {
			row.Arms = append(row.Arms, classCell{arm.Arm, counts[class][arm.Arm]})
		}
		rows = append(rows, row)
	}
	return rows
}

// matrix is how often each fault was drawn in each class.
type matrix struct {
	Classes []string
	Rows    []matrixRow
	Minimum int // zero: none was promised
	Below   int // cells below it
}

type matrixRow struct {
	Fault eval.Fault
	Cells []matrixCell
}

type matrixCell struct {
	Drawn    int
	Possible bool
	Below    bool
}

func (c matrixCell) text() string {
	switch {
	case !c.Possible:
		return "-"
	case c.Below:
		return count(float64(c.Drawn)) + " !"
	}
	return count(float64(c.Drawn))
}

func matrixOf(result *eval.Result) matrix {
	m := matrix{Classes: classesOf(result.Drawn), Minimum: result.DrawnMinimum}
	for _, fault := range faultsOf(result.Drawn) {
		row := matrixRow{Fault: fault}
		for _, class := range m.Classes {
			n, possible := result.Drawn[class][fault]
			below := possible && n < m.Minimum
			if below {
				m.Below++
			}
			row.Cells = append(row.Cells, matrixCell{n, possible, below})
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

// promise says whether everything was drawn often enough.
func (m matrix) promise() string {
	switch {
	case m.Minimum == 0:
		return ""
	case m.Below > 0:
		return fmt.Sprintf(", %s below the minimum of %s (marked \"!\")", some(m.Below, "cell", "cells"), count(float64(m.Minimum)))
	}
	return fmt.Sprintf(", each at least %s times in each class", count(float64(m.Minimum)))
}
