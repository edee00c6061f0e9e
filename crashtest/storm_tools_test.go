//go:build unix

package crashtest

import "time"

// The figures of the storm's tools. They are short, so that a run ends, and they are long enough for the promises to apply
// to what the storm does:
//
//   - A permit lasts two seconds and is extended by heartbeats. A freeze outlasts it, whenever it begins.
//   - The provider answers at once. A second of flight is for a busy machine, which may run a process late.
//   - The stall allowance is the longest freeze after which a process of class 3 or 4 may still wake and send. The storm
//     wakes everybody whom it has frozen after stormLongest at most, and kills whom it finds frozen for stormTooLong, as a
//     busy machine may bring about: from there on those classes promise nothing. Class 5 promises for freezes of any
//     length, so workers that serve nothing else are frozen for as long as they must be.
const (
	stormPermit    = 2 * time.Second
	stormFlight    = time.Second
	stormAllowance = 15 * time.Second // as the tools state it
	stormLongest   = 9 * time.Second
	stormTooLong   = 12 * time.Second
)

// stormTools are a tool of each class whose effects lie outside. No person is asked for charges or mails before the
// machines have had their turn, the allowance included; what stays unknown of a revocation nobody but a person can settle.
const stormTools = `
name: storm.charge
class: EXTERNAL_IDEMPOTENT_WRITE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "charge:{ref}", occurrence: NOBODY}
permit: {duration: 2s, greatest_age: 60s, stall_allowance: 15s}
retry: {initial_backoff: 0.05s, max_backoff: 0.5s, max_attempts: 100}
waiting: {lookup_wait: 2s, human_after: 120s}
policy: {loosen_reason: "Whoever is frozen here is woken within the allowance."}
provider:
  name: bank
  stores_client_reference: true
  idempotency_key: {supported: true, header: Idempotency-Key, retention: 86400s}
  lookups: [{by: CLIENT_REFERENCE, read_after_write: true, how: in memory}]
  longest_flight: 1s
---
name: storm.mail
class: EXTERNAL_NON_IDEMPOTENT_WRITE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "mail:{ref}", occurrence: NOBODY}
permit: {duration: 2s, greatest_age: 60s, stall_allowance: 15s}
retry: {initial_backoff: 0.05s, max_backoff: 0.5s, max_attempts: 100}
waiting: {human_after: 120s}
policy: {loosen_reason: "Whoever is frozen here is woken within the allowance."}
provider:
  name: post
  stores_client_reference: true
  lookups: [{by: CLIENT_REFERENCE, read_after_write: true, how: in memory}]
  longest_flight: 1s
---
name: storm.revoke
class: IRREVERSIBLE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "revoke:{ref}", occurrence: NOBODY}
permit: {duration: 2s, greatest_age: 60s}
retry: {initial_backoff: 0.05s, max_backoff: 0.5s, max_attempts: 100}
waiting: {human_after: 15s}
policy:
  loosen_reason: "A test, whose permits are short."
  approval: {waived: {reason: "The storm asks nobody."}}
provider:
  name: directory
  stores_client_reference: true
  lookups: [{by: CLIENT_REFERENCE, read_after_write: true, how: in memory}]
  longest_flight: 1s
`

const (
	stormCharge = "storm.charge"
	stormMail   = "storm.mail"
	stormRevoke = "storm.revoke"
)

// stormNames are the tools in turn.
var stormNames = []string{stormCharge, stormMail, stormRevoke}

// stormPaths is where each tool's requests go. The provider heeds keys at "keyed" alone.
var stormPaths = map[string]string{stormCharge: "/keyed/charges", stormMail: "/plain/mails", stormRevoke: "/plain/revocations"}
