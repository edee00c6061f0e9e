package demo

import "fmt"

// Result is what a play came to.
type Result struct {
	OK        bool     `json:"ok"` // what Opledger promises was kept, in each story that was played
	*Payments          // absent: the first story was not played
	Control   *Control `json:"control,omitempty"` // absent: the second story was not played
	Plan      *Plan    `json:"plan,omitempty"`    // absent: the third story was not played
	Seconds   float64  `json:"seconds"`
	Problems  []string `json:"problems"` // empty where OK
}

// judge says whether each story kept what Opledger promises.
func (r *Result) judge() {
	r.Problems = []string{}
	bad := func(format string, args ...any) { r.Problems = append(r.Problems, fmt.Sprintf(format, args...)) }
	if r.Payments != nil {
		r.Payments.judge(bad)
	}
	if r.Control != nil {
		r.Control.judge(bad)
	}
	if r.Plan != nil {
		r.Plan.judge(bad)
	}
	r.OK = len(r.Problems) == 0
}

// Operation is one operation of an act through Opledger, as the ledger knows it at the end.
type Operation struct {
	OperationID      string   `json:"operation_id"`
	Tool             string   `json:"tool"`
	State            string   `json:"state"`
	IdempotencyKey   string   `json:"idempotency_key"`
	ProviderObjectID string   `json:"provider_object_id"`
	Undoes           string   `json:"undoes,omitempty"` // the operation whose effect it undoes
	Decisions        []string `json:"decisions"`        // the answers to the proposals, in order
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

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
