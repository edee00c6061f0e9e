package projection

import (
	"fmt"
	"strconv"
	"strings"
)

// prose writes the account in sentences. What callers, providers and users wrote stands in it as JSON, on one line, so that
// none of it can be read as a sentence of the ledger's.
func (a *account) prose() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Workflow %s is %s. This is what the ledger knows of it.\n", a.Workflow.ID, a.Workflow.State)
	if a.Workflow.Request != "" {
		fmt.Fprintf(&b, "The user asked: %s\n", quoted(a.Workflow.Request, a.Workflow.Cut))
	}
	if a.Workflow.Intent != "" {
		fmt.Fprintf(&b, "Its normalized intent: %s\n", quoted(a.Workflow.Intent, a.Workflow.Cut))
	}
	if len(a.Open)+len(a.Ended) == 0 && a.Summary == nil {
		b.WriteString("No operation was made in it.\n")
	}
	if len(a.Open) > 0 {
		fmt.Fprintf(&b, "Open, %d: do not repeat them by another call, and do not say that they succeeded or failed.\n", len(a.Open))
		for i := range a.Open {
			b.WriteString(a.Open[i].sentence())
		}
	}
	if a.Summary != nil {
		fmt.Fprintf(&b, "Ended earlier, %d, summed up: %s.\n", a.Summary.Count, a.Summary.words())
		for _, t := range a.Summary.Tools {
			fmt.Fprintf(&b, "- %s: %s.\n", t.Tool, t.words())
		}
	}
	if a.Truncated {
		b.WriteString("Still earlier ones ended that are not counted here.\n")
	}
	if len(a.Ended) > 0 {
		fmt.Fprintf(&b, "Ended, %d, oldest first:\n", len(a.Ended))
		for i := range a.Ended {
			b.WriteString(a.Ended[i].sentence())
		}
	}
	if a.Exceeds {
		b.WriteString("This account is longer than was asked for, since no open operation is left out.\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func quoted(text string, cut bool) string {
	if cut {
		return strconv.Quote(text) + " (cut)"
	}
	return strconv.Quote(text)
}

// words say how many of each there are.
func (t *tally) words() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{t.Done, "done"}, {t.AlreadySo, "already so"}, {t.NotDone, "not done"}, {t.Undone, "done and undone"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	return strings.Join(parts, ", ")
}

// sentence tells of one operation on a line of its own.
func (t *told) sentence() string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s %s", t.ID, t.Tool)
	if t.Entity != "" {
		fmt.Fprintf(&b, " on %s", inline(t.Entity))
	}
	if t.Occurrence != "" {
		fmt.Fprintf(&b, " (occurrence %s)", inline(t.Occurrence))
	}
	if t.Arguments != nil {
		fmt.Fprintf(&b, " %s", t.Arguments)
	}
	fmt.Fprintf(&b, ": %s", t.outcomeWords())
	if t.WaitsFor != "" {
		fmt.Fprintf(&b, " It waits for %s.", t.WaitsFor)
	}
	if t.ProviderObject != "" {
		fmt.Fprintf(&b, " The provider's object is %s.", inline(t.ProviderObject))
	}
	if t.Result != nil {
		fmt.Fprintf(&b, " Result: %s.", t.Result)
	}
	if t.Undoes != "" {
		fmt.Fprintf(&b, " It undoes %s.", t.Undoes)
	}
	if t.SupersededBy != "" {
		fmt.Fprintf(&b, " A later, deliberate try of it is %s.", t.SupersededBy)
	}
	if len(t.Incidents) > 0 {
		fmt.Fprintf(&b, " Incidents: %s.", strings.Join(t.Incidents, ", "))
	}
	if len(t.Omitted) > 0 {
		fmt.Fprintf(&b, " Not shown: %s.", strings.Join(t.Omitted, ", "))
	}
	if t.SafeUser != "" {
		fmt.Fprintf(&b, " To be told to the user: %s", inline(t.SafeUser))
	}
	b.WriteByte('\n')
	return b.String()
}

// outcomeWords say what is known, and no more.
func (t *told) outcomeWords() string {
	at := ""
	if t.EffectTime != "" {
		at = " on " + t.EffectTime
	}
	switch t.Outcome {
	case done:
		return "done" + at + "."
	case alreadySo:
		return "it was already so; nothing was changed."
	case notDone:
		if t.Failure != "" {
			return "not done (" + t.Failure + ")."
		}
		return "not done."
	case undone:
		return "done" + at + ", and undone since."
	}
	if t.State == "compensating" {
		return "it was done, and is being undone."
	}
	if t.MayHaveHappened != nil && *t.MayHaveHappened {
		return "open (" + t.State + "); it may have happened."
	}
	return "open (" + t.State + "); it has not happened so far."
}

// inline keeps a text of others on one line.
func inline(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '\u2028' || r == '\u2029' || r == '\u0085' }) {
		return strconv.Quote(text)
	}
	return text
}
