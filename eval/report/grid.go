package report

import (
	"strings"
	"unicode/utf8"
)

// grid is a table of text: its first column is aligned to the left, the others to the right as numbers are.
type grid struct {
	rows [][]string
	left int // how many columns are aligned to the left; zero: the first
}

func (g *grid) row(cells ...string) { g.rows = append(g.rows, cells) }

// write writes the rows with an indent.
func (g *grid) write(b *strings.Builder, indent string) {
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(plain(cell)))
		}
	}
	for _, row := range g.rows {
		var line strings.Builder
		line.WriteString(indent)
		for i, cell := range row {
			cell = plain(cell)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if i < max(g.left, 1) {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
