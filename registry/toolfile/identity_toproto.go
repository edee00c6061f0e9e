package toolfile

import (
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/opledger/opledger/canon"
	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

// writeSchema writes the schema as a value, which reads best, or as text where a double would change a number of it.
func writeSchema(m *opledgerv1.ToolDefinition, text []byte) {
	if len(text) == 0 {
		return
	}
	if v, faults := canon.Parse(text, canon.Limits{Bytes: registry.MaxSchemaBytes}); len(faults) == 0 && v.Kind() == canon.KindObject {
		s := &structpb.Struct{}
		if s.UnmarshalJSON(v.Canonical()) == nil {
			r := &reader{}
			if back := r.value("", "", structpb.NewStructValue(s)); back != nil && back.Equal(v) {
				m.Schema = &opledgerv1.ToolDefinition_ArgumentsSchema{ArgumentsSchema: s}
				return
			}
		}
	}
	m.Schema = &opledgerv1.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: string(text)}
}

func (w writer) identity(id *registry.Identity) *opledgerv1.IdentityRules {
	m := &opledgerv1.IdentityRules{
		Null: value[opledgerv1.NullRule](id.Rules.Null), Sensitive: id.Rules.Sensitive,
		KeyTemplate: id.KeyTemplate, KeyVersion: set(w, "identity.key_version", int32(id.KeyVersion)),
		Intent: id.Intent, CallerKey: id.CallerKey,
		Occurrence:         value[opledgerv1.OccurrencePolicy](id.Occurrence),
		OccurrenceTemplate: id.OccurrenceTemplate,
		Change:             changeTerms(&id.Change),
	}
	if id.Entity != nil {
		m.Entity = &opledgerv1.EntityTemplate{Type: id.Entity.Type, Id: id.Entity.ID}
	}
	for _, e := range id.Touches {
		m.Touches = append(m.Touches, &opledgerv1.EntityTemplate{Type: e.Type, Id: e.ID})
	}
	for p, rule := range id.Rules.Fields {
		if m.Fields == nil {
			m.Fields = map[string]*opledgerv1.FieldRule{}
		}
		m.Fields[p] = fieldRule(rule)
	}
	for p, v := range id.Rules.Defaults {
		if m.Defaults == nil {
			m.Defaults = map[string]*structpb.Value{}
		}
		pb := &structpb.Value{}
		if pb.UnmarshalJSON(v.Canonical()) == nil {
			m.Defaults[p] = pb
		}
	}
	return orNil(m)
}

func changeTerms(c *registry.Change) *opledgerv1.IdentityChange {
	switch {
	case c.Continues:
		continues := &opledgerv1.IdentityContinues{}
		if !c.Until.IsZero() {
			continues.Until = timestamppb.New(c.Until)
		}
		return &opledgerv1.IdentityChange{Relation: &opledgerv1.IdentityChange_Continues{Continues: continues}}
	case c.Separate:
		return &opledgerv1.IdentityChange{Relation: &opledgerv1.IdentityChange_Separate{Separate: &opledgerv1.IdentitySeparate{Reason: c.Reason}}}
	}
	return nil
}

func fieldRule(r canon.Rule) *opledgerv1.FieldRule {
	m := &opledgerv1.FieldRule{}
	switch r.Kind {
	case canon.RuleNumber:
		m.Kind = &opledgerv1.FieldRule_Number{Number: &opledgerv1.NumberRule{}}
	case canon.RuleMoney:
		money := &opledgerv1.MoneyRule{Form: value[opledgerv1.MoneyForm](r.Form)}
		if r.CurrencyField != "" {
			money.CurrencySource = &opledgerv1.MoneyRule_CurrencyField{CurrencyField: r.CurrencyField}
		} else if r.Currency != "" {
			money.CurrencySource = &opledgerv1.MoneyRule_Currency{Currency: r.Currency}
		}
		m.Kind = &opledgerv1.FieldRule_Money{Money: money}
	case canon.RuleTimestamp:
		m.Kind = &opledgerv1.FieldRule_Timestamp{Timestamp: &opledgerv1.TimestampRule{
			Precision: value[opledgerv1.TimePrecision](r.Precision), Excess: value[opledgerv1.TimeExcess](r.Excess)}}
	case canon.RuleDate:
		m.Kind = &opledgerv1.FieldRule_Date{Date: &opledgerv1.DateRule{}}
	case canon.RuleBucket:
		m.Kind = &opledgerv1.FieldRule_Bucket{Bucket: &opledgerv1.BucketRule{Unit: value[opledgerv1.BucketUnit](r.Unit), Zone: r.Zone}}
	case canon.RuleEnum:
		m.Kind = &opledgerv1.FieldRule_Enum{Enum: &opledgerv1.EnumRule{Values: r.Values, Aliases: r.Aliases,
			Case: value[opledgerv1.LetterCase](r.Case)}}
	case canon.RuleIdentifier:
		m.Kind = &opledgerv1.FieldRule_Identifier{Identifier: &opledgerv1.IdentifierRule{Trim: r.Trim, Case: value[opledgerv1.LetterCase](r.Case)}}
	case canon.RuleText:
		m.Kind = &opledgerv1.FieldRule_Text{Text: &opledgerv1.TextRule{
			Whitespace: value[opledgerv1.TextWhitespace](r.Whitespace), Newlines: value[opledgerv1.TextNewlines](r.Newlines)}}
	case canon.RuleEmail:
		m.Kind = &opledgerv1.FieldRule_Email{Email: &opledgerv1.EmailRule{Local: value[opledgerv1.LetterCase](r.Local)}}
	case canon.RulePhone:
		m.Kind = &opledgerv1.FieldRule_Phone{Phone: &opledgerv1.PhoneRule{Region: r.Region}}
	case canon.RuleSet:
		m.Kind = &opledgerv1.FieldRule_Set{Set: &opledgerv1.SetRule{Of: itemRule(r.Of)}}
	case canon.RuleList:
		m.Kind = &opledgerv1.FieldRule_List{List: &opledgerv1.ListRule{Of: itemRule(r.Of)}}
	case canon.RuleIgnore:
		m.Kind = &opledgerv1.FieldRule_Ignore{Ignore: &opledgerv1.IgnoreRule{}}
	}
	return m
}

func itemRule(r *canon.Rule) *opledgerv1.FieldRule {
	if r == nil {
		return nil
	}
	return fieldRule(*r)
}
