package main

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	refund = `{"order_id":"order_123","amount":"10.00","currency":"USD"}`
	mail   = `{"template":"receipt","ref":"order_123","to":["ann@example.com"]}`
)

// TestOneOperationFromProposalToEnd goes the whole way of a script, and looks at it as a person does.
func TestOneOperationFromProposalToEnd(t *testing.T) {
	r := serveProcess(t, nil)
	has(t, "no tool", r.ok(t, "tools", "list"), "opledger tools apply")
	has(t, "apply", r.ok(t, "tools", "apply", tool("refund.create"), tool("email.send")), "refund.create is v1 now", "email.send is v1 now")

	proposed := r.json(t, "propose", "refund.create", "--arguments", refund, "--workflow", "wf_1")
	id, attempt, token := text(proposed, "permit.operation_id"), text(proposed, "permit.attempt_id"), text(proposed, "permit.attempt_token")
	if text(proposed, "decision") != "DECISION_EXECUTE" || id == "" || attempt == "" || token == "" {
		t.Fatalf("got %v", proposed)
	}
	has(t, "a second proposal", r.ok(t, "propose", "refund.create", "--arguments", refund), "in_flight", id)
	has(t, "show", r.ok(t, "ops", "show", id), "dispatched since", "refund:order_123:1000:USD:~:v1", "order/order_123", attempt, "live until")

	t.Setenv("OPLEDGER_ATTEMPT_TOKEN", token)
	has(t, "report", r.ok(t, "report", id, attempt, "--outcome", "succeeded", "--object-id", "re_1", "--result", `{"ok":true}`), "completed_success", `{"ok":true}`)
	replayed := r.json(t, "propose", "refund.create", "--arguments", strings.Replace(refund, "10.00", "10", 1))
	if text(replayed, "decision") != "DECISION_REPLAYED" || text(replayed, "result.provider_object_id") != "re_1" || replayed["permit"] != nil {
		t.Errorf("got %v", replayed)
	}

	has(t, "events", r.ok(t, "ops", "events", id), "created", "permit_granted", "dispatched -> completed_success")
	has(t, "list", r.ok(t, "ops", "list", "--state", "completed_success", "--entity", "order/order_123", "--workflow", "wf_1"), id)
	has(t, "an empty list", r.ok(t, "ops", "list", "--state", "unknown_outcome"), "No operation")
	has(t, "watch", r.ok(t, "ops", "watch", id), "completed_success")
	has(t, "cancel", r.ok(t, "ops", "cancel", id), "nothing to cancel")
	r.stop(t)
}

func TestAnUnknownOutcomeIsSeenAndSettled(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("email.send"))
	permit := r.json(t, "propose", "email.send", "--arguments", mail)
	id, attempt, token := text(permit, "permit.operation_id"), text(permit, "permit.attempt_id"), text(permit, "permit.attempt_token")
	begun := r.json(t, "begin", id, attempt, "--attempt-token", token)
	r.ok(t, "report", id, attempt, "--attempt-token", token, "--begin-nonce", text(begun, "begin_nonce"), "--outcome", "ambiguous")

	has(t, "unknown", r.ok(t, "ops", "unknown"), id, "unknown_outcome")
	has(t, "reconcile", r.ok(t, "ops", "reconcile", id), "unknown_outcome", "hand in the answer with the ticket", "--by client_reference --value opr-")
	has(t, "cancel", r.ok(t, "ops", "cancel", id), "it is not known that nothing was done")

	lookup := r.json(t, "ops", "reconcile", id)
	questions, _ := field(lookup, "lookup.questions").([]any)
	if len(questions) != 1 {
		t.Fatalf("got %v", lookup)
	}
	reference := text(questions[0].(map[string]any), "value")
	settled := r.ok(t, "ops", "reconcile", id, "--verdict", "happened", "--by", "client_reference", "--value", reference,
		"--ticket", text(lookup, "lookup.lookup_ticket"), "--client-reference", reference, "--effect-id", "msg_1")
	has(t, "the settled operation", settled, "completed_success", "applied")
	has(t, "show", r.ok(t, "ops", "show", id), "msg_1", "EVIDENCE")
	r.stop(t)
}

