package registry_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
)

func TestGoodDefinitionsHaveNoProblem(t *testing.T) {
	for _, d := range []registry.Definition{capture(), mail(), revoke(), read(), contact()} {
		t.Run(d.Name, func(t *testing.T) { wantCodes(t, registry.Check(d)) })
	}
}

// TestCheck changes one thing each and expects the problem at its place.
func TestCheck(t *testing.T) {
	type change = func(*registry.Definition)
	zero := func(path string, rest change) change {
		return func(d *registry.Definition) {
			d.StatedZero = map[string]bool{path: true}
			if rest != nil {
				rest(d)
			}
		}
	}
	for name, c := range map[string]struct {
		from   func() registry.Definition
		change change
		want   []string
	}{
		"name with a space":   {capture, func(d *registry.Definition) { d.Name = "pay me" }, []string{"name bad_name"}},
		"name too long":       {read, func(d *registry.Definition) { d.Name = strings.Repeat("a", 129) }, []string{"name bad_name"}},
		"class unknown":       {read, func(d *registry.Definition) { d.Class = "SAFE" }, []string{"class unknown_class", "permit.duration out_of_bounds", "retry.max_attempts out_of_bounds"}},
		"executor unknown":    {read, func(d *registry.Definition) { d.Executor = "ROBOT" }, []string{"executor unknown_value"}},
		"effect unknown":      {read, func(d *registry.Definition) { d.Effect = "VALUE_9" }, []string{"effect_identity unknown_value"}},
		"description endless": {read, func(d *registry.Definition) { d.Description = strings.Repeat("x", 4001) }, []string{"description out_of_bounds"}},
		"message for no state": {read, func(d *registry.Definition) {
			d.Messages = map[string]registry.Texts{"Unknown": {SafeUser: "x"}}
		}, []string{`messages["Unknown"] bad_name`}},
		"label without a name": {read, func(d *registry.Definition) { d.Labels = map[string]string{"": "x"} }, []string{`labels[""] bad_name`}},

		"schema absent":      {read, func(d *registry.Definition) { d.Schema = nil }, []string{"arguments_schema setting_required"}},
		"schema no JSON":     {read, func(d *registry.Definition) { d.Schema = []byte("{") }, []string{"arguments_schema bad_schema"}},
		"schema twice named": {read, func(d *registry.Definition) { d.Schema = []byte(`{"type":"object","type":"object"}`) }, []string{"arguments_schema bad_schema"}},
		"schema no object":   {read, func(d *registry.Definition) { d.Schema = []byte(`[]`) }, []string{"arguments_schema bad_schema"}},
		"schema of an array": {read, func(d *registry.Definition) { d.Schema = []byte(`{"type":"array"}`) }, []string{"arguments_schema bad_schema"}},
		"schema of anything": {read, func(d *registry.Definition) { d.Schema = []byte(`{}`) }, []string{"arguments_schema bad_schema"}},
		"schema invalid":     {read, func(d *registry.Definition) { d.Schema = []byte(`{"type":"object","required":"x"}`) }, []string{"arguments_schema bad_schema"}},
		"schema remote": {read, func(d *registry.Definition) {
			d.Schema = []byte(`{"type":"object","$ref":"https://example.com/s.json"}`)
		}, []string{"arguments_schema remote_schema_reference"}},
		"schema from a file":    {read, func(d *registry.Definition) { d.Schema = []byte(`{"type":"object","$ref":"file:///etc/hostname"}`) }, []string{"arguments_schema remote_schema_reference"}},
		"schema dangling":       {read, func(d *registry.Definition) { d.Schema = []byte(`{"type":"object","$ref":"#/$defs/x"}`) }, []string{"arguments_schema bad_schema"}},
		"schema from beside it": {read, func(d *registry.Definition) { d.Schema = []byte(`{"type":"object","$ref":"other.json"}`) }, []string{"arguments_schema remote_schema_reference"}},
		"schema of an older draft": {read, func(d *registry.Definition) {
			d.Schema = []byte(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`)
		}, []string{"arguments_schema bad_schema"}},
		"schema look-ahead": {read, func(d *registry.Definition) {
			d.Schema = []byte(`{"type":"object","properties":{"a":{"pattern":"(?=x)y"}}}`)
		}, []string{"arguments_schema bad_schema"}},
		"schema too large": {read, func(d *registry.Definition) {
			d.Schema = []byte(`{"type":"object","description":"` + strings.Repeat("x", registry.MaxSchemaBytes) + `"}`)
		}, []string{"arguments_schema out_of_bounds"}},

		"rule on a field that is not there": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/amuont"] = canon.Rule{Kind: canon.RuleIgnore}
		}, []string{`identity.fields["/amuont"] pointer_not_in_schema`}},
		"rule on an item of no array": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/buyer/*/id"] = canon.Rule{Kind: canon.RuleIdentifier}
		}, []string{`identity.fields["/buyer/*/id"] pointer_not_in_schema`}},
		"rule beneath a reference": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/lines/*/sku"] = canon.Rule{Kind: canon.RuleIdentifier}
		}, nil},
		"rule beneath a reference, misspelled": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/lines/*/skew"] = canon.Rule{Kind: canon.RuleIdentifier}
		}, []string{`identity.fields["/lines/*/skew"] pointer_not_in_schema`}},
		"rule on any member of a map": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/labels/colour"] = canon.Rule{Kind: canon.RuleText}
		}, nil},
		"rule that the type never meets": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/count"] = canon.Rule{Kind: canon.RuleText}
		}, []string{`identity.fields["/count"] rule_and_schema_disagree`}},
		"rule of items that the type never meets": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/tags"] = canon.Rule{Kind: canon.RuleSet, Of: &canon.Rule{Kind: canon.RuleNumber}}
		}, []string{`identity.fields["/tags"].set.of rule_and_schema_disagree`}},
		"rule with an option of another kind": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/count"] = canon.Rule{Kind: canon.RuleNumber, Trim: true}
		}, []string{`identity.fields["/count"] bad_rule`}},
		"rule without a kind": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Fields["/count"] = canon.Rule{}
		}, []string{`identity.fields["/count"] bad_rule`, `identity.fields["/count"] rule_and_schema_disagree`}},
		"default on a field that is not there": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Defaults = map[string]*canon.Value{"/zone": canon.String("x")}
		}, []string{`identity.defaults["/zone"] pointer_not_in_schema`}},
		"default that the schema refuses": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Defaults = map[string]*canon.Value{"/count": canon.Int(0)}
		}, []string{`identity.defaults["/count"] rule_and_schema_disagree`}},
		"sensitive field that is not there": {capture, func(d *registry.Definition) {
			d.Identity.Rules.Sensitive = []string{"/order_id", "/card"}
		}, []string{"identity.sensitive[1] pointer_not_in_schema"}},
		"currency that may be absent": {capture, func(d *registry.Definition) {
			d.Schema = []byte(strings.Replace(string(d.Schema), `"amount","currency"]`, `"amount"]`, 1))
		}, []string{`identity.fields["/amount"].money.currency_field component_not_required`, "identity.key_template component_not_required"}},
		"currency with a default": {capture, func(d *registry.Definition) {
			d.Schema = []byte(strings.Replace(string(d.Schema), `"amount","currency"]`, `"amount"]`, 1))
			d.Identity.Rules.Defaults = map[string]*canon.Value{"/currency": canon.String("EUR")}
		}, nil},

		"FC-302 template over an optional field": {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "pay:{order_id}:{/note}" },
			[]string{"identity.key_template bad_template"}}, // ignored by a rule, which canon says first
		"FC-302 template over a field not required": {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "pay:{order_id}:{count}" }, []string{"identity.key_template component_not_required"}},
		"FC-302 template over a nested field":       {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "pay:{/buyer/id}" }, []string{"identity.key_template component_not_required"}},
		"FC-302 template over a field not there":    {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "pay:{order}" }, []string{"identity.key_template pointer_not_in_schema"}},
		"FC-302 entity over an optional field":      {capture, func(d *registry.Definition) { d.Identity.Entity.ID = "{as_of}" }, []string{"identity.entity.id component_not_required"}},
		"FC-104 template over the tool call id":     {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "refund:{order_id}:{tool_call_id}" }, []string{"identity.key_template forbidden_component"}},
		"FC-104 template over the run id":           {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "refund:{order_id}:{run_id}" }, []string{"identity.key_template forbidden_component"}},
		"FC-313 template over the server's clock":   {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "digest:{order_id}:{today}" }, []string{"identity.key_template forbidden_component"}},
		"FC-313 template over now":                  {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "digest:{order_id}:{now}" }, []string{"identity.key_template forbidden_component"}},
		"FC-313 bucket without a time of the call":  {capture, func(d *registry.Definition) { d.Identity.KeyTemplate = "digest:{order_id}:{bucket}" }, []string{"identity.key_template bad_template"}},
		"FC-313 bucket of an argument not required": {capture, func(d *registry.Definition) {
			d.Identity.KeyTemplate = "d:{order_id}:{bucket:/as_of:day:Europe/Berlin}"
		}, []string{"identity.key_template component_not_required"}},
		"template without occurrence, any caller": {capture, func(d *registry.Definition) { d.Identity.Occurrence = registry.OccurrenceAnyCaller }, []string{"identity.key_template occurrence_and_template_disagree"}},
		"template without occurrence, by default": {capture, func(d *registry.Definition) { d.Identity.Occurrence = "" }, []string{"identity.key_template occurrence_and_template_disagree"}},
		"no template, any caller":                 {capture, func(d *registry.Definition) { d.Identity.Occurrence, d.Identity.KeyTemplate = "", "" }, nil},
		"occurrence unknown":                      {capture, func(d *registry.Definition) { d.Identity.Occurrence = "VALUE_9" }, []string{"identity.occurrence unknown_value", "identity.key_template occurrence_and_template_disagree"}},
		"occurrence by template without one":      {read, func(d *registry.Definition) { d.Identity.Occurrence = registry.OccurrenceByTemplate }, []string{"identity.occurrence_template setting_required"}},
		"occurrence template without the policy":  {read, func(d *registry.Definition) { d.Identity.OccurrenceTemplate = "{order_id}" }, []string{"identity.occurrence_template setting_unusable"}},
		"occurrence template over itself": {read, func(d *registry.Definition) {
			d.Identity.Occurrence, d.Identity.OccurrenceTemplate = registry.OccurrenceByTemplate, "{occurrence}"
		}, []string{"identity.occurrence_template bad_template"}},
		"entity in a key without one": {read, func(d *registry.Definition) { d.Identity.KeyTemplate = "x:{entity}:{occurrence}" }, []string{"identity.key_template bad_template"}},
		"intent in a key without one": {read, func(d *registry.Definition) { d.Identity.KeyTemplate = "x:{order_id}:{intent}:{occurrence}" }, []string{"identity.key_template bad_template"}},
		"entity type no constant word": {mail, func(d *registry.Definition) {
			d.Identity.Entity = &registry.EntityTemplate{Type: "an order", ID: "{ref}"}
		}, []string{"identity.entity.type bad_name"}},
		"touches without an entity": {read, func(d *registry.Definition) {
			d.Identity.Touches = []registry.EntityTemplate{{Type: "order", ID: "{order_id}"}}
		}, []string{"identity.entity setting_required"}},
		"key version zero": {capture, zero("identity.key_version", nil), []string{"identity.key_version out_of_bounds"}},
		"change both ways": {read, func(d *registry.Definition) {
			d.Identity.Change = registry.Change{Continues: true, Separate: true, Reason: "x"}
		}, []string{"identity.change setting_unusable"}},
		"separate without a reason":                  {read, func(d *registry.Definition) { d.Identity.Change.Separate = true }, []string{"identity.change.separate.reason reason_required"}},
		"FC-303 permit of zero":                      {capture, zero("permit.duration", nil), []string{"permit.duration out_of_bounds"}},
		"FC-303 permit below a second":               {capture, func(d *registry.Definition) { d.Permit.Duration = time.Millisecond }, []string{"permit.duration out_of_bounds"}},
		"permit negative":                            {capture, func(d *registry.Definition) { d.Permit.Duration = -time.Minute }, []string{"permit.duration out_of_bounds"}},
		"permit of a day":                            {mail, func(d *registry.Definition) { d.Permit.Duration = 24 * time.Hour }, []string{"permit.duration out_of_bounds"}},
		"greatest age below the permit":              {capture, func(d *registry.Definition) { d.Permit.GreatestAge = 30 * time.Second }, []string{"permit.greatest_age setting_unusable"}},
		"attempts zero":                              {capture, zero("retry.max_attempts", nil), []string{"retry.max_attempts out_of_bounds"}},
		"attempts beyond the class without a reason": {capture, func(d *registry.Definition) { d.Retry.MaxAttempts = 6 }, []string{"retry.max_attempts reason_required"}},
		"attempts beyond the class with a reason":    {capture, func(d *registry.Definition) { d.Retry.MaxAttempts, d.LooserReason = 6, "flaky line" }, nil},
		"fewer attempts":                             {capture, func(d *registry.Definition) { d.Retry.MaxAttempts = 1 }, nil},
		"stall allowance away without a reason":      {capture, zero("permit.stall_allowance", nil), []string{"permit.stall_allowance reason_required"}},
		"stall allowance away with a reason":         {capture, zero("permit.stall_allowance", func(d *registry.Definition) { d.LooserReason = "fenced at the provider" }), nil},
		"backoff that shrinks":                       {capture, func(d *registry.Definition) { d.Retry.Multiplier = 0.5 }, []string{"retry.multiplier out_of_bounds"}},
		"backoff that is no number":                  {capture, func(d *registry.Definition) { d.Retry.Multiplier = math.NaN() }, []string{"retry.multiplier out_of_bounds"}},
		"backoff bound below its start": {capture, func(d *registry.Definition) {
			d.Retry.InitialBackoff, d.Retry.MaxBackoff = time.Minute, time.Second
		}, []string{"retry.max_backoff setting_unusable"}},
		"FC-303 waiting of zero":       {capture, zero("waiting.pending_max_age", nil), []string{"waiting.pending_max_age out_of_bounds"}},
		"a person asked at once":       {capture, zero("waiting.human_after", nil), nil},
		"waiting for a year":           {capture, func(d *registry.Definition) { d.Waiting.RetryMaxAge = 365 * 24 * time.Hour }, []string{"waiting.retry_max_age out_of_bounds"}},
		"concurrency of zero":          {capture, zero("permit.max_concurrent", nil), []string{"permit.max_concurrent out_of_bounds"}},
		"begin waived without a word":  {mail, zero("permit.begin_required", nil), []string{"permit.waive_reason reason_required"}},
		"begin waived with a reason":   {mail, zero("permit.begin_required", func(d *registry.Definition) { d.Permit.WaiveReason = "the provider begins itself" }), nil},
		"begin waived and required":    {mail, func(d *registry.Definition) { d.Permit.WaiveReason, d.Permit.BeginRequired = "x", true }, []string{"permit.waive_reason setting_unusable"}},
		"class 3 exclusivity unstated": {capture, func(d *registry.Definition) { d.Exclusive = registry.Exclusive{} }, []string{"exclusive setting_required"}},
		"class 3 not exclusive":        {capture, func(d *registry.Definition) { d.Exclusive = registry.Exclusive{Stated: true} }, nil},
		"class 4 not exclusive, no word": {mail, func(d *registry.Definition) { d.Exclusive = registry.Exclusive{Stated: true} },
			[]string{"exclusive.none.reason reason_required"}},
		"class 4 not exclusive, a reason": {mail, func(d *registry.Definition) {
			d.Exclusive = registry.Exclusive{Stated: true, Reason: "mails do not disturb each other"}
		}, nil},
		"group without an entity": {read, func(d *registry.Definition) { d.Exclusive = registry.Exclusive{Stated: true, Group: "money"} }, []string{"exclusive.group setting_unusable"}},
		"group with a space":      {capture, func(d *registry.Definition) { d.Exclusive.Group = "all money" }, []string{"exclusive.group bad_name"}},

		"class 3 without a provider": {capture, func(d *registry.Definition) { d.Provider = registry.Provider{} }, []string{"provider setting_required"}},
		"class 4 without a provider": {mail, func(d *registry.Definition) { d.Provider = registry.Provider{} }, []string{"provider setting_required"}},
		"profile without a name":     {read, func(d *registry.Definition) { d.Provider.Account = "main" }, []string{"provider.name setting_required"}},
		"class 3 without a key": {capture, func(d *registry.Definition) {
			d.Provider.VendorKey = registry.VendorKey{}
			d.Provider.Lookups = d.Provider.Lookups[1:]
		}, []string{"provider.idempotency_key.supported setting_required"}},
		"key described and not supported": {mail, func(d *registry.Definition) { d.Provider.VendorKey.Header = "X" }, []string{"provider.idempotency_key.supported setting_unusable"}},
		"class 3 without retention":       {capture, func(d *registry.Definition) { d.Provider.VendorKey.Retention = 0 }, []string{"provider.idempotency_key.retention setting_required"}},
		"retention shorter than a resend": {capture, func(d *registry.Definition) { d.Provider.VendorKey.Retention = time.Hour }, []string{"provider.idempotency_key.retention retention_too_short"}},
		"retention just long enough":      {capture, func(d *registry.Definition) { d.Provider.VendorKey.Retention = 72 * time.Minute }, nil},
		"retention, matched at acceptance": {capture, func(d *registry.Definition) {
			d.Provider.VendorKey.Retention, d.Provider.VendorKey.MatchedAtAcceptance = 12*time.Minute, true
		}, nil},
		"vendor key too short":             {capture, func(d *registry.Definition) { d.Provider.VendorKey.MaxLength = 23 }, []string{"provider.idempotency_key.max_length out_of_bounds"}},
		"vendor key of the least length":   {capture, func(d *registry.Definition) { d.Provider.VendorKey.MaxLength = 24 }, nil},
		"lookup by a key that is not kept": {mail, func(d *registry.Definition) { d.Provider.Lookups = []registry.Lookup{{By: registry.ByVendorKey}} }, []string{"provider.lookups[0].by setting_unusable"}},
		"lookup by a reference not kept":   {mail, func(d *registry.Definition) { d.Provider.Lookups = []registry.Lookup{{By: registry.ByClientReference}} }, []string{"provider.lookups[0].by setting_unusable"}},
		"lookup by nothing":                {mail, func(d *registry.Definition) { d.Provider.Lookups = []registry.Lookup{{}} }, []string{"provider.lookups[0].by setting_required"}},
		"lookup with eleven answers": {mail, func(d *registry.Definition) {
			d.Provider.Lookups = []registry.Lookup{{By: registry.ByObjectID, EmptyAnswers: 11}}
		}, []string{"provider.lookups[0].empty_answers out_of_bounds"}},
		"lookup strategy without lookups": {mail, func(d *registry.Definition) { d.Reconcile = []registry.Strategy{registry.StrategyLookup} }, []string{"reconcile[0] setting_unusable"}},
		"resend of a mail":                {mail, func(d *registry.Definition) { d.Reconcile = []registry.Strategy{registry.StrategyResend} }, []string{"reconcile[0] setting_unusable"}},
		"webhook without a source":        {mail, func(d *registry.Definition) { d.Reconcile = []registry.Strategy{registry.StrategyWebhook} }, []string{"reconcile[0] setting_unusable"}},
		"a strategy twice": {mail, func(d *registry.Definition) {
			d.Reconcile = []registry.Strategy{registry.StrategyPerson, registry.StrategyPerson}
		}, []string{"reconcile[1] setting_unusable"}},
		"class 5, any caller repeats":  {revoke, func(d *registry.Definition) { d.Identity.Occurrence = registry.OccurrenceAnyCaller }, []string{"identity.occurrence reason_required"}},
		"a write from a cache":         {mail, func(d *registry.Definition) { d.ReadCacheFor = time.Minute }, []string{"read_cache_for setting_unusable"}},
		"a look without lookups":       {mail, func(d *registry.Definition) { d.LookBeforeDispatch = true }, []string{"look_before_dispatch setting_unusable"}},
		"the server without a request": {mail, func(d *registry.Definition) { d.Executor = registry.ServerHTTP }, []string{"http setting_required"}},
		"a request without the server": {posting, func(d *registry.Definition) { d.Executor = registry.Inline }, []string{"http setting_unusable"}},
	} {
		t.Run(name, func(t *testing.T) {
			wantCodes(t, registry.Check(with(c.from(), c.change)), c.want...)
		})
	}
}

// TestProblemsSayWhatIsMeant: the offending component is named, and the fields that there are.
func TestProblemsSayWhatIsMeant(t *testing.T) {
	d := capture()
	d.Identity.KeyTemplate = "refund:{order_id}:{tool_call_id}"
	if got := registry.Problems(registry.Check(d)).Error(); !strings.Contains(got, "{tool_call_id}") {
		t.Errorf("the component is not named: %s", got)
	}
	d = read()
	d.Identity.Rules.Sensitive = []string{"/order"}
	if got := registry.Problems(registry.Check(d)).Error(); !strings.Contains(got, "it has order_id") {
		t.Errorf("the fields that there are, are not named: %s", got)
	}
}
