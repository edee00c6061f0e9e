package provider

import (
	"net/http"
	"time"
)

// Method is what a request asks for.
type Method string

// The methods.
const (
	Create Method = "create"
	// Undo undoes an effect. It is an effect of its own, under its own business key, each time: a provider that refused the
	// second one would hide from the count what a ledger let through.
	Undo Method = "undo"
	// Read makes no effect. Faults befall its answer only.
	Read Method = "read"
)

// Request is one request as it leaves its sender.
type Request struct {
	Method Method `json:"method"` // empty: Create
	// Collection is the kind of object, "charges".
	Collection string `json:"collection"`
	// BusinessKey is what the effect is for. The count is kept by it; no provider heeds it.
	BusinessKey string `json:"business_key"`
	// VendorKey is the idempotency key; empty: the request bears none.
	VendorKey string `json:"vendor_key,omitempty"`
	// ClientReference is a text that the object keeps and lookups find.
	ClientReference string `json:"client_reference,omitempty"`
	// Undoes is the id of the effect that is to be undone (Undo only).
	Undoes string `json:"undoes,omitempty"`
	// Plain: the request comes in by a door where keys are not heeded, whatever the profile says.
	Plain bool `json:"plain,omitempty"`
	// Body are the parameters. Under one key they must be the same.
	Body []byte `json:"body,omitempty"`
	// Patience is how long the sender waits for an answer. Zero: defaultPatience.
	Patience time.Duration `json:"patience_ns,omitempty"`
}

// Kind is how an exchange ended, as its sender saw it.
type Kind string

// The kinds.
const (
	Answered Kind = "answered"
	NoAnswer Kind = "no_answer" // the sender gave up waiting
	Reset    Kind = "reset"     // the connection was reset
)

// Answer is what the sender of a request saw. What really happened is not in it: see Effects.
type Answer struct {
	Kind   Kind        `json:"kind"`
	Status int         `json:"status,omitempty"` // zero: no head of an answer came
	Header http.Header `json:"header,omitempty"`
	// Body is as much as came. Length is how much was announced; where less came, the connection ended or the sender gave
	// up first.
	Body   []byte `json:"body,omitempty"`
	Length int    `json:"length,omitempty"`
	// EffectID is the id of the object in an answer that came whole.
	EffectID string `json:"effect_id,omitempty"`
	// Took is the time until the sender knew this much.
	Took time.Duration `json:"took_ns"`
}

// Whole reports whether a body came as it was announced.
func (a Answer) Whole() bool { return a.Kind == Answered && len(a.Body) == a.Length }

// Replayed reports whether the provider said that it answered from its record of the key.
func (a Answer) Replayed() bool { return a.Header.Get(ReplayedHeader) == "true" }

// Headers of requests and answers.
const (
	KeyHeader      = "Idempotency-Key"
	ReplayedHeader = "Idempotent-Replayed"
)

// Times of an exchange.
const (
	usualTook       = 100 * time.Millisecond
	defaultPatience = 30 * time.Second
)

// whole fills in what is not said.
func (r Request) whole() Request {
	if r.Method == "" {
		r.Method = Create
	}
	if r.Patience == 0 {
		r.Patience = defaultPatience
	}
	return r
}
