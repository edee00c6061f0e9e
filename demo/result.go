package demo

import (
	"fmt"

	"github.com/opledger/opledger/demo/provider"
)

// Count is how many effects the provider counted.
type Count struct {
	Charges int `json:"charges"`
	Emails  int `json:"emails"`
}

// countAt counts at the provider.
func countAt(p *provider.Provider) Count {
	return Count{Charges: len(p.Charges()), Emails: len(p.Emails())}
}

func (c Count) String() string {
	return plural(c.Charges, "charge") + ", " + plural(c.Emails, "e-mail")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// effectsAt are the provider's ids of what it made first.
func effectsAt(p *provider.Provider) map[string]string {
	effects := map[string]string{}
	if charges := p.Charges(); len(charges) > 0 {
		effects[paymentTool] = charges[0].ID
	}
	if emails := p.Emails(); len(emails) > 0 {
		effects[receiptTool] = emails[0].ID
	}
	return effects
}

// Result is what a play came to.
type Result struct {
	OK         bool        `json:"ok"` // what Opledger promises was kept
	Naive      Count       `json:"naive"`
	Opledger   Count       `json:"opledger"`
	Operations []Operation `json:"operations"`
	Seconds    float64     `json:"seconds"`
	Problems   []string    `json:"problems"` // empty where OK

	effects map[string]string // the provider's id of the first effect, by tool
}

// Operation is one operation of the second act, as the ledger knows it at the end.
type Operation struct {
	OperationID      string   `json:"operation_id"`
	Tool             string   `json:"tool"`
	State            string   `json:"state"`
	IdempotencyKey   string   `json:"idempotency_key"`
	ProviderObjectID string   `json:"provider_object_id"`
	Decisions        []string `json:"decisions"` // the answers to the proposals, in order
	// The two sentences of the last answer, and of the one while the outcome was not known.
	SafeUserMessage        string  `json:"safe_user_message"`
	ModelMessage           string  `json:"model_message"`
	UnknownSafeUserMessage string  `json:"unknown_safe_user_message"`
	UnknownModelMessage    string  `json:"unknown_model_message"`
	Events                 []Event `json:"events"`
}

// Event is one line of an operation's history.
type Event struct {
	Seconds float64 `json:"seconds"` // since the operation was made
	Type    string  `json:"type"`
	From    string  `json:"from,omitempty"`
	To      string  `json:"to,omitempty"`
	Attempt int32   `json:"attempt,omitempty"`
	Run     string  `json:"run,omitempty"` // which got the attempt's permit
	Who     string  `json:"who"`
	Detail  string  `json:"detail,omitempty"`
}

// judge says whether the play kept what Opledger promises: exactly one charge and one e-mail at the provider, each of
// them known to the ledger as a success, under the provider's own id.
func (r *Result) judge() {
	r.Problems = []string{}
	bad := func(format string, args ...any) { r.Problems = append(r.Problems, fmt.Sprintf(format, args...)) }
	if r.Opledger != (Count{Charges: 1, Emails: 1}) {
		bad("through Opledger the provider counted %s; exactly one of each was to happen", r.Opledger)
	}
	for _, tool := range []string{paymentTool, receiptTool} {
		switch o := r.operation(tool); {
		case o == nil:
			bad("the ledger has no operation of %s", tool)
		case o.State != "completed_success":
			bad("%s (%s) ended as %s and not as completed_success", tool, o.OperationID, o.State)
		case o.ProviderObjectID == "" || o.ProviderObjectID != r.effects[tool]:
			bad("%s (%s) has %q recorded where the provider made %q", tool, o.OperationID, o.ProviderObjectID, r.effects[tool])
		}
	}
	if n := len(r.Operations); n > 2 {
		bad("the ledger has %d operations where the order needs two", n)
	}
	r.OK = len(r.Problems) == 0
}

func (r *Result) operation(tool string) *Operation {
	for i := range r.Operations {
		if r.Operations[i].Tool == tool {
			return &r.Operations[i]
		}
	}
	return nil
}
