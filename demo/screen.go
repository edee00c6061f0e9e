package demo

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// screen shows the play. Without a writer it shows nothing, and waits for nobody.
type screen struct {
	out    io.Writer
	colour bool
	pauses bool
	began  time.Time // of the act on stage
	clock  time.Time // on the stage at that moment
}

// The colours, as terminals number them.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// beat is how long a reader is given where something has happened that the next line builds on.
const beat = 600 * time.Millisecond

// The widths of the columns that say who acts and what happens.
const (
	whoWidth  = 9
	noteWidth = 96
)

func (s *screen) paint(colour, text string) string {
	if !s.colour || colour == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

func (s *screen) line(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// pause gives a reader time. Nobody reads a pipe.
func (s *screen) pause() {
	if s.pauses {
		time.Sleep(beat)
	}
}

// act opens an act. The clock on the stage begins at the stated time; real seconds are added.
func (s *screen) act(title, what string, clock time.Time) {
	s.began, s.clock = time.Now(), clock
	s.line("")
	s.line("%s  %s", s.paint(bold, title), what)
	s.line("")
}

// text shows a paragraph.
func (s *screen) text(paragraph string) {
	for _, l := range strings.Split(paragraph, "\n") {
		s.line("  %s", l)
	}
}

// noteColours are how notes look.
var noteColours = map[noteKind]string{
	noteLost: yellow, noteAgain: yellow, noteResult: green, noteLedger: cyan, noteDeath: red, notePerson: bold,
}

// tell shows what happened to somebody at this moment.
func (s *screen) tell(n note) {
	clock := s.clock.Add(time.Since(s.began)).Format("15:04:05")
	who := n.Who
	if n.Kind == noteLedger {
		who = "ledger"
	}
	for _, l := range wrap(n.Text, noteWidth) {
		s.line("  %s  %s  %s", s.paint(dim, clock), pad(who, whoWidth), s.paint(noteColours[n.Kind], l))
		clock, who = pad("", len(clock)), ""
	}
}

// count shows what the provider counted.
func (s *screen) count(c Count, good bool) {
	colour := red
	if good {
		colour = green
	}
	s.line("")
	s.line("  Counted at the provider: %s", s.paint(bold+";"+colour, c.String()))
}

// table shows rows in columns under a heading; the last column is cut to the width of a screen.
func (s *screen) table(heading []string, rows [][]string) {
	widths := make([]int, len(heading))
	for _, row := range append([][]string{heading}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	show := func(row []string, colour string) {
		cells := make([]string, len(row))
		for i, cell := range row {
			if i < len(row)-1 {
				cell = pad(cell, widths[i])
			}
			cells[i] = cell
		}
		s.line("  %s", s.paint(colour, strings.TrimRight(strings.Join(cells, "  "), " ")))
	}
	show(heading, dim)
	for _, row := range rows {
		show(row, "")
	}
}

// shownKey is how much of a key or reference is shown: enough to see that two are the same.
const shownKey = 12

// cut shortens a key or reference for the stage.
func cut(reference string) string {
	if len(reference) <= shownKey {
		return reference
	}
	return reference[:shownKey] + "…"
}

// wrap breaks a sentence that is longer than a line into lines.
func wrap(text string, width int) []string {
	if len([]rune(text)) <= width {
		return []string{text}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-len([]rune(text))))
}
