package registry

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/canon"
)

// Relation says how a version's identity stands to that of the version before it.
type Relation string

// The relations.
const (
	SameIdentity      Relation = "SAME"      // nothing that decides identity changed
	ContinuesIdentity Relation = "CONTINUES" // changed, and its proposals claim the earlier keys too
	SeparateIdentity  Relation = "SEPARATE"  // changed: the same arguments are another operation than before
)

// Compare holds a new version against the newest one before it. A change of what decides identity must say whether it
// continues or is separate, so that a deployment between a call and its retry makes no second effect.
func Compare(old, next Definition) (Relation, []Problem) {
	old, next = WithDefaults(old), WithDefaults(next)
	var problems Problems
	if old.Name != next.Name {
		problems.add("name", CodeOtherTool, "This is another tool, not a version of "+old.Name+".")
		return SeparateIdentity, problems
	}
	if next.Identity.KeyVersion < old.Identity.KeyVersion {
		problems.add(pathKeyVersion, CodeKeyVersion, "The key version falls; an earlier key would come to stand for another operation. It stays or is raised.")
	}
	relation, changed := relate(&old, &next)
	rises := next.Identity.KeyVersion > old.Identity.KeyVersion
	switch change := next.Identity.Change; {
	case relation == SameIdentity:
	case relation == SeparateIdentity:
		if !rises {
			problems.add(pathKeyVersion, CodeKeyVersion, "A separate identity needs other keys than before; raise key_version above the earlier one.")
		}
	case !change.Continues:
		problems.add("identity.change", CodeChangeUnstated, "This version changes what makes two calls the same operation ("+strings.Join(changed, ", ")+
			"). State identity.change.continues, so that calls made before it are still met, or identity.change.separate with the reason why they mean something else.")
	default:
		if slices.Contains(changed, "key_template") && !rises {
			problems.add(pathKeyVersion, CodeKeyVersion, "The template changes, so that a new key could be spelled like an old one of another call; raise key_version.")
		}
		if !change.Until.IsZero() && !bucketed(&old) {
			problems.add("identity.change.continues.until", CodeUntil, "Only keys that hold a time bucket run out, and the earlier version's do not; leave until out.")
		}
	}
	return relation, problems
}

// relate says how two versions with defaults stand to each other, and which settings made the difference. What nobody
// stated is taken for continuing, which can only refuse a call, never double one. A statement that is word for word that
// of the version before, with nothing changed since, was left in the file and speaks of the earlier change.
func relate(old, next *Definition) (Relation, []string) {
	changed := identityChanges(old, next)
	a, b := old.Identity.Change, next.Identity.Change
	leftover := a.Separate == b.Separate && a.Reason == b.Reason
	switch {
	case len(changed) == 0 && (!b.Separate || leftover):
		return SameIdentity, nil
	case b.Separate:
		return SeparateIdentity, changed
	}
	return ContinuesIdentity, changed
}

// identityChanges names the settings of two versions that decide identity and differ.
func identityChanges(old, next *Definition) []string {
	a, b := &old.Identity, &next.Identity
	var changed []string
	note := func(name string, same bool) {
		if !same {
			changed = append(changed, name)
		}
	}
	note("fields", equalMaps(a.Rules.Fields, b.Rules.Fields))
	note("null", nullOption(a.Rules.Null) == nullOption(b.Rules.Null))
	note("defaults", maps.EqualFunc(a.Rules.Defaults, b.Rules.Defaults, (*canon.Value).Equal))
	note("sensitive", slices.Equal(sorted(a.Rules.Sensitive), sorted(b.Rules.Sensitive)))
	note("key_template", a.KeyTemplate == b.KeyTemplate)
	note("key_version", a.KeyVersion == b.KeyVersion)
	note("intent", a.Intent == b.Intent)
	note("entity", reflect.DeepEqual(a.Entity, b.Entity))
	note("touches", slices.Equal(a.Touches, b.Touches))
	note("occurrence", a.Occurrence == b.Occurrence && a.OccurrenceTemplate == b.OccurrenceTemplate)
	note("caller_key", a.CallerKey == b.CallerKey)
	note("bucket", a.SourceEventBucket == b.SourceEventBucket)
	return changed
}

