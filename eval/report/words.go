package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

// count writes a whole number with its thousands apart.
func count(v float64) string {
	digits := strconv.FormatInt(int64(math.Round(v)), 10)
	var out []byte
	for i := range len(digits) {
		if left := len(digits) - i; i > 0 && left%3 == 0 && digits[i-1] != '-' {
			out = append(out, ',')
		}
		out = append(out, digits[i])
	}
	return string(out)
}

// decimal writes a number that may be small: what is not zero is never written as zero.
func decimal(v float64) string {
	switch {
	case v == math.Trunc(v) || v >= 1000:
		return count(v)
	case v < 0.1:
		return "<0.1"
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// percent writes a share: what is not all is never written as all, and what is not none never as none.
func percent(v float64) string {
	switch p := v * 100; {
	case v == 0:
		return "0 %"
	case v == 1:
		return "100 %"
	case p < 0.01:
		return "<0.01 %"
	case p > 99.99:
		return ">99.99 %"
	default:
		return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(p, 'f', 2, 64), "0"), ".") + " %"
	}
}

// lasting writes seconds with two or three digits that count.
func lasting(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d == 0:
		return "0 s"
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", seconds*1000)
	case d < time.Minute:
		return fmt.Sprintf("%.3g s", seconds)
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%s h %d min", count(float64(d/time.Hour)), d%time.Hour/time.Minute)
}

// armNames are the arms as people read them.
var armNames = map[eval.Arm]string{eval.Naive: "naive loop", eval.VendorKeys: "vendor keys", eval.Opledger: "Opledger"}

func armName(a eval.Arm) string {
	if name, ok := armNames[a]; ok {
		return name
	}
	return string(a)
}

// dimensions are the six questions, in words.
var dimensions = []struct {
	Dimension eval.Dimension
	Title     string
	Asks      string
}{
	{eval.IntentToOperation, "Intent to operation", "Has the same meaning the same key, and another meaning another?"},
	{eval.RetrySafety, "Retry safety", "Does a retry, however it comes about, act no second time?"},
	{eval.ReplaySafety, "Replay safety", "Does what a crash replays get the recorded end?"},
	{eval.ConcurrencySafety, "Concurrency safety", "Do two at once come to one?"},
	{eval.Compensation, "Compensation", "Is what has to be undone undone, once?"},
	{eval.WhatIsTold, "What is told", "Does no sentence for a customer or a model claim what is not known?"},
}

// dimensionTitle is a dimension as people read it.
func dimensionTitle(d eval.Dimension) string {
	for _, known := range dimensions {
		if known.Dimension == d {
			return known.Title
		}
	}
	return string(d)
}

// classesOf orders classes as the class table does, and those that it does not know behind them.
func classesOf(drawn map[string]map[eval.Fault]int) []string {
	var known, others []string
	for _, c := range registry.Classes {
		if drawn[string(c)] != nil {
			known = append(known, string(c))
		}
	}
	for c := range drawn {
		if !slices.Contains(known, c) {
			others = append(others, c)
		}
	}
	slices.Sort(others)
	return append(known, others...)
}

// faultsOf orders the faults that are named in any class as package eval lists them, and others behind them.
func faultsOf(drawn map[string]map[eval.Fault]int) []eval.Fault {
	seen := map[eval.Fault]bool{}
	for _, faults := range drawn {
		for f := range faults {
			seen[f] = true
		}
	}
	var list []eval.Fault
	for _, f := range slices.Concat(eval.ProviderFaults, eval.ProcessFaults, eval.BrokenPromises) {
		if seen[f] {
			list = append(list, f)
			delete(seen, f)
		}
	}
	var others []eval.Fault
	for f := range seen {
		others = append(others, f)
	}
	slices.Sort(others)
	return append(list, others...)
}

// plain keeps what others wrote from moving the cursor, breaking a line or turning the direction of writing.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(s, "·"))
}

// some writes a number of things.
func some(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(float64(n)) + " " + more
}
