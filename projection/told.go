package projection

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/ledger"
)

// outcome is what is known of an operation's effect.
type outcome string

const (
	done      outcome = "done"
	alreadySo outcome = "already_so"
	notDone   outcome = "not_done" // and it will not be under this revision
	undone    outcome = "undone"   // it was done, and has been undone
	unsettled outcome = "open"
)

// outcomeOf is what a state knows. Whatever it does not know is open.
func outcomeOf(s ledger.State) outcome {
	switch s {
	case ledger.CompletedSuccess:
		return done
	case ledger.CompletedNoop:
		return alreadySo
	case ledger.FailedPermanent:
		return notDone
	case ledger.Compensated:
		return undone
	}
	return unsettled
}

// mayHaveHappened reports whether the effect of an open operation may exist.
func mayHaveHappened(o *ledger.Operation) bool {
	switch o.State {
	case ledger.Planned, ledger.PendingDispatch, ledger.FailedRetryable:
		return o.PresenceSaid
	}
	return !o.State.Ended()
}

// The greatest sizes of what is told of one operation, in bytes. Longer ones are left out, and that is said: half a JSON
// text is read as a whole one.
const (
	maxArguments = 1 << 10
	maxResult    = 2 << 10
	maxText      = 500
)

// told is what is told of one operation.
type told struct {
	ID         string  `json:"operation_id"`
	Version    int64   `json:"version,omitempty"`
	Tool       string  `json:"tool"`
	Entity     string  `json:"entity,omitempty"`
	Occurrence string  `json:"occurrence,omitempty"`
	State      string  `json:"state"`
	Outcome    outcome `json:"outcome"`
	// MayHaveHappened is stated of open operations alone.
	MayHaveHappened *bool           `json:"may_have_happened,omitempty"`
	Arguments       json.RawMessage `json:"arguments,omitempty"`
	Result          json.RawMessage `json:"result,omitempty"`
	// Omitted names what there is and is not told here: it is sensitive, or too long.
	Omitted        []string `json:"omitted,omitempty"`
	EffectTime     string   `json:"effect_time,omitempty"`
	ProviderObject string   `json:"provider_object_id,omitempty"`
	Failure        string   `json:"failure,omitempty"` // its category
	WaitsFor       string   `json:"waits_for,omitempty"`
	Incidents      []string `json:"incidents,omitempty"`
	Undoes         string   `json:"undoes,omitempty"`
	SupersededBy   string   `json:"superseded_by,omitempty"`
	SafeUser       string   `json:"safe_user_message,omitempty"`
	Model          string   `json:"model_message,omitempty"`
}

// tell tells of one operation.
func tell(o *ledger.Operation, d detail) told {
	t := told{ID: string(o.ID), Tool: o.Tool, State: string(o.State), Outcome: outcomeOf(o.State)}
	if t.Outcome == unsettled {
		may := mayHaveHappened(o)
		t.MayHaveHappened = &may
	}
	if d >= namesAlone {
		return t
	}
	t.Version, t.Occurrence, t.SupersededBy = o.Version, cut(o.Occurrence, maxText), string(o.SupersededBy)
	if !o.Entity.IsZero() {
		t.Entity = o.Entity.String()
	}
	if o.Human != nil {
		t.WaitsFor = "a person"
	} else if o.State == ledger.Planned {
		t.WaitsFor = "an approval"
	}
	if o.Undoes != nil {
		t.Undoes = string(o.Undoes.Original)
	}
	for _, in := range o.Incidents {
		if n := len(t.Incidents); n == 0 || t.Incidents[n-1] != in.Kind {
			t.Incidents = append(t.Incidents, in.Kind)
		}
	}
	if f := o.Failure; f != nil {
		t.Failure = string(f.Category)
	}
	if d >= withoutArguments {
		return t
	}
	t.facts(o)
	if d >= withoutTexts {
		return t
	}
	says := ledger.TellState(o, o.UpdatedAt) // of which the sentences alone are told
	t.SafeUser, t.Model = cut(says.SafeUser, maxText), cut(says.Model, maxText)
	return t
}

// facts tells what was asked for and what came of it.
func (t *told) facts(o *ledger.Operation) {
	if t.Arguments = argumentsOf(o); t.Arguments == nil {
		t.Omitted = append(t.Omitted, "arguments")
	}
	r := o.Result
	if r == nil || t.Outcome != done && t.Outcome != alreadySo && t.Outcome != undone {
		return
	}
	if !r.EffectAt.IsZero() && t.Outcome != alreadySo {
		t.EffectTime = r.EffectAt.UTC().Format(time.RFC3339)
	}
	t.ProviderObject = cut(r.ProviderObjectID, maxText)
	switch {
	case len(r.JSON) == 0:
	case len(o.Sensitive) > 0 || len(r.JSON) > maxResult:
		t.Omitted = append(t.Omitted, "result")
	default:
		var b bytes.Buffer
		if json.Compact(&b, r.JSON) != nil {
			t.Omitted = append(t.Omitted, "result")
			return
		}
		t.Result = b.Bytes()
	}
}

// argumentsOf are the canonical arguments with a mark in place of sensitive values; nil where they are too long.
func argumentsOf(o *ledger.Operation) json.RawMessage {
	v, faults := canon.Parse(o.Canonical, canon.Limits{})
	if len(faults) > 0 {
		return nil
	}
	text := canon.Redact(v, o.Sensitive).Canonical()
	if len(text) > maxArguments {
		return nil
	}
	return text
}
