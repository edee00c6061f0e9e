package adapter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// outcomes are the ledger's words for what an answer means.
var outcomes = map[registry.HTTPOutcome]ledger.Outcome{
	registry.HTTPSucceeded: ledger.OutcomeSucceeded, registry.HTTPNoop: ledger.OutcomeNoop,
	registry.HTTPAcknowledged: ledger.OutcomeAcknowledge, registry.HTTPRejected: ledger.OutcomeRejected,
	registry.HTTPRateLimited: ledger.OutcomeRateLimited, registry.HTTPDeclined: ledger.OutcomeDeclined,
	registry.HTTPAmbiguous: ledger.OutcomeAmbiguous,
}

// report says what an answer means: by the tool's first rule that matches, else by the defaults that the API states, and
// then by the profile.
func (c *Caller) report(tool *registry.Definition, a *answer) ledger.Report {
	r := ledger.Report{SenderReturned: true, RawStatusCode: strconv.Itoa(a.status)}
	var extract registry.HTTPExtract
	if rule := a.rule(tool); rule != nil {
		r.Outcome, extract = outcomes[rule.Outcome], rule.Extract
		if r.Outcome == ledger.OutcomeAmbiguous {
			r.Category = ledger.CategoryProviderError
		}
	} else {
		r.Outcome, r.Category = a.byStatus(tool)
	}
	r.Replayed = tool.HTTP.Replayed != nil && a.holds(tool.HTTP.Replayed, a.body)
	r.RequestRef = headerText(a.header, extract.ProviderRequestIDHeader)
	a.ids(tool, &extract, &r)
	c.code(tool, a, &extract, &r)
	switch r.Outcome {
	case ledger.OutcomeSucceeded, ledger.OutcomeNoop, ledger.OutcomeAcknowledge:
		r.ResultJSON = a.result(extract.Result)
	default:
		if extract.Result != "" {
			r.ResultJSON = a.result(extract.Result)
		}
		if r.Message == "" {
			r.Message = "the provider answered " + r.RawStatusCode
			if r.Code != r.RawStatusCode {
				r.Message += fmt.Sprintf(" (%s)", r.Code)
			}
		}
	}
	return r
}

// rule is the tool's first rule that matches.
func (a *answer) rule(tool *registry.Definition) *registry.HTTPOutcomeRule {
	for i := range tool.HTTP.Outcomes {
		if rule := &tool.HTTP.Outcomes[i]; a.holds(&rule.When, a.body) {
			return rule
		}
	}
	return nil
}

// byStatus is what an answer means that no rule speaks of.
func (a *answer) byStatus(tool *registry.Definition) (ledger.Outcome, ledger.Category) {
	switch {
	case a.status/100 == 2 && (a.isJSON || len(bytes.TrimSpace(a.raw)) == 0):
		return ledger.OutcomeSucceeded, ""
	case a.status/100 == 2:
		return ledger.OutcomeAmbiguous, ledger.CategoryMalformedAnswer
	case a.status == http.StatusTooManyRequests:
		return ledger.OutcomeRateLimited, ""
	case a.status == http.StatusRequestTimeout, a.status == http.StatusConflict, a.status == http.StatusTooEarly:
		return ledger.OutcomeAmbiguous, ledger.CategoryProviderError // it speaks of another request, or of none
	case a.status/100 == 4:
		return ledger.OutcomeRejected, ""
	case a.status/100 == 5 && !tool.Provider.FiveXXMayCommit:
		return ledger.OutcomeDeclined, ""
	}
	return ledger.OutcomeAmbiguous, ledger.CategoryProviderError
}

