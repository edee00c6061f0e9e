package toolfile_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/opledger/opledger/canon"
	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// TestRoundTrip: any definition, good or not, comes back from the message as it went in, and the message from its YAML.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := definition(t)
		m := toolfile.ToProto(d)
		back, problems := toolfile.FromProto(m)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if !reflect.DeepEqual(back, d) {
			t.Fatalf("went in\n%+v\ncame out\n%+v", d, back)
		}
	})
}

// TestExamplesRoundTrip: what tools show prints is read as the same tool.
func TestExamplesRoundTrip(t *testing.T) {
	for name, s := range examples(t) {
		text, err := toolfile.Marshal(s.Proto)
		if err != nil {
			t.Fatal(err)
		}
		again, problems := toolfile.Parse(name, text)
		if len(problems) > 0 || len(again) != 1 {
			t.Fatalf("%v\n%s", problems, text)
		}
		if !proto.Equal(again[0].Proto, s.Proto) {
			t.Errorf("%s changes on its way:\n%s", name, text)
		}
		for _, word := range []string{"TOOL_CLASS_", "MONEY_FORM_", "86400s"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s is printed with %s", name, word)
			}
		}
	}
}

// TestEffectiveIsWhatTheLedgerGoesBy: filled in, it means the same as before, and keeps what only it knows.
func TestEffectiveIsWhatTheLedgerGoesBy(t *testing.T) {
	for name, s := range examples(t) {
		s.Proto.Playbook = &opledgerv1.Playbook{Precondition: "true"}
		effective, err := toolfile.Effective(s.Proto)
		if err != nil {
			t.Fatal(err)
		}
		if effective.GetPlaybook().GetPrecondition() != "true" {
			t.Errorf("%s loses a part", name)
		}
		if effective.GetPermit().GetDuration() == nil || effective.GetRetry().MaxAttempts == nil {
			t.Errorf("%s has no defaults: %v", name, effective)
		}
		filled, _ := toolfile.FromProto(effective)
		want := registry.WithDefaults(s.Definition)
		if filled.Permit != want.Permit || filled.Retry != want.Retry || filled.Waiting != want.Waiting || filled.Exclusive.Group != want.Exclusive.Group ||
			!reflect.DeepEqual(filled.Policy, want.Policy) {
			t.Errorf("%s: the effective terms are others:\n%+v\n%+v", name, filled, want)
		}
	}
}

