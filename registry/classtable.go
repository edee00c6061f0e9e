package registry

import (
	"strconv"
	"strings"
)

// ClassRow is what a class brings, in words: a row of the class table as documentation and the command line print it.
type ClassRow struct {
	Class          Class
	Attempts       string // the first included
	Permit         string // the time-out of one attempt, from its permit to its deadline
	Exclusive      string // whether operations on one entity exclude each other, if the tool names an entity
	Begin          string // whether a begin is required before the first byte
	Approval       string
	Lease          string
	Repetition     string // who may ask for a wanted repetition
	AfterAmbiguity string // what is tried when an outcome is unknown, in order, as far as the provider's profile allows
	Audit          string // what is recorded
}

// ClassTable gives the class table, from harmless to irreversible. A definition makes each setting stricter by stating
// it, or looser with a reason that is recorded; see Loosened.
func ClassTable() []ClassRow {
	rows := make([]ClassRow, 0, len(Classes))
	for _, class := range Classes {
		d := classTable[class]
		rows = append(rows, ClassRow{
			Class: class, Attempts: strconv.Itoa(d.Attempts), Permit: d.Permit.String(),
			Exclusive: d.exclusive(class), Begin: either(d.Begin, "required", "not required"),
			Approval:       either(d.StateApproval, "must be stated: who, or nobody and why", "none"),
			Lease:          either(d.LeaseBlocks, "none needed; another workflow's lease blocks", "none needed; none blocks"),
			Repetition:     either(d.Occurrence == OccurrenceRepeatGrant, "a repeat grant", "any caller"),
			AfterAmbiguity: d.afterAmbiguity(),
			// No class records less: what happened to be harmless is known only afterwards.
			Audit: "every decision, attempt and report, with rule, inputs and outcome",
		})
	}
	return rows
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

func (d *ClassDefaults) exclusive(class Class) string {
	switch {
	case d.OwnGroup:
		return "in the tool's own group"
	case class == ExternalIdempotentWrite:
		return "must be stated"
	}
	return "no"
}

func (d *ClassDefaults) afterAmbiguity() string {
	if len(d.Reconcile) == 0 {
		return "asked again"
	}
	words := make([]string, len(d.Reconcile))
	for i, s := range d.Reconcile {
		words[i] = strings.ToLower(string(s))
	}
	return strings.Join(words, ", ")
}
