package proto_test

import (
	"errors"
	"strings"
	"testing"

	"buf.build/go/protovalidate"
	"buf.build/go/protoyaml"
	"google.golang.org/protobuf/proto"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
)

// TestRequestsAreBounded takes requests as a person would type them, changes one thing, and expects the rule of that
// field, and no other, to speak. An empty violation says that the request is right.
func TestRequestsAreBounded(t *testing.T) {
	const (
		proposal = "request_id: 2f1e3c52-6f0b-4a52-9d57-0f3a4a7a6f10\ntool: payment.capture\n"
		attempt  = "operation_id: op_01J\nattempt_id: att_01J\nattempt_token: t\n"
		report   = attempt + "report_id: 2f1e3c52-6f0b-4a52-9d57-0f3a4a7a6f10\n"
		evidence = "operation_id: op_01J\nrequest_id: 2f1e3c52-6f0b-4a52-9d57-0f3a4a7a6f10\n" +
			"evidence:\n  evidence_id: 2f1e3c52-6f0b-4a52-9d57-0f3a4a7a6f10\n  verdict: VERDICT_HAPPENED\n"
		lease = "request_id: 2f1e3c52-6f0b-4a52-9d57-0f3a4a7a6f10\nworkflow_id: wf_1\nrun_id: run_1\n"
	)
	// Sixteen zero bytes, in base64.
	const nonce = "begin_nonce: AAAAAAAAAAAAAAAAAAAAAA==\n"
	cases := []struct {
		name, yaml, violation string
		message               proto.Message
	}{
		{"the smallest proposal", proposal, "", &opledgerv1.ProposeOperationRequest{}},
		{"a whole proposal", proposal + "workflow_id: wf_1\nrun_id: lg:thread-7/run@2\ntool_version: 3\n" +
			"arguments_json: '{\"order_id\":\"order_123\"}'\noccurrence: item_2\nentity: {type: order, id: order_123}\n" +
			"correlation: {tool_call_id: call_0}\nmode: PROPOSAL_MODE_PLAN_ONLY\nwait: 30s\n" +
			"revise: {revision: 1, reason: the card was declined}\noverride_grant_ids: [gr_1]\n",
			"", &opledgerv1.ProposeOperationRequest{}},
		{"no request id", "tool: payment.capture\n", "request_id", &opledgerv1.ProposeOperationRequest{}},
		{"a request id that is no UUID", "request_id: again\ntool: payment.capture\n", "request_id", &opledgerv1.ProposeOperationRequest{}},
		{"no tool", "request_id: 2f1e3c52-6f0b-4a52-9d57-0f3a4a7a6f10\n", "tool", &opledgerv1.ProposeOperationRequest{}},
		{"a version of zero", proposal + "tool_version: 0\n", "tool_version", &opledgerv1.ProposeOperationRequest{}},
		{"a workflow id with a space", proposal + "workflow_id: wf 1\n", "workflow_id", &opledgerv1.ProposeOperationRequest{}},
		{"a mode from the future", proposal + "mode: 99\n", "mode", &opledgerv1.ProposeOperationRequest{}},
		{"a wait of an hour", proposal + "wait: 3600s\n", "wait", &opledgerv1.ProposeOperationRequest{}},
		{"an entity without an id", proposal + "entity: {type: order}\n", "entity.id", &opledgerv1.ProposeOperationRequest{}},
		{"a revision of nothing", proposal + "revise: {reason: again}\n", "revise.predecessor", &opledgerv1.ProposeOperationRequest{}},
		{"a revision without a reason", proposal + "revise: {revision: 1}\n", "revise.reason", &opledgerv1.ProposeOperationRequest{}},
		{"arguments of more than 1 MiB", proposal + "arguments_json: '" + strings.Repeat("x", 1<<20+1) + "'\n",
			"arguments_json", &opledgerv1.ProposeOperationRequest{}},

		{"a begin", attempt + nonce, "", &opledgerv1.BeginAttemptRequest{}},
		{"a begin without a nonce", attempt, "begin_nonce", &opledgerv1.BeginAttemptRequest{}},
		{"a begin with a short nonce", attempt + "begin_nonce: AAAA\n", "begin_nonce", &opledgerv1.BeginAttemptRequest{}},
		{"an extension before the begin", attempt, "", &opledgerv1.ExtendAttemptRequest{}},
		{"an extension by nothing", attempt + "extend_by: 0s\n", "extend_by", &opledgerv1.ExtendAttemptRequest{}},

		{"a report", report + "sender_returned: true\nsucceeded: {}\nanswer: {provider_object_id: ch_1}\n", "", &opledgerv1.ReportAttemptRequest{}},
		{"a report of nothing", report, "outcome", &opledgerv1.ReportAttemptRequest{}},
		{"a report without an id", attempt + "succeeded: {}\n", "report_id", &opledgerv1.ReportAttemptRequest{}},

		{"a lookup's answer", evidence + "  lookup: {by: LOOKUP_BY_VENDOR_KEY, value: k}\n", "", &opledgerv1.ReconcileRequest{}},
		{"evidence from nowhere", evidence, "evidence.source", &opledgerv1.ReconcileRequest{}},
		{"a person who has seen nothing", evidence + "  person: {reason: called them}\n",
			"evidence.person.seen_operation_version", &opledgerv1.ReconcileRequest{}},

		{"a lease", lease + "entities: [{type: order, id: '1'}]\nttl: 30s\n", "", &opledgerv1.AcquireEntityLeaseRequest{}},
		{"a lease for no time", lease + "entities: [{type: order, id: '1'}]\nttl: 0s\n", "ttl", &opledgerv1.AcquireEntityLeaseRequest{}},
		{"a lease for years", lease + "entities: [{type: order, id: '1'}]\nttl: 99999999s\n", "ttl", &opledgerv1.AcquireEntityLeaseRequest{}},
		{"a lease without an end", lease + "entities: [{type: order, id: '1'}]\n", "ttl", &opledgerv1.AcquireEntityLeaseRequest{}},

		{"an event without an id", "source: chat\npayload_json: '{}'\n", "event_id", &opledgerv1.RecordInboundEventRequest{}},
		{"a page of a million", "page_size: 1000000\n", "page_size", &opledgerv1.ListOperationsRequest{}},
		{"an empty batch", "{}\n", "requests", &opledgerv1.BatchProposeRequest{}},
		{"a batch of which one item is wrong, which gets its own answer", "requests: [{tool: 7up}]\n", "", &opledgerv1.BatchProposeRequest{}},
	}
	validator, err := protovalidate.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := protoyaml.Unmarshal([]byte(c.yaml), c.message); err != nil {
				t.Fatal(err)
			}
			got := violated(t, validator.Validate(c.message))
			want := []string{c.violation}
			if c.violation == "" {
				want = nil
			}
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Fatalf("violated: %q, want %q", got, want)
			}
		})
	}
}

