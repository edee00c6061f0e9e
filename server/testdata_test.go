package server_test

// fieldTools are the tools that the field cases use, with short permits so that the arithmetic of the tests is easy to
// follow: flight and propagation together are what each case's table states.
const fieldTools = `
name: payment.capture
class: TOOL_CLASS_EXTERNAL_IDEMPOTENT_WRITE
arguments_schema:
  type: object
  required: [order_id, amount, currency]
  additionalProperties: false
  properties:
    order_id: {type: string}
    amount: {type: [string, number]}
    currency: {type: string}
    payment_method: {type: string}
    note: {type: string}
    idempotency_key: {type: string}
    client_ctx: {type: object}
identity:
  key_template: "payment:{order_id}:capture:{amount}:{currency}:{occurrence}"
  intent: capture
  entity: {type: order, id: "{order_id}"}
  caller_key: true
  fields:
    /order_id: {identifier: {trim: true}}
    /amount: {money: {form: MONEY_FORM_MAJOR, currency_field: /currency}}
    /currency: {enum: {values: [USD, EUR, JPY, KWD], case: LETTER_CASE_FOLD}}
    /payment_method: {ignore: {}}
    /note: {ignore: {}}
    /idempotency_key: {ignore: {}}
    /client_ctx: {ignore: {}}
permit: {duration: 60s, greatest_age: 900s}
retry: {initial_backoff: 0.1s, max_backoff: 1s}
exclusive: {none: {reason: "the key holds the amount; partial captures are wanted"}}
provider:
  name: acme-pay
  account: main
  stores_client_reference: true
  idempotency_key: {supported: true, header: Idempotency-Key, retention: 86400s, max_length: 64}
  lookups:
    - {by: LOOKUP_BY_VENDOR_KEY, how: GET /charges with the key}
    - {by: LOOKUP_BY_CLIENT_REFERENCE, how: GET /charges with the reference}
  longest_flight: 20s
  propagation_delay: 10s
  time_to_finish: 60s
  five_xx_may_commit: true
reconcile: [RECONCILE_STRATEGY_LOOKUP, RECONCILE_STRATEGY_RESEND, RECONCILE_STRATEGY_PERSON]
`