func TestAPersonSettlesWhatTheyHaveSeen(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("email.send"))
	permit := r.json(t, "propose", "email.send", "--arguments", mail)
	id := text(permit, "permit.operation_id")
	begun := r.json(t, "begin", id, text(permit, "permit.attempt_id"), "--attempt-token", text(permit, "permit.attempt_token"))
	r.ok(t, "report", id, text(permit, "permit.attempt_id"), "--attempt-token", text(permit, "permit.attempt_token"),
		"--begin-nonce", text(begun, "begin_nonce"), "--outcome", "ambiguous")
	no := r.at(t, "ops", "reconcile", id, "--verdict", "did_not_happen", "--reason", "nobody has it", "--seen-version", "1")
	if no.status != exitFailed || !strings.Contains(no.err, "[ETAG_MISMATCH]") {
		t.Errorf("another version: %+v", no)
	}
	word := []string{"ops", "reconcile", id, "--verdict", "happened", "--reason", "the customer has it", "--seen-version"}
	has(t, "settled", r.ok(t, append(word, text(r.json(t, "ops", "show", id), "version"))...), "completed_success")
	r.stop(t)
}

func TestReconcileRefusesHalfAStatement(t *testing.T) {
	for name, args := range map[string][]string{
		"no verdict":          {"--object-id", "x"},
		"an unknown verdict":  {"--verdict", "maybe", "--reason", "x", "--seen-version", "1"},
		"no source":           {"--verdict", "happened"},
		"two sources":         {"--verdict", "happened", "--by", "object_id", "--value", "x", "--reason", "y", "--seen-version", "1"},
		"no value":            {"--verdict", "happened", "--by", "object_id"},
		"no version":          {"--verdict", "happened", "--reason", "y"},
		"an unknown by":       {"--verdict", "happened", "--by", "guess", "--value", "x"},
		"a wait without end":  {"--wait", "2h"},
		"a wait into history": {"--wait", "-1s"},
	} {
		if got := do(t, append([]string{"ops", "reconcile", "op_1"}, args...)...); got.status != exitUsage {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	r := serveProcess(t, nil)
	r.ok(t, "tools", "apply", tool("refund.create"))
	id := text(r.json(t, "propose", "refund.create", "--arguments", refund), "permit.operation_id")
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"an unknown operation": {[]string{"ops", "show", "op_none"}, []string{"[OPERATION_NOT_FOUND]"}},
		"no id at all":         {[]string{"ops", "show", "nonsense"}, []string{"[INVALID_REQUEST]", "operation_id"}},
		"an unknown tool":      {[]string{"propose", "refund.creat"}, []string{"[UNKNOWN_TOOL]", "opledger tools list"}},
		"missing arguments":    {[]string{"propose", "refund.create"}, []string{"[INVALID_ARGUMENTS]", "arguments_json/amount", "arguments_json/order_id"}},
		"a number too large":   {[]string{"propose", "refund.create", "--arguments", `{"order_id":9007199254740993}`}, []string{"/order_id"}},
		"another's attempt":    {[]string{"report", id, "att_none", "--attempt-token", "x", "--outcome", "noop"}, []string{"["}},
		"a tool not there":     {[]string{"tools", "disable", "x", "--reason", "y"}, []string{"[TOOL_NOT_FOUND]"}},
	} {
		got := r.at(t, c.args...)
		if got.status != exitFailed || got.out != "" {
			t.Errorf("%s: %+v", name, got)
		}
		has(t, name, got.err, c.says...)
	}
	got := r.at(t, "propose", "refund.create", "--json")
	var told struct{ Error said }
	if err := json.Unmarshal([]byte(got.err), &told); err != nil || told.Error.Code != "INVALID_ARGUMENT" || told.Error.Reason != "INVALID_ARGUMENTS" || len(told.Error.Violations) != 3 {
		t.Errorf("as JSON: %v, %s", err, got.err)
	}
	r.stop(t)
}