// ids reads whose effect the answer tells of. A success whose answer lacks an id that its rule reads is not the answer
// that the tool's owner knows, and what it means cannot be told.
func (a *answer) ids(tool *registry.Definition, e *registry.HTTPExtract, r *ledger.Report) {
	r.ObjectID = textAt(a.body, e.ProviderObjectID)
	r.EffectID = textAt(a.body, e.EffectID)
	lacks := e.ProviderObjectID != "" && r.ObjectID == "" || e.EffectID != "" && r.EffectID == ""
	switch tool.Effect {
	case registry.EffectNone:
		r.EffectID = ""
	case registry.EffectCreatedObject, "":
		if e.EffectID == "" {
			r.EffectID = r.ObjectID
		}
	}
	says := r.Outcome == ledger.OutcomeSucceeded || r.Outcome == ledger.OutcomeNoop || r.Outcome == ledger.OutcomeAcknowledge
	if says && (lacks || e.Result != "" && !a.has(e.Result)) {
		r.Outcome, r.Category = ledger.OutcomeAmbiguous, ledger.CategoryMalformedAnswer
		r.Message = fmt.Sprintf("the provider answered %d without what the tool reads of such an answer", a.status)
	}
}

func (a *answer) has(pointer string) bool {
	_, there := at(a.body, pointer)
	return there
}

// code reads the provider's code of what is no success. One that the profile lists as retryable means that the provider
// did nothing and may later.
func (c *Caller) code(tool *registry.Definition, a *answer, e *registry.HTTPExtract, r *ledger.Report) {
	switch r.Outcome {
	case ledger.OutcomeSucceeded, ledger.OutcomeNoop, ledger.OutcomeAcknowledge:
		return
	}
	if r.Code = textAt(a.body, e.Code); r.Code == "" || len(r.Code) > registry.MaxRetryCodeSize {
		r.Code = strconv.Itoa(a.status)
	}
	weighed := r.Outcome == ledger.OutcomeRejected || r.Outcome == ledger.OutcomeAmbiguous && a.status/100 != 2
	if weighed && slices.Contains(tool.Provider.RetryableCodes, r.Code) {
		r.Outcome, r.Category = ledger.OutcomeDeclined, ""
	}
	if r.Outcome == ledger.OutcomeRateLimited || r.Outcome == ledger.OutcomeDeclined {
		r.RetryAfter = c.retryAfter(a.header, tool.Provider.RateLimit.RetryAfterHeader)
	}
}

// maxRetryAfter bounds how long a provider's word is heeded: what it does not want for a week is a person's matter, and the
// tool's own bounds come first anyway.
const maxRetryAfter = 7 * 24 * time.Hour

// retryAfter reads when the provider wants to be asked again, in seconds or as an HTTP date (RFC 9110, section 10.2.3).
// Zero: it does not say.
func (c *Caller) retryAfter(h http.Header, name string) time.Duration {
	if name == "" {
		name = "Retry-After"
	}
	text := strings.TrimSpace(h.Get(name))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil { // some send fractions
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now := c.config.Clock()
	if sent, err := http.ParseTime(h.Get("Date")); err == nil {
		now = sent // the provider's own clock, by which it names the date
	}
	return min(max(date.Sub(now), 0), maxRetryAfter)
}

// resultLimits are those of every result that an executor reports.
var resultLimits = canon.Limits{Bytes: 1 << 20, Values: 1 << 19, NumberBytes: 4096, NameBytes: 4096}

// inexact are the faults of numbers that identity must refuse. A result is no identity: its numbers are kept as text.
var inexact = []canon.Reason{canon.ReasonNumberChanged, canon.ReasonNumberOverflow, canon.ReasonNumberUnderflow}

// result is the part of the answer that is kept.
func (a *answer) result(pointer string) []byte {
	if !a.isJSON {
		return nil
	}
	if pointer == "" {
		return fit(bytes.TrimSpace(a.raw))
	}
	v, there := at(a.body, pointer)
	if !there {
		return nil
	}
	return encoded(v)
}

// encoded writes a part of an answer.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return fit(bytes.TrimSpace(b.Bytes()))
}

// fit leaves out what is too long, or is JSON that two readers could take differently: nothing hangs on it.
func fit(text []byte) []byte {
	_, faults := canon.Parse(text, resultLimits)
	if slices.ContainsFunc(faults, func(f canon.Fault) bool { return !slices.Contains(inexact, f.Reason) }) {
		return nil
	}
	return text
}

// headerText is a header's value, if it can be kept.
func headerText(h http.Header, name string) string {
	if name == "" {
		return ""
	}
	return kept(h.Get(name))
}
