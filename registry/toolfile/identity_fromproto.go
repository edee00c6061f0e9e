package toolfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/opledger/opledger/canon"
	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/registry"
)

// schema gives the JSON text of the arguments' schema.
func (r *reader) schema(m *opledgerv1.ToolDefinition) []byte {
	switch s := m.GetSchema().(type) {
	case *opledgerv1.ToolDefinition_ArgumentsSchemaJson:
		return []byte(s.ArgumentsSchemaJson)
	case *opledgerv1.ToolDefinition_ArgumentsSchema:
		v := r.value("arguments_schema", "", structpb.NewStructValue(s.ArgumentsSchema))
		if v == nil {
			return nil
		}
		return v.Canonical()
	}
	return nil
}

// value turns a value of a message into one of canon. A number that a double has already lost is a problem.
func (r *reader) value(path, at string, m *structpb.Value) *canon.Value {
	switch k := m.GetKind().(type) {
	case *structpb.Value_BoolValue:
		return canon.Bool(k.BoolValue)
	case *structpb.Value_StringValue:
		return canon.String(k.StringValue)
	case *structpb.Value_NumberValue:
		v, faults := canon.FromStructNumber(at, k.NumberValue)
		for _, f := range faults {
			r.add(path, registry.CodeBounds, f.Message)
		}
		return v
	case *structpb.Value_ListValue:
		items := make([]*canon.Value, 0, len(k.ListValue.GetValues()))
		for i, item := range k.ListValue.GetValues() {
			v := r.value(path, fmt.Sprintf("%s/%d", at, i), item)
			if v == nil {
				return nil
			}
			items = append(items, v)
		}
		return canon.Array(items...)
	case *structpb.Value_StructValue:
		members := map[string]*canon.Value{}
		for _, name := range slices.Sorted(maps.Keys(k.StructValue.GetFields())) {
			v := r.value(path, at+canon.Pointer{name}.String(), k.StructValue.GetFields()[name])
			if v == nil {
				return nil
			}
			members[name] = v
		}
		return canon.Object(members)
	}
	return canon.Null()
}

func (r *reader) identity(m *opledgerv1.IdentityRules) registry.Identity {
	if m == nil {
		return registry.Identity{}
	}
	id := registry.Identity{
		Rules:       canon.Rules{Null: option[canon.NullOption](m.GetNull()), Sensitive: m.GetSensitive()},
		KeyTemplate: m.GetKeyTemplate(), KeyVersion: int64(stated(r, "identity.key_version", m.KeyVersion)),
		Intent: m.GetIntent(), CallerKey: m.GetCallerKey(),
		Occurrence:         yamlproto.Word[registry.OccurrencePolicy](m.GetOccurrence()),
		OccurrenceTemplate: m.GetOccurrenceTemplate(),
		Change:             change(m.GetChange()),
	}
	if e := m.GetEntity(); e != nil {
		id.Entity = &registry.EntityTemplate{Type: e.GetType(), ID: e.GetId()}
	}
	for _, e := range m.GetTouches() {
		id.Touches = append(id.Touches, registry.EntityTemplate{Type: e.GetType(), ID: e.GetId()})
	}
	for p, rule := range m.GetFields() {
		if id.Rules.Fields == nil {
			id.Rules.Fields = map[string]canon.Rule{}
		}
		id.Rules.Fields[p] = rules(rule)
	}
	for _, p := range slices.Sorted(maps.Keys(m.GetDefaults())) {
		if id.Rules.Defaults == nil {
			id.Rules.Defaults = map[string]*canon.Value{}
		}
		if v := r.value(fmt.Sprintf("identity.defaults[%q]", p), p, m.GetDefaults()[p]); v != nil {
			id.Rules.Defaults[p] = v
		}
	}
	r.bucket(&id, m.GetBucket())
	id.SourceEventBucket = strings.Contains(id.KeyTemplate, "{bucket:"+sourceEventTime+":")
	return id
}

// namedBucket is the component of a template that stands for the definition's one time bucket.
const namedBucket = "{bucket}"

// sourceEventTime is what canon calls the time of the workflow's source event in a bucket.
const sourceEventTime = "@source_event"

