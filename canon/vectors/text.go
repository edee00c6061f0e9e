package vectors

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteText writes the report for a person: each failure with both sides, then counts by group.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, result := range r.Results {
		if !result.Passed {
			result.write(&b)
		}
	}
	width := len(r.Total.Group)
	for _, g := range r.Groups {
		width = max(width, len(g.Group))
	}
	for _, c := range append(r.Groups[:len(r.Groups):len(r.Groups)], r.Total) {
		fmt.Fprintf(&b, "%-*s  %4d passed", width, c.Group, c.Passed)
		if c.Failed > 0 {
			fmt.Fprintf(&b, "  %4d FAILED", c.Failed)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write shows one failure: what was wanted, and what became of each side.
func (r *Result) write(b *strings.Builder) {
	fmt.Fprintf(b, "FAIL %s (%s, decided by %s)\n", r.ID, r.Group, r.Vector.Basis)
	fmt.Fprintf(b, "  why   %s\n", r.Vector.Why)
	for _, problem := range r.Problems {
		fmt.Fprintf(b, "  !     %s\n", problem)
	}
	for _, s := range []struct {
		side    Side
		text    *string
		encoded string
	}{{r.A, r.Vector.A, r.Vector.ABase64}, {r.B, r.Vector.B, r.Vector.BBase64}} {
		if s.text != nil {
			fmt.Fprintf(b, "  %s     sent       %s\n", s.side.Name, visible(*s.text))
		} else {
			fmt.Fprintf(b, "  %s     sent       base64 %s\n", s.side.Name, s.encoded)
		}
		for _, fault := range s.side.Faults {
			fmt.Fprintf(b, "        refused    %s %s [%s]\n", strconv.QuoteToASCII(fault.Pointer), fault.Message, fault.Reason)
		}
		if s.side.Accepted {
			fmt.Fprintf(b, "        canonical  %s\n", visible(s.side.Canonical))
		}
		if s.side.Key != "" {
			fmt.Fprintf(b, "        key        %s\n", s.side.Key)
		}
	}
	b.WriteByte('\n')
}

// visible writes characters outside printable ASCII as Go escapes, without quotes round the whole.
func visible(s string) string {
	quoted := strconv.QuoteToASCII(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
