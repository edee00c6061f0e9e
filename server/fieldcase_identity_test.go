package server_test

import (
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// identityCases: what is one operation, and what is two. The vectors behind them are canon's own tests; here stands what a
// caller sees of them.
var identityCases = []fieldCase{
	{"FC-301", keyOrderChangesTheHash},
	{"FC-302", allRequestsShareOneKey},
	{"FC-308", yenTimesAHundred},
	{"FC-309", largeIDsAreRounded},
	{"FC-310", twoSpellingsOfAnAccent},
	{"FC-311", fractionsOfSeconds},
	{"FC-312", separatorInsideAValue},
	{"FC-313", retryFallsIntoTheNextBucket},
	{"FC-314", parsersReadDifferentMembers},
}

// pair is two sets of arguments that a tool takes.
type pair struct {
	name, tool, a, b string
	same             bool
}

// meet proposes both of each pair and expects one operation, or two.
func meet(t *testing.T, c *servertest.Client, pairs []pair) {
	t.Helper()
	for _, p := range pairs {
		a, b := c.Propose(p.tool, p.a), c.Propose(p.tool, p.b)
		decided(t, a, pb.Decision_DECISION_EXECUTE)
		if same := a.Result.OperationId == b.Result.OperationId; same != p.same {
			t.Errorf("%s: one operation is %t, want %t", p.name, same, p.same)
		}
		if b.Decision == pb.Decision_DECISION_EXECUTE == p.same {
			t.Errorf("%s: the second is answered %v", p.name, b.Decision)
		}
	}
}

// rejects proposes and expects INVALID_ARGUMENT with exactly these violations, and nothing recorded.
func rejects(t *testing.T, c *servertest.Client, tool, arguments, reason string, fields ...string) error {
	t.Helper()
	before := len(c.Operations())
	_, err := c.ProposeOperation(t.Context(), servertest.Proposal(tool, arguments))
	refused(t, err, codes.InvalidArgument, reason, fields...)
	if after := len(c.Operations()); after != before {
		t.Fatalf("a refused proposal was recorded: %s", arguments)
	}
	return err
}

func keyOrderChangesTheHash(t *testing.T, w *servertest.World) {
	c := serve(w)
	sets := fieldTool(t, "record.write")
	sets.Name = "record.set"
	sets.Identity = &pb.IdentityRules{Fields: map[string]*pb.FieldRule{"/steps": {Kind: &pb.FieldRule_Set{Set: &pb.SetRule{}}}}}
	sets.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","properties":{"steps":{"type":"array"}}}`}
	c.ApplyDefinition(sets)
	meet(t, c, []pair{
		{"members moved", "record.write", `{"amount":4900,"order_id":"order_123"}`, `{"order_id":"order_123","amount":4900}`, true},
		{"members moved inside an item", "record.write", `{"l":[{"a":30,"c":"Jo","b":"Ulm"}]}`, `{"l":[{"a":30,"b":"Ulm","c":"Jo"}]}`, true},
		{"items of a list moved", "record.write", `{"steps":["reserve","charge"]}`, `{"steps":["charge","reserve"]}`, false},
		{"items of a declared set moved", "record.set", `{"steps":["reserve","charge"]}`, `{"steps":["charge","reserve"]}`, true},
	})
}

func allRequestsShareOneKey(t *testing.T, w *servertest.World) {
	c := serve(w)
	withRef := func(required string) *pb.ToolDefinition {
		d := fieldTool(t, "payment.capture")
		d.Name = "payment.by_ref"
		d.Identity.KeyTemplate = "pay:{order_id}:{ref}"
		d.Identity.Fields = map[string]*pb.FieldRule{"/ref": {Kind: &pb.FieldRule_Identifier{Identifier: &pb.IdentifierRule{Trim: true}}}}
		d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","required":[` + required + `],"properties":{
			"order_id":{"type":"string"},"ref":{"type":["string","null"]}}}`}
		return d
	}
	_, err := c.TryApply(withRef(`"order_id"`))
	refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION")
	says(t, status.Convert(err).Message(), "ref")

	c.ApplyDefinition(withRef(`"order_id","ref"`))
	rejects(t, c, "payment.by_ref", `{"order_id":"order_1"}`, "INVALID_ARGUMENTS", "arguments_json/ref")
	rejects(t, c, "payment.by_ref", `{"order_id":"order_1","ref":null}`, "KEY_COMPONENT_EMPTY", "arguments_json/ref")
	for _, ref := range []string{`""`, `"  "`} { // which the identifier's own rule refuses already
		rejects(t, c, "payment.by_ref", `{"order_id":"order_1","ref":`+ref+`}`, "INVALID_ARGUMENTS", "arguments_json/ref")
	}
	unruled := withRef(`"order_id","ref"`)
	unruled.Name, unruled.Identity.Fields = "payment.unruled", nil
	c.ApplyDefinition(unruled)
	for _, ref := range []string{`null`, `""`} {
		rejects(t, c, "payment.unruled", `{"order_id":"order_1","ref":`+ref+`}`, "KEY_COMPONENT_EMPTY", "arguments_json/ref")
	}
}

func yenTimesAHundred(t *testing.T, w *servertest.World) {
	c := serve(w)
	order := 0
	of := func(amount, currency string) string {
		return `{"order_id":"order_` + strconv.Itoa(order) + `","amount":` + amount + `,"currency":"` + currency + `"}`
	}
	for _, m := range []struct{ spelled, again, currency, minor string }{
		{`"500"`, `500`, "JPY", ":500:JPY"},
		{`"1.500"`, `"1.5"`, "KWD", ":1500:KWD"},
		{`19.99`, `"19.99"`, "USD", ":1999:USD"},
	} {
		order++
		p := c.Execute("payment.capture", of(m.spelled, m.currency))
		says(t, c.Operation(p.OperationId).IdempotencyKey, m.minor)
		again := c.Propose("payment.capture", of(m.again, m.currency))
		sameOperation(t, p.OperationId, again.Result.OperationId)
	}
	order++
	rejects(t, c, "payment.capture", of(`"500.50"`, "JPY"), "INVALID_ARGUMENTS", "arguments_json/amount")
	meet(t, c, []pair{{"the form is never guessed", "payment.capture", of(`"19.99"`, "USD"), of(`1999`, "USD"), false}})
}

func largeIDsAreRounded(t *testing.T, w *servertest.World) {
	c := serve(w)
	err := rejects(t, c, "contact.upsert", `{"contact_id":2512292042121000001}`, "NUMBER_NOT_EXACT", "arguments_json/contact_id")
	says(t, status.Convert(err).Message(), "string")
	rejects(t, c, "record.write", `{"contact_id":9007199254740993}`, "NUMBER_NOT_EXACT", "arguments_json/contact_id")

	const long = "2512292042121000001"
	p := c.Execute("contact.upsert", `{"contact_id":"`+long+`"}`)
	c.Reported(p, servertest.Succeeded("row_1", `{"contact_id":`+long+`}`))
	o := c.Operation(p.OperationId)
	says(t, o.CanonicalArgumentsJson, `"`+long+`"`)
	says(t, p.DispatchArgumentsJson, `"`+long+`"`)
	says(t, o.Result.ResultJson, `:`+long+`}`)

	inStruct := func(v any) *pb.ProposeOperationRequest {
		s, err := structpb.NewStruct(map[string]any{"contact_id": v})
		if err != nil {
			t.Fatal(err)
		}
		r := servertest.Proposal("contact.upsert", "")
		r.Arguments = &pb.ProposeOperationRequest_ArgumentsStruct{ArgumentsStruct: s}
		return r
	}
	same, err := c.ProposeOperation(t.Context(), inStruct(long))
	if err != nil {
		t.Fatal(err)
	}
	sameOperation(t, p.OperationId, same.Result.OperationId)
	for _, number := range []float64{9007199254740992, 9007199254740993, -9007199254740992} {
		r := inStruct(number)
		r.Tool = "record.write"
		_, err := c.ProposeOperation(t.Context(), r)
		refused(t, err, codes.InvalidArgument, "NUMBER_NOT_EXACT", "arguments_struct/contact_id")
	}
	exact := inStruct(float64(9007199254740991))
	exact.Tool = "record.write"
	m, err := c.ProposeOperation(t.Context(), exact)
	if err != nil {
		t.Fatal(err)
	}
	says(t, c.Operation(m.Result.OperationId).CanonicalArgumentsJson, `9007199254740991`)

	meet(t, c, []pair{
		{"neighbours as strings", "record.write", `{"id":"12345678901234567890"}`, `{"id":"12345678901234567891"}`, false},
		{"007 is not 7", "record.write", `{"id":"007"}`, `{"id":7}`, false},
	})
	rejects(t, c, "contact.upsert", `{"contact_id":7}`, "INVALID_ARGUMENTS", "arguments_json/contact_id")
}

func twoSpellingsOfAnAccent(t *testing.T, w *servertest.World) {
	c := serve(w)
	const composed, decomposed = "caf\u00e9", "cafe\u0301"
	meet(t, c, []pair{
		{"with the text rule", "ticket.create", `{"project":"OPS","ref":"` + composed + `"}`, `{"project":"OPS","ref":"` + decomposed + `"}`, true},
		{"without a rule", "record.write", `{"ref":"` + composed + `"}`, `{"ref":"` + decomposed + `"}`, false},
	})
	m, err := c.ExplainIdentity(t.Context(), &pb.ExplainIdentityRequest{
		Contract: &pb.ExplainIdentityRequest_Tool{Tool: "ticket.create"},
		A:        &pb.IdentityInput{Arguments: &pb.IdentityInput_ArgumentsJson{ArgumentsJson: `{"project":"OPS","ref":"` + decomposed + `"}`}},
		B:        &pb.IdentityInput{Arguments: &pb.IdentityInput_ArgumentsJson{ArgumentsJson: `{"project":"OPS","ref":"` + composed + `"}`}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if m.Comparison.GetRelation() != pb.IdentityRelation_IDENTITY_RELATION_SAME {
		t.Errorf("explained as %v", m.Comparison)
	}
	var changed *pb.FieldChange
	for _, ch := range m.A.Changes {
		if ch.Pointer == "/ref" {
			changed = ch
		}
	}
	if changed.GetBeforeJson() != `"cafe\u0301"` || changed.GetAfterJson() != `"caf\u00e9"` {
		t.Errorf("what the rule changed is shown so that a person sees it: %v", m.A.Changes)
	}
}

func fractionsOfSeconds(t *testing.T, w *servertest.World) {
	c := serve(w)
	timed := func(name string, excess pb.TimeExcess) {
		d := fieldTool(t, "record.write")
		d.Name = name
		rule := &pb.FieldRule{Kind: &pb.FieldRule_Timestamp{Timestamp: &pb.TimestampRule{Precision: pb.TimePrecision_TIME_PRECISION_MS, Excess: excess}}}
		d.Identity = &pb.IdentityRules{Fields: map[string]*pb.FieldRule{"/at": rule, "/events/*/at": rule}}
		d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","properties":{"at":{"type":"string"},
			"events":{"type":"array","items":{"type":"object","properties":{"at":{"type":"string"}}}}}}`}
		c.ApplyDefinition(d)
	}
	timed("event.record", pb.TimeExcess_TIME_EXCESS_UNSPECIFIED)
	timed("event.cut", pb.TimeExcess_TIME_EXCESS_TRUNCATE)
	const utc, offset = `{"at":"2026-03-01T09:00:00.000Z"}`, `{"at":"2026-03-01T10:00:00+01:00"}`
	meet(t, c, []pair{
		{"one instant", "event.record", utc, offset, true},
		{"one instant inside an array", "event.record", `{"events":[` + utc + `]}`, `{"events":[` + offset + `]}`, true},
		{"without a rule text is text", "record.write", utc, offset, false},
		{"cut to the unit", "event.cut", `{"at":"2026-03-01T09:00:00.1239Z"}`, `{"at":"2026-03-01T09:00:00.123Z"}`, true},
		{"never rounded up", "event.cut", `{"at":"2026-03-01T09:00:01.1239Z"}`, `{"at":"2026-03-01T09:00:01.124Z"}`, false},
	})
	rejects(t, c, "event.record", `{"at":"2026-03-01T09:00:00.1234Z"}`, "INVALID_ARGUMENTS", "arguments_json/at")
}

