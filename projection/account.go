package projection

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/opledger/opledger/ledger"
)

// account is the JSON form.
type account struct {
	Schema   string `json:"schema"`
	Workflow task   `json:"workflow"`
	// Open are the operations whose outcome is not settled.
	Open []told `json:"open"`
	// Ended are those that ended, oldest first.
	Ended []told `json:"ended"`
	// Summary counts those that ended before them; absent: none did.
	Summary *summary `json:"summary,omitempty"`
	// Truncated: still earlier ones ended that are not counted.
	Truncated bool `json:"truncated,omitempty"`
	// Exceeds: open operations alone take more than the size that was asked for.
	Exceeds bool `json:"exceeds_max_bytes,omitempty"`
}

// task is the workflow.
type task struct {
	ID      string `json:"id"`
	State   string `json:"state"`
	Request string `json:"user_request,omitempty"`
	Intent  string `json:"normalized_intent,omitempty"`
	Cut     bool   `json:"texts_cut,omitempty"`
}

// summary counts ended operations.
type summary struct {
	Count int `json:"count"`
	tally
	// Tools are the same by tool; absent where there was no room.
	Tools []toolSummary `json:"tools,omitempty"`
}

// toolSummary counts one tool's.
type toolSummary struct {
	Tool string `json:"tool"`
	tally
}

// tally counts outcomes.
type tally struct {
	Done      int `json:"done,omitempty"`
	AlreadySo int `json:"already_so,omitempty"`
	NotDone   int `json:"not_done,omitempty"`
	Undone    int `json:"undone,omitempty"`
}

func (t *tally) count(o outcome) {
	switch o {
	case done:
		t.Done++
	case alreadySo:
		t.AlreadySo++
	case notDone:
		t.NotDone++
	case undone:
		t.Undone++
	}
}

// sum counts ended operations; nil where there are none.
func sum(ended []*ledger.Operation, d detail) *summary {
	if len(ended) == 0 {
		return nil
	}
	s := &summary{Count: len(ended)}
	at := map[string]int{}
	for _, o := range ended {
		s.count(outcomeOf(o.State))
		if d > everything {
			continue
		}
		i, known := at[o.Tool]
		if !known { // in the order in which each tool was first used
			i = len(s.Tools)
			at[o.Tool] = i
			s.Tools = append(s.Tools, toolSummary{Tool: o.Tool})
		}
		s.Tools[i].count(outcomeOf(o.State))
	}
	return s
}

// json writes the account as it is read by people too: without HTML's escapes.
func (a *account) json() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(a) // a struct of plain fields always marshals
	return strings.TrimSuffix(b.String(), "\n")
}

// cut shortens a text to so many bytes, between characters.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
