package crashtest

// The tools of the load. Permits, stall allowances and flights are as short as the contract admits, so that many permits
// end in silence within one run: the provider here answers at once, and an executor here looks at its clock right before
// it sends.
const tools = `
name: mail.send
class: EXTERNAL_NON_IDEMPOTENT_WRITE
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "mail:{ref}", occurrence: NOBODY}
permit: {duration: 1s, greatest_age: 2s, stall_allowance: 1s}
retry: {initial_backoff: 0.05s, max_backoff: 0.1s, max_attempts: 50}
policy: {loosen_reason: A test whose executors never send after their deadline.}
waiting: {human_after: 3600s}
provider:
  name: post
  stores_client_reference: true
  lookups: [{by: CLIENT_REFERENCE, read_after_write: true, how: in memory}]
  longest_flight: 0.1s
---
name: card.charge
class: EXTERNAL_IDEMPOTENT_WRITE
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "charge:{ref}", occurrence: NOBODY}
permit: {duration: 1s, greatest_age: 2s, stall_allowance: 1s}
retry: {initial_backoff: 0.05s, max_backoff: 0.1s, max_attempts: 50}
policy: {loosen_reason: A test whose executors never send after their deadline.}
waiting: {human_after: 3600s, lookup_wait: 1s}
provider:
  name: bank
  stores_client_reference: true
  idempotency_key: {supported: true, header: Idempotency-Key, retention: 86400s}
  lookups: [{by: CLIENT_REFERENCE, read_after_write: true, how: in memory}]
  longest_flight: 0.1s
---
# Two amounts on one order: while one is open the other is blocked.
name: refund.pay
class: EXTERNAL_NON_IDEMPOTENT_WRITE
arguments_schema: {type: object, required: [ref, amount], properties: {ref: {type: string}, amount: {type: string}}}
identity: {key_template: "refund:{ref}:{amount}", occurrence: NOBODY, entity: {type: order, id: "{ref}"}}
permit: {duration: 1s, greatest_age: 2s, stall_allowance: 1s}
retry: {initial_backoff: 0.05s, max_backoff: 0.1s, max_attempts: 50}
policy: {loosen_reason: A test whose executors never send after their deadline.}
waiting: {human_after: 3600s}
provider:
  name: bank
  account: refunds
  stores_client_reference: true
  lookups: [{by: CLIENT_REFERENCE, read_after_write: true, how: in memory}]
  longest_flight: 0.1s
`