func separatorInsideAValue(t *testing.T, w *servertest.World) {
	c := serve(w)
	d := fieldTool(t, "ticket.create")
	d.Name, d.Identity.KeyTemplate = "build.start", "build_{project}_{ref}"
	d.Identity.Entity = &pb.EntityTemplate{Type: "build", Id: "{ref}"}
	c.ApplyDefinition(d)
	meet(t, c, []pair{
		{"a colon", "ticket.create", `{"project":"a:b","ref":"c"}`, `{"project":"a","ref":"b:c"}`, false},
		{"an underscore", "build.start", `{"project":"foo","ref":"bar_baz"}`, `{"project":"foo_bar","ref":"baz"}`, false},
		{"what looks escaped", "ticket.create", `{"project":"a%3Ab","ref":"d"}`, `{"project":"a:b","ref":"d"}`, false},
		{"a slash in an entity", "build.start", `{"project":"p","ref":"x/y"}`, `{"project":"p/x","ref":"y"}`, false},
	})
	for _, o := range c.Operations() {
		if e := o.Entity; e != nil && e.Id == "x/y" && e.Type != "build" {
			t.Errorf("the border of the entity moved: %v", e)
		}
	}
}

func retryFallsIntoTheNextBucket(t *testing.T, w *servertest.World) {
	c := serve(w)
	digest := func(template string) *pb.ToolDefinition {
		d := fieldTool(t, "email.send")
		d.Name, d.Identity.KeyTemplate = "digest.send", template
		d.Identity.Fields = nil
		d.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","required":["ref","as_of"],"properties":{"ref":{"type":"string"},"as_of":{"type":"string"}}}`}
		return d
	}
	for _, clock := range []string{"digest:{ref}:{now}", "digest:{ref}:{date}", "digest:{ref}:{bucket}"} {
		_, err := c.TryApply(digest(clock))
		refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION")
	}
	// Only the bucket takes part in identity, so that the call's exact moment may differ.
	d := digest("digest:{ref}:{as_of}")
	d.Identity.Fields = map[string]*pb.FieldRule{"/as_of": {Kind: &pb.FieldRule_Bucket{Bucket: &pb.BucketRule{Unit: pb.BucketUnit_BUCKET_UNIT_DAY, Zone: "Europe/Berlin"}}}}
	c.ApplyDefinition(d)
	p := c.Execute("digest.send", `{"ref":"u_7","as_of":"2026-03-01T22:59:58Z"}`) // 23:59:58 in Berlin
	c.Reported(p, servertest.Ambiguous())
	again := c.Propose("digest.send", `{"ref":"u_7","as_of":"2026-03-01T22:59:58Z"}`) // after midnight, of the same moment
	decided(t, again, pb.Decision_DECISION_RECONCILING)
	sameOperation(t, p.OperationId, again.Result.OperationId)
	meet(t, c, []pair{
		{"inside one day", "digest.send", `{"ref":"u_8","as_of":"2026-03-01T22:59:58Z"}`, `{"ref":"u_8","as_of":"2026-03-01T00:00:00+01:00"}`, true},
		{"across the border", "digest.send", `{"ref":"u_9","as_of":"2026-03-01T22:59:59Z"}`, `{"ref":"u_9","as_of":"2026-03-01T23:00:00Z"}`, false},
	})
}