// TestDigest is over what a definition says and nothing else.
func TestDigest(t *testing.T) {
	digest := func(text string) string {
		sources, problems := toolfile.Parse("tool.yaml", []byte(text))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		d, err := toolfile.Digest(sources[0].Proto)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := digest(least)
	if !strings.HasPrefix(first, "sha256:") {
		t.Errorf("digest %s", first)
	}
	same := map[string]string{
		"comments, order, full names": "# reads\nclass: TOOL_CLASS_PURE_READ\nargumentsSchema:\n  properties: {at: {type: string}, id: {type: string}}\n  required: [id]\n  type: object\nname: order.get\n",
		"the schema as text":          "name: order.get\nclass: PURE_READ\narguments_schema_json: '{\"type\": \"object\", \"required\": [\"id\"], \"properties\": {\"id\": {\"type\": \"string\"}, \"at\": {\"type\": \"string\"}}}'\n",
	}
	for name, text := range same {
		if digest(text) != first {
			t.Errorf("%s: another digest", name)
		}
	}
	for name, text := range map[string]string{
		"description":   least + "description: x\n",
		"policy":        least + "policy: {max_revisions: 0}\n",
		"stated zero":   least + "waiting: {human_after: 0s}\n",
		"a field less":  strings.Replace(least, ", at: {type: string}", "", 1),
		"order of list": strings.Replace(least, "required: [id]", "required: [id, at]", 1),
	} {
		if digest(text) == first {
			t.Errorf("%s: the same digest", name)
		}
	}
}

// definition draws a definition that says what messages can carry.
func definition(t *rapid.T) registry.Definition {
	word := rapid.StringMatching(`[a-z]{0,6}`)
	span := rapid.Map(rapid.Int64Range(0, 1<<40), func(n int64) time.Duration { return time.Duration(n) })
	d := registry.Definition{
		Name: word.Draw(t, "name"), Title: word.Draw(t, "title"), Description: word.Draw(t, "description"),
		Class:    rapid.SampledFrom(append(registry.Classes, "")).Draw(t, "class"),
		Executor: rapid.SampledFrom([]registry.Executor{"", registry.Inline, registry.Worker, registry.ServerHTTP}).Draw(t, "executor"),
		Effect:   rapid.SampledFrom([]registry.EffectIdentity{"", registry.EffectCreatedObject, registry.EffectChange, registry.EffectNone}).Draw(t, "effect"),
		Schema:   []byte(rapid.SampledFrom([]string{`{"type":"object"}`, `{"maximum":1e+22,"type":"object"}`, `{"minimum":0.5}`}).Draw(t, "schema")),
		Permit: registry.Permit{Duration: span.Draw(t, "permit"), GreatestAge: span.Draw(t, "age"), BeginRequired: rapid.Bool().Draw(t, "begin"),
			WaiveReason: word.Draw(t, "waive"), StallAllowance: span.Draw(t, "stall"), MaxConcurrent: rapid.IntRange(0, 9).Draw(t, "concurrent")},
		Retry: registry.Retry{MaxAttempts: rapid.IntRange(0, 9).Draw(t, "attempts"), MaxElapsed: span.Draw(t, "elapsed"),
			InitialBackoff: span.Draw(t, "first"), MaxBackoff: span.Draw(t, "most"), Multiplier: rapid.Float64Range(0, 10).Draw(t, "multiplier")},
		Waiting: registry.Waiting{PendingMaxAge: span.Draw(t, "pending"), RetryMaxAge: span.Draw(t, "retry"), HumanAfter: span.Draw(t, "human"),
			LookupWait: span.Draw(t, "lookup"), HumanOwner: word.Draw(t, "owner"), HumanDue: span.Draw(t, "due"),
			HumanEscalate: word.Draw(t, "escalate"), BlockedHumanAfter: span.Draw(t, "blocked")},
		Identity:           identity(t),
		Provider:           provider(t),
		LooserReason:       word.Draw(t, "looser"),
		LookBeforeDispatch: rapid.Bool().Draw(t, "look"),
		ReadCacheFor:       span.Draw(t, "cache"),
	}
	d.Reconcile = rapid.SampledFrom([][]registry.Strategy{nil, {registry.StrategyPerson}, {registry.StrategyLookup, registry.StrategyResend, registry.StrategyWebhook}}).Draw(t, "reconcile")
	d.Exclusive = rapid.SampledFrom([]registry.Exclusive{{}, {Stated: true, Group: "money"}, {Stated: true}, {Stated: true, Reason: "x"}}).Draw(t, "exclusive")
	if rapid.Bool().Draw(t, "labels") {
		d.Labels = map[string]string{"team": word.Draw(t, "label")}
		d.Messages = map[string]registry.Texts{"unknown_outcome": {SafeUser: word.Draw(t, "safe"), Model: word.Draw(t, "model")}}
	}
	if rapid.Bool().Draw(t, "http") {
		d.HTTP = adapter(t)
	}
	drawPolicy(t, &d)
	for path, isZero := range map[string]bool{
		"permit.duration": d.Permit.Duration == 0, "permit.begin_required": !d.Permit.BeginRequired,
		"retry.max_attempts": d.Retry.MaxAttempts == 0, "waiting.human_after": d.Waiting.HumanAfter == 0,
		"identity.key_version": d.Identity.KeyVersion == 0, "provider.five_xx_may_commit": !d.Provider.FiveXXMayCommit,
	} {
		if isZero && rapid.Bool().Draw(t, "stated "+path) {
			if d.StatedZero == nil {
				d.StatedZero = map[string]bool{}
			}
			d.StatedZero[path] = true
		}
	}
	return d
}

func provider(t *rapid.T) registry.Provider {
	p := registry.Provider{Name: rapid.SampledFrom([]string{"", "pay"}).Draw(t, "provider"), Account: rapid.SampledFrom([]string{"", "main"}).Draw(t, "account")}
	p.LongestFlight = rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "flight")
	p.FiveXXMayCommit = rapid.Bool().Draw(t, "5xx")
	p.StoresClientReference = rapid.Bool().Draw(t, "stores")
	if rapid.Bool().Draw(t, "key") {
		p.VendorKey = registry.VendorKey{Supported: true, Header: "X", BodyField: "/k", MaxLength: 40, Retention: time.Hour, MatchedAtAcceptance: true,
			RecordsRefusals: true, Format: registry.KeyHex, Scope: registry.KeyPerEndpoint}
		p.RetryableCodes, p.WebhookSource, p.MaxConcurrent = []string{"busy"}, "hooks", 3
		p.RateLimit = registry.RateLimit{MaxRequests: 9, Period: time.Minute, RetryAfterHeader: "X-Again"}
		p.PropagationTime, p.TimeToFinish = time.Minute, time.Hour
		p.Lookups = []registry.Lookup{{By: registry.ByObjectID, Search: true, Description: "ask", ReadAfterWrite: true, EmptyAnswers: 2}, {By: registry.ByVendorKey}}
	}
	return p
}

