package adapter

import (
	"strconv"

	"github.com/opledger/opledger/ledger"
)

// Codes of a report of a request that never left. They are part of the API: the failure of an operation shows them.
const (
	CodeTemplate          = "template"           // a template could not be filled in
	CodeSecretMissing     = "secret_missing"     // a secret is not there, or not released
	CodePlainHTTP         = "http_not_allowed"   // the operator does not allow requests without TLS
	CodeHostNotAllowed    = "host_not_allowed"   // the host is not among the tool's allowed ones
	CodeDNS               = "dns"                // the host's name is not resolved
	CodeAddressRefused    = "address_refused"    // the host's address is private, which the operator does not allow
	CodeConnectionRefused = "connection_refused" // nobody listens there
	CodeConnectTimeout    = "connect_timeout"
	CodeConnect           = "connect" // no connection for another reason
	CodeTLS               = "tls"     // the certificate is not valid for the host, or the handshake failed
	CodePermit            = "permit"  // the permit ended, or the begin was refused
)

// Codes of a request that left and of which no whole answer came.
const (
	CodeTimeout        = "timeout"
	CodeConnectionLost = "connection_lost"
	CodeMalformed      = "malformed_answer"
	CodeTooLong        = "answer_too_long"
)

// fault is why there is no whole answer.
type fault struct {
	code     string
	message  string // a sentence's end for people; no arguments, no secrets
	sent     bool   // a byte of the request has left, or may have
	category ledger.Category
	status   int // of an answer that was not read to its end; zero: none
}

// note tells the fault to people.
func (f *fault) note() string { return f.code + ": " + f.message }

// failed reports a request without a whole answer.
func failed(f *fault) ledger.Report {
	r := ledger.Report{
		Outcome: ledger.OutcomeNotSent, Category: ledger.CategoryNotSent, Code: f.code, Message: f.message, SenderReturned: true,
	}
	if f.sent {
		r.Outcome, r.Category = ledger.OutcomeAmbiguous, f.category
	}
	if f.status != 0 {
		r.RawStatusCode = strconv.Itoa(f.status)
	}
	return r
}