// bucket writes a bucket that the definition names once into the templates that use it, in the form in which canon reads
// it: {bucket:/as_of:day:Europe/Berlin}.
func (r *reader) bucket(id *registry.Identity, m *opledgerv1.TimeBucket) {
	if m == nil {
		return
	}
	of := m.GetArgument()
	if _, source := m.GetFrom().(*opledgerv1.TimeBucket_SourceEvent); source {
		of = sourceEventTime
	}
	if !strings.Contains(id.KeyTemplate, namedBucket) && !strings.Contains(id.OccurrenceTemplate, namedBucket) {
		r.add("identity.bucket", registry.CodeUnusable, "No template reads the bucket; write {bucket} where it belongs, or remove it.")
		return
	}
	written := fmt.Sprintf("{bucket:%s:%s:%s}", of, option[string](m.GetInterval().GetUnit()), m.GetInterval().GetZone())
	id.KeyTemplate = strings.ReplaceAll(id.KeyTemplate, namedBucket, written)
	id.OccurrenceTemplate = strings.ReplaceAll(id.OccurrenceTemplate, namedBucket, written)
}

func change(m *opledgerv1.IdentityChange) registry.Change {
	switch relation := m.GetRelation().(type) {
	case *opledgerv1.IdentityChange_Continues:
		c := registry.Change{Continues: true}
		if until := relation.Continues.GetUntil(); until != nil {
			c.Until = until.AsTime()
		}
		return c
	case *opledgerv1.IdentityChange_Separate:
		return registry.Change{Separate: true, Reason: relation.Separate.GetReason()}
	}
	return registry.Change{}
}

// rules reads one field's rule. A kind that this release does not know leaves the rule without a kind, which canon
// refuses.
func rules(m *opledgerv1.FieldRule) canon.Rule {
	switch k := m.GetKind().(type) {
	case *opledgerv1.FieldRule_Number:
		return canon.Rule{Kind: canon.RuleNumber}
	case *opledgerv1.FieldRule_Money:
		return canon.Rule{Kind: canon.RuleMoney, Form: option[canon.Form](k.Money.GetForm()),
			Currency: k.Money.GetCurrency(), CurrencyField: k.Money.GetCurrencyField()}
	case *opledgerv1.FieldRule_Timestamp:
		rule := canon.Rule{Kind: canon.RuleTimestamp, Precision: option[canon.Precision](k.Timestamp.GetPrecision()),
			Excess: option[canon.Excess](k.Timestamp.GetExcess())}
		if rule.Precision == "" {
			rule.Precision = canon.PrecisionMilli
		}
		return rule
	case *opledgerv1.FieldRule_Date:
		return canon.Rule{Kind: canon.RuleDate}
	case *opledgerv1.FieldRule_Bucket:
		return canon.Rule{Kind: canon.RuleBucket, Unit: option[canon.Unit](k.Bucket.GetUnit()), Zone: k.Bucket.GetZone()}
	case *opledgerv1.FieldRule_Enum:
		return canon.Rule{Kind: canon.RuleEnum, Values: k.Enum.GetValues(), Aliases: k.Enum.GetAliases(),
			Case: option[canon.Case](k.Enum.GetCase())}
	case *opledgerv1.FieldRule_Identifier:
		return canon.Rule{Kind: canon.RuleIdentifier, Trim: k.Identifier.GetTrim(), Case: option[canon.Case](k.Identifier.GetCase())}
	case *opledgerv1.FieldRule_Text:
		return canon.Rule{Kind: canon.RuleText, Whitespace: option[canon.Whitespace](k.Text.GetWhitespace()),
			Newlines: option[canon.Newlines](k.Text.GetNewlines())}
	case *opledgerv1.FieldRule_Email:
		return canon.Rule{Kind: canon.RuleEmail, Local: option[canon.Local](k.Email.GetLocal())}
	case *opledgerv1.FieldRule_Phone:
		return canon.Rule{Kind: canon.RulePhone, Region: k.Phone.GetRegion()}
	case *opledgerv1.FieldRule_Set:
		return canon.Rule{Kind: canon.RuleSet, Of: items(k.Set.GetOf())}
	case *opledgerv1.FieldRule_List:
		return canon.Rule{Kind: canon.RuleList, Of: items(k.List.GetOf())}
	case *opledgerv1.FieldRule_Ignore:
		return canon.Rule{Kind: canon.RuleIgnore}
	}
	return canon.Rule{}
}

func items(m *opledgerv1.FieldRule) *canon.Rule {
	if m == nil {
		return nil
	}
	rule := rules(m)
	return &rule
}