// TestToolDefinitionReadsAsYAML: a definition as its owner writes it, with a part of everything.
func TestToolDefinitionReadsAsYAML(t *testing.T) {
	const text = `
name: payment.capture
class: TOOL_CLASS_EXTERNAL_IDEMPOTENT_WRITE
arguments_schema:
  type: object
  required: [order_id, amount, currency]
identity:
  fields:
    /amount: {money: {form: MONEY_FORM_MAJOR, currency_field: /currency}}
    /to: {set: {of: {email: {local: LETTER_CASE_LOWER}}}}
    /note: {ignore: {}}
  key_template: "payment:{order_id}:capture:{amount}:{currency}"
  key_version: 2
  entity: {type: order, id: "{order_id}"}
  change: {continues: {}}
exclusive: {group: money}
provider:
  name: example
  idempotency_key: {supported: true, header: Idempotency-Key, retention: 86400s}
  lookups: [{by: LOOKUP_BY_VENDOR_KEY, read_after_write: true}]
  five_xx_may_commit: true
reconcile: [RECONCILE_STRATEGY_LOOKUP, RECONCILE_STRATEGY_RESEND, RECONCILE_STRATEGY_PERSON]
policy:
  limits: [{name: per_customer, per: "{args.customer_id}", max: "10", period: 3600s}]
  conflicts: [{name: goodwill, tools: [credit.grant], period: 86400s}]
playbook:
  steps: [{name: refund, tool: refund.create, arguments_template: "{}"}]
messages:
  unknown_outcome: {safe_user_message: The payment is being confirmed.}
`
	definition := &opledgerv1.ToolDefinition{}
	if err := protoyaml.Unmarshal([]byte(text), definition); err != nil {
		t.Fatal(err)
	}
	if err := protovalidate.Validate(definition); err != nil {
		t.Fatal(err)
	}
	if err := protoyaml.Unmarshal([]byte(text+"retries: {}\n"), definition); err == nil {
		t.Fatal("an unknown setting was read over")
	}
}

// violated lists the fields that a validation complains of.
func violated(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var validation *protovalidate.ValidationError
	if !errors.As(err, &validation) {
		t.Fatal(err)
	}
	var fields []string
	for _, v := range validation.Violations {
		fields = append(fields, protovalidate.FieldPathString(v.Proto.GetField()))
	}
	return fields
}