func identity(t *rapid.T) registry.Identity {
	id := registry.Identity{
		KeyTemplate: rapid.SampledFrom([]string{"", "a:{b}", "a:{bucket:@source_event:day:UTC}"}).Draw(t, "template"), KeyVersion: rapid.Int64Range(0, 3).Draw(t, "key version"),
		Intent: rapid.SampledFrom([]string{"", "capture"}).Draw(t, "intent"), CallerKey: rapid.Bool().Draw(t, "caller key"),
		Occurrence: rapid.SampledFrom([]registry.OccurrencePolicy{"", registry.OccurrenceAnyCaller, registry.OccurrenceRepeatGrant, registry.OccurrenceByTemplate, registry.OccurrenceNobody}).Draw(t, "occurrence"),
		Change: rapid.SampledFrom([]registry.Change{{}, {Continues: true}, {Continues: true, Until: time.Unix(1_700_000_000, 0).UTC()},
			{Separate: true, Reason: "x"}}).Draw(t, "change"),
	}
	id.SourceEventBucket = strings.Contains(id.KeyTemplate, "@source_event")
	if rapid.Bool().Draw(t, "entity") {
		id.Entity = &registry.EntityTemplate{Type: "order", ID: "{id}"}
		id.Touches = []registry.EntityTemplate{{Type: "a", ID: "{b}"}}
	}
	for i, rule := range rapid.SliceOfN(rapid.SampledFrom(everyRule), 0, 5).Draw(t, "rules") {
		if id.Rules.Fields == nil {
			id.Rules.Fields = map[string]canon.Rule{}
		}
		id.Rules.Fields["/"+string(rune('a'+i))] = rule
	}
	if rapid.Bool().Draw(t, "defaults") {
		id.Rules.Null = canon.NullAbsent
		id.Rules.Sensitive = []string{"/z"}
		id.Rules.Defaults = map[string]*canon.Value{"/y": canon.Object(map[string]*canon.Value{"n": canon.Int(7), "l": canon.Array(canon.Null(), canon.Bool(true), canon.String("s"))})}
	}
	return id
}

// everyRule has each kind with each of its options.
var everyRule = []canon.Rule{
	{Kind: canon.RuleNumber},
	{Kind: canon.RuleMoney, Form: canon.FormMajor, Currency: "USD"},
	{Kind: canon.RuleMoney, Form: canon.FormMinor, CurrencyField: "/c"},
	{Kind: canon.RuleTimestamp, Precision: canon.PrecisionSecond, Excess: canon.ExcessTruncate},
	{Kind: canon.RuleTimestamp, Precision: canon.PrecisionNano},
	{Kind: canon.RuleDate},
	{Kind: canon.RuleBucket, Unit: canon.UnitHour, Zone: "UTC"},
	{Kind: canon.RuleEnum, Values: []string{"a", "b"}, Aliases: map[string]string{"x": "a"}, Case: canon.CaseFold},
	{Kind: canon.RuleIdentifier, Trim: true, Case: canon.CaseLower},
	{Kind: canon.RuleIdentifier, Case: canon.CaseUpper},
	{Kind: canon.RuleText, Whitespace: canon.WhitespaceCollapse, Newlines: canon.NewlinesLF},
	{Kind: canon.RuleEmail, Local: canon.LocalLower},
	{Kind: canon.RulePhone, Region: "DE"},
	{Kind: canon.RuleSet, Of: &canon.Rule{Kind: canon.RuleList, Of: &canon.Rule{Kind: canon.RuleEmail, Local: canon.LocalExact}}},
	{Kind: canon.RuleList},
	{Kind: canon.RuleIgnore},
}