func equalMaps(a, b map[string]canon.Rule) bool {
	return maps.EqualFunc(a, b, func(a, b canon.Rule) bool { return reflect.DeepEqual(spelledOut(a), spelledOut(b)) })
}

// identityText writes all that identityChanges looks at, so that versions can be told to agree by one comparison.
func identityText(id *Identity) string {
	plain := *id
	plain.Change = Change{}
	plain.Rules.Null = nullOption(id.Rules.Null)
	plain.Rules.Sensitive = sorted(id.Rules.Sensitive)
	plain.Rules.Fields = map[string]canon.Rule{}
	for pointer, rule := range id.Rules.Fields {
		plain.Rules.Fields[pointer] = spelledOut(rule)
	}
	plain.Rules.Defaults = nil // a value has no JSON of its own
	defaults := map[string]string{}
	for pointer, value := range id.Rules.Defaults {
		if value != nil {
			defaults[pointer] = string(value.Canonical())
		}
	}
	text, err := json.Marshal([]any{plain, defaults})
	if err != nil {
		panic("registry: identity rules are plain data: " + err.Error())
	}
	return string(text)
}

// spelledOut writes options that mean their own absence as absent, so that stating a default changes nothing.
func spelledOut(r canon.Rule) canon.Rule {
	dropDefault(&r.Excess, canon.ExcessRefuse)
	dropDefault(&r.Case, canon.CaseExact)
	dropDefault(&r.Whitespace, canon.WhitespaceExact)
	dropDefault(&r.Newlines, canon.NewlinesKeep)
	dropDefault(&r.Local, canon.LocalExact)
	r.Values = sorted(r.Values)
	if len(r.Aliases) == 0 {
		r.Aliases = nil
	}
	if r.Of != nil {
		of := spelledOut(*r.Of)
		r.Of = &of
	}
	return r
}

func dropDefault[T comparable](field *T, fallback T) {
	if *field == fallback {
		var zero T
		*field = zero
	}
}

func nullOption(n canon.NullOption) canon.NullOption {
	if n == "" {
		return canon.NullDistinct
	}
	return n
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// bucketed reports whether each key of a version holds a time bucket.
func bucketed(d *Definition) bool {
	if d.Identity.CallerKey {
		return false // a caller's own key never runs out
	}
	if d.Identity.KeyTemplate == "" {
		return false // the hash may be over a bucket among other fields, but then it is over those as well
	}
	t, faults := canon.ParseTemplate(d.Identity.KeyTemplate)
	if len(faults) > 0 {
		return false
	}
	return t.Uses(canon.FromBucket) || t.Uses(canon.FromSourceEvent) || slices.ContainsFunc(t.Pointers(), func(p string) bool {
		return d.Identity.Rules.Fields[p].Kind == canon.RuleBucket
	})
}

// Continuing gives the versions whose identities a proposal under the newest one must be judged and claimed by: the
// newest, then each earlier one that it continues, directly or through others, newest first. Versions between which
// nothing changed count too, since an operation is compared by the version that made it. Versions are given in any order.
//
// now decides whether a continuation with an end has ended. Any server's clock will do: the earlier keys hold time
// buckets that ended before it, so a clock that lags claims more than it must and none claims too little for what it can
// still meet.
func Continuing(versions []Definition, now time.Time) []Definition {
	if len(versions) == 0 {
		return nil
	}
	all := slices.Clone(versions)
	slices.SortFunc(all, func(a, b Definition) int { return int(b.Version - a.Version) })
	chain := all[:1]
	for i := 0; i+1 < len(all); i++ {
		next, old := WithDefaults(all[i]), WithDefaults(all[i+1])
		relation, _ := relate(&old, &next)
		until := next.Identity.Change.Until
		if relation == SeparateIdentity || (relation == ContinuesIdentity && !until.IsZero() && !now.Before(until)) {
			break
		}
		chain = all[:i+2]
	}
	return chain
}
