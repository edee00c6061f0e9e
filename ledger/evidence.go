package ledger

import (
	"time"

	"github.com/opledger/opledger/registry"
)

// Grade orders statements by how far they are believed. Among statements of one kind (presence, absence) a weaker one
// never overturns a stronger one.
type Grade int

// The grades, from the weakest to the strongest.
const (
	GradeClaim        Grade = iota + 1 // an executor's word, without the provider's own id
	GradePerson                        // a person's word
	GradeSearch                        // a search index
	GradeWebhook                       // a signed webhook
	GradeLookup                        // a read by vendor key, object id or client reference
	GradeReceipt                       // the provider's own answer to the request, with its id
	GradePersonDecree                  // an authorized person's recorded decision may overrule any
)

// Says is what a statement says of the effect.
type Says string

// The verdicts of evidence.
const (
	SaysHappened   Says = "happened"
	SaysInProgress Says = "in_progress"
	SaysNot        Says = "did_not_happen"
	SaysUnknown    Says = "unknown"
)

// Source is where a statement comes from.
type Source string

// The sources of evidence.
const (
	SourceLookup     Source = "lookup"
	SourceWebhook    Source = "webhook"
	SourcePerson     Source = "person"
	SourceLateReport Source = "late_report"
	SourceCopyReport Source = "copy_report" // of a permit that went out twice, or from a layer round the sender
)

// Evidence is a statement about the outside world, kept with the operation that it is about.
type Evidence struct {
	ID         EvidenceID `json:"id"`
	Source     Source     `json:"source"`
	Says       Says       `json:"says"`
	Grade      Grade      `json:"grade"`
	By         Principal  `json:"by"`
	ReceivedAt time.Time  `json:"received_at"`
	// AskedAt is when the question was asked, at the latest: a lookup is as fresh as its question.
	AskedAt time.Time `json:"asked_at,omitzero"`
	// Attempts is how many attempts existed then; a "no" speaks for those alone.
	Attempts   int64  `json:"attempts"`
	Attempt    int64  `json:"attempt,omitempty"` // of a report
	EffectID   string `json:"effect_id,omitempty"`
	Attributed bool   `json:"attributed,omitempty"` // carries this operation's own vendor key, reference, token or object
	Counted    bool   `json:"counted,omitempty"`    // it changed what is known
	Became     Became `json:"became,omitempty"`     // what else became of it; Effect says it whole
	Why        string `json:"why,omitempty"`        // why it did not count, or what it did
	Note       string `json:"note,omitempty"`
	// What its source said of itself, to be shown as it came.
	AskedBy     registry.LookupBy `json:"asked_by,omitempty"`     // of a lookup: the reference
	AskedValue  string            `json:"asked_value,omitempty"`  // and its value
	Search      bool              `json:"search,omitempty"`       // of a lookup: a search index was asked
	Sender      string            `json:"sender,omitempty"`       // of a webhook: whose event it is
	EventID     string            `json:"event_id,omitempty"`     // and which
	Reason      string            `json:"reason,omitempty"`       // of a person
	SeenVersion int64             `json:"seen_version,omitempty"` // of a person: the operation as it was looked at
	Overrules   bool              `json:"overrules,omitempty"`    // of a person: a decision against stronger statements
	Report      *KeptReport       `json:"report,omitempty"`       // of a report that came late, or from somebody who does not speak for it
}

// KeptReport is what such a report said beside its verdict.
type KeptReport struct {
	Outcome        Outcome `json:"outcome"`
	SenderReturned bool    `json:"sender_returned,omitempty"`
	Replayed       bool    `json:"provider_replayed,omitempty"`
	Said
}

// Said is what a report says beside its outcome, for whoever looks for the cause later. Of the provider's answer the
// result and its artifacts are not in it: they are the operation's. The server bounds its texts.
type Said struct {
	Category      Category      `json:"category,omitempty"` // as stated, of a failure or an ambiguity
	Code          string        `json:"code,omitempty"`
	Message       string        `json:"message,omitempty"` // the executor's words, without arguments or secrets
	Within        time.Duration `json:"within,omitempty"`  // the time to finish of an acknowledgement, the wait of a "no"
	Account       string        `json:"provider_account,omitempty"`
	RequestRef    string        `json:"provider_request_id,omitempty"`
	ObjectID      string        `json:"provider_object_id,omitempty"`
	RawStatusCode string        `json:"raw_status_code,omitempty"`
}