func parsersReadDifferentMembers(t *testing.T, w *servertest.World) {
	c := serve(w)
	rejects(t, c, "payment.capture", `{"order_id":"order_1","amount":"1.00","amount":"100.00","currency":"USD"}`, "INVALID_ARGUMENTS", "arguments_json/amount")
	rejects(t, c, "payment.capture", `{"order_id":"order_1","amount":1,"\u0061mount":100,"currency":"USD"}`, "INVALID_ARGUMENTS", "arguments_json/amount")
	rejects(t, c, "record.write", `{"a":[{"b":{"c":1,"c":2}}]}`, "INVALID_ARGUMENTS", "arguments_json/a/0/b/c")

	p := c.Execute("payment.capture", capture)
	_, err := c.ReportAttempt(t.Context(), servertest.Report(p, servertest.Succeeded("ch_1", `{"id":"ch_1","id":"ch_2"}`)))
	refused(t, err, codes.InvalidArgument, "INVALID_ARGUMENTS", "answer.result_json/id")
	inState(t, c.Operation(p.OperationId), pb.Operation_STATE_DISPATCHED)
	_, err = c.Reconcile(t.Context(), &pb.ReconcileRequest{OperationId: p.OperationId, RequestId: p.AttemptId, Evidence: nil})
	refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "request_id")
	e := &pb.Evidence{
		EvidenceId: servertest.Proposal("", "").RequestId, Verdict: pb.Verdict_VERDICT_HAPPENED,
		Source: &pb.Evidence_Webhook{Webhook: &pb.WebhookSource{Source: "acme-pay", EventId: "evt_1"}},
		Answer: &pb.ProviderAnswer{ResultJson: `{"id":"ch_1","id":"ch_2"}`},
	}
	_, err = c.Reconcile(t.Context(), &pb.ReconcileRequest{OperationId: p.OperationId, RequestId: e.EvidenceId, Evidence: e})
	refused(t, err, codes.InvalidArgument, "INVALID_ARGUMENTS")
	if got := servertest.Violations(err); len(got) != 1 || !strings.HasSuffix(got[0], "result_json/id") {
		t.Fatalf("the violation names %q", got)
	}
}
