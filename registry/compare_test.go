package registry_test

import (
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
)

func TestCompare(t *testing.T) {
	type change = func(*registry.Definition)
	const keyVersion = "identity.key_version key_version_not_raised"
	for name, c := range map[string]struct {
		old, next change
		relation  registry.Relation
		want      []string
	}{
		"nothing":               {nil, nil, registry.SameIdentity, nil},
		"another description":   {nil, func(d *registry.Definition) { d.Description = "x" }, registry.SameIdentity, nil},
		"more retries":          {nil, func(d *registry.Definition) { d.Retry.MaxAttempts = 2 }, registry.SameIdentity, nil},
		"a default spelled out": {nil, func(d *registry.Definition) { d.Identity.KeyVersion = 1; d.Identity.Rules.Null = canon.NullDistinct }, registry.SameIdentity, nil},
		"an option spelled out": {nil, func(d *registry.Definition) {
			set(d, "/order_id", canon.Rule{Kind: canon.RuleIdentifier, Trim: true, Case: canon.CaseExact})
		}, registry.SameIdentity, nil},
		"another name":          {nil, func(d *registry.Definition) { d.Name = "payment.charge" }, registry.SeparateIdentity, []string{"name another_tool"}},
		"a rule, unstated":      {nil, func(d *registry.Definition) { set(d, "/note", canon.Rule{Kind: canon.RuleText}) }, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"a rule away, unstated": {nil, func(d *registry.Definition) { delete(d.Identity.Rules.Fields, "/note") }, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"null, unstated":        {nil, func(d *registry.Definition) { d.Identity.Rules.Null = canon.NullAbsent }, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"a default, unstated": {nil, func(d *registry.Definition) {
			d.Identity.Rules.Defaults = map[string]*canon.Value{"/count": canon.Int(1)}
		}, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"sensitive, unstated":      {nil, func(d *registry.Definition) { d.Identity.Rules.Sensitive = []string{"/note"} }, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"the intent, unstated":     {nil, func(d *registry.Definition) { d.Identity.Intent = "charge" }, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"the entity, unstated":     {nil, func(d *registry.Definition) { d.Identity.Entity = nil; d.Exclusive.Group = "" }, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"the occurrence, unstated": {nil, func(d *registry.Definition) { d.Identity.Occurrence = registry.OccurrenceAnyCaller }, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"a caller's key, unstated": {nil, func(d *registry.Definition) { d.Identity.CallerKey = true }, registry.ContinuesIdentity, []string{"identity.change identity_change_unstated"}},
		"the key version, unstated": {nil, func(d *registry.Definition) { d.Identity.KeyVersion = 2 }, registry.ContinuesIdentity,
			[]string{"identity.change identity_change_unstated"}},
		"a rule that continues": {nil, func(d *registry.Definition) {
			set(d, "/note", canon.Rule{Kind: canon.RuleText})
			d.Identity.Change.Continues = true
		}, registry.ContinuesIdentity, nil},
		"a template under one key": {nil, func(d *registry.Definition) {
			d.Identity.KeyTemplate, d.Identity.Change.Continues = "pay:{order_id}:{amount}:{currency}", true
		}, registry.ContinuesIdentity, []string{keyVersion}},
		"a template under a new key": {nil, func(d *registry.Definition) {
			d.Identity.KeyTemplate, d.Identity.Change.Continues, d.Identity.KeyVersion = "pay:{order_id}:{amount}:{currency}", true, 2
		}, registry.ContinuesIdentity, nil},
		"the key version falls": {func(d *registry.Definition) { d.Identity.KeyVersion = 3 }, func(d *registry.Definition) { d.Identity.KeyVersion, d.Identity.Change.Continues = 2, true }, registry.ContinuesIdentity, []string{keyVersion}},
		"separate under one key": {nil, func(d *registry.Definition) {
			d.Identity.Change = registry.Change{Separate: true, Reason: "captures tips now"}
		}, registry.SeparateIdentity, []string{keyVersion}},
		"separate under a new key": {nil, func(d *registry.Definition) {
			d.Identity.Change = registry.Change{Separate: true, Reason: "captures tips now"}
			d.Identity.KeyVersion = 2
		}, registry.SeparateIdentity, nil},
		"a statement left in the file": {
			func(d *registry.Definition) { d.Identity.Change = registry.Change{Separate: true, Reason: "tips"} },
			func(d *registry.Definition) {
				d.Identity.Change = registry.Change{Separate: true, Reason: "tips"}
				d.Description = "x"
			}, registry.SameIdentity, nil},
		"until without a bucket": {nil, func(d *registry.Definition) {
			set(d, "/note", canon.Rule{Kind: canon.RuleText})
			d.Identity.Change = registry.Change{Continues: true, Until: later}
		},
			registry.ContinuesIdentity, []string{"identity.change.continues.until until_without_bucket"}},
		"until with a bucket": {func(d *registry.Definition) { d.Identity.KeyTemplate = "pay:{order_id}:{bucket:/as_of:day:UTC}" },
			func(d *registry.Definition) {
				d.Identity.KeyTemplate = "pay:{order_id}:{bucket:/as_of:day:UTC}"
				set(d, "/note", canon.Rule{Kind: canon.RuleText})
				d.Identity.Change = registry.Change{Continues: true, Until: later}
			}, registry.ContinuesIdentity, nil},
	} {
		t.Run(name, func(t *testing.T) {
			apply := func(change change) registry.Definition {
				if change == nil {
					change = func(*registry.Definition) {}
				}
				return with(capture(), change)
			}
			relation, problems := registry.Compare(apply(c.old), apply(c.next))
			if relation != c.relation {
				t.Errorf("the relation is %s, want %s", relation, c.relation)
			}
			wantCodes(t, problems, c.want...)
		})
	}
}

var later = time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC)

func set(d *registry.Definition, pointer string, rule canon.Rule) {
	d.Identity.Rules.Fields[pointer] = rule
}

// version makes a version of one tool. Its intent is its identity here.
func version(n int64, intent string, keyVersion int64, change registry.Change) registry.Definition {
	d := contact()
	d.Version, d.Identity.Intent, d.Identity.KeyVersion, d.Identity.Change = n, intent, keyVersion, change
	return d
}

func TestContinuing(t *testing.T) {
	continues := registry.Change{Continues: true}
	separate := registry.Change{Separate: true, Reason: "another meaning"}
	until := registry.Change{Continues: true, Until: later}
	for name, c := range map[string]struct {
		versions []registry.Definition
		now      time.Time
		want     []int64
	}{
		"none":        {nil, later, nil},
		"one":         {[]registry.Definition{version(1, "a", 1, registry.Change{})}, later, []int64{1}},
		"no change":   {[]registry.Definition{version(1, "a", 1, registry.Change{}), version(2, "a", 1, registry.Change{})}, later, []int64{2, 1}},
		"a chain":     {[]registry.Definition{version(1, "a", 1, registry.Change{}), version(2, "b", 1, continues), version(3, "c", 1, continues)}, later, []int64{3, 2, 1}},
		"any order":   {[]registry.Definition{version(3, "c", 1, continues), version(1, "a", 1, registry.Change{}), version(2, "b", 1, continues)}, later, []int64{3, 2, 1}},
		"a border":    {[]registry.Definition{version(1, "a", 1, registry.Change{}), version(2, "b", 2, separate), version(3, "c", 2, continues)}, later, []int64{3, 2}},
		"border last": {[]registry.Definition{version(1, "a", 1, registry.Change{}), version(2, "b", 2, separate)}, later, []int64{2}},
		"a statement left in the file is no second border": {[]registry.Definition{
			version(1, "a", 1, registry.Change{}), version(2, "b", 2, separate), version(3, "b", 2, separate)}, later, []int64{3, 2}},
		"before its end": {[]registry.Definition{version(1, "a", 1, registry.Change{}), version(2, "b", 1, until)}, later.Add(-time.Second), []int64{2, 1}},
		"at its end":     {[]registry.Definition{version(1, "a", 1, registry.Change{}), version(2, "b", 1, until)}, later, []int64{2}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int64
			for _, d := range registry.Continuing(c.versions, c.now) {
				got = append(got, d.Version)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
