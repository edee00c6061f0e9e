package registry

import (
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/opledger/opledger/canon"
)

// Compiled is a version of a tool that is ready to be called: what can be worked out before any call has been. It never
// changes and serves any number of goroutines.
type Compiled struct {
	// Definition is the version with its defaults filled in.
	Definition Definition

	schema     *jsonschema.Schema
	written    *canon.Value // the schema as it was written, with what only people read
	normalizer *canon.Normalizer
	key        *canon.Template // nil: the key is made from all arguments
	entity     *canon.Template // nil: the tool acts on none
	touches    []*canon.Template
	occurrence *canon.Template // nil: no template names the occurrence

	identityText string // the same for versions of a tool whose identities are the same
}

// Compile fills in defaults and makes a version ready. Its error is of the type Problems and lists what is wrong in
// itself; whether the definition is a wise one, and whether this server can carry it, is said by Check and Missing.
func Compile(d Definition) (*Compiled, error) {
	c, problems := compile(WithDefaults(d))
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// compile compiles what it can; a part that does not compile is nil.
func compile(d Definition) (*Compiled, Problems) {
	c := &Compiled{Definition: d, identityText: identityText(&d.Identity)}
	schema, written, problems := compileSchema(d.Schema)
	c.schema, c.written = schema, written

	normalizer, faults := canon.Compile(d.Identity.Rules)
	c.normalizer = normalizer
	for _, f := range faults {
		problems.add(d.rulePath(f.Pointer), CodeRule, f.Message)
	}
	if d.Identity.KeyTemplate != "" {
		c.key = c.template("identity.key_template", d.Identity.KeyTemplate, &problems)
	}
	if e := d.Identity.Entity; e != nil {
		c.entity = c.id("identity.entity", *e, &problems)
	}
	for i, e := range d.Identity.Touches {
		c.touches = append(c.touches, c.id(indexed("identity.touches", i), e, &problems))
	}
	if d.Identity.OccurrenceTemplate != "" {
		c.occurrence = c.plainTemplate("identity.occurrence_template", d.Identity.OccurrenceTemplate, &problems)
	}
	return c, problems
}

// rulePath says where the definition speaks of a pointer.
func (d *Definition) rulePath(pointer string) string {
	rules := d.Identity.Rules
	if _, ok := rules.Fields[pointer]; ok {
		return keyed("identity.fields", pointer)
	}
	if _, ok := rules.Defaults[pointer]; ok {
		return keyed("identity.defaults", pointer)
	}
	if i := slices.Index(rules.Sensitive, pointer); i >= 0 {
		return indexed("identity.sensitive", i)
	}
	// A fault inside a default is that of the longest default above it.
	longest := ""
	for p := range maps.Keys(rules.Defaults) {
		if len(p) > len(longest) && len(pointer) > len(p) && pointer[:len(p)+1] == p+"/" {
			longest = p
		}
	}
	if longest != "" {
		return keyed("identity.defaults", longest)
	}
	return "identity"
}

// template parses a template and holds it against the rules.
func (c *Compiled) template(path, text string, problems *Problems) *canon.Template {
	t, faults := canon.ParseTemplate(text)
	if len(faults) == 0 && c.normalizer != nil {
		faults = c.normalizer.CheckTemplate(t)
	}
	for _, f := range faults {
		code := CodeTemplate
		if f.Reason == canon.ReasonForbiddenComponent {
			code = CodeForbidden
		}
		problems.add(path, code, f.Message)
	}
	if len(faults) > 0 {
		return nil
	}
	return t
}

// plainTemplate is a template over arguments alone, for ids and occurrences.
func (c *Compiled) plainTemplate(path, text string, problems *Problems) *canon.Template {
	t := c.template(path, text, problems)
	if t == nil {
		return nil
	}
	for _, source := range []canon.Source{canon.FromEntity, canon.FromIntent, canon.FromOccurrence} {
		if t.Uses(source) {
			problems.add(path, CodeTemplate, "The template may read arguments only; {"+string(source)+"} is made from it, not for it. An argument of that name is read as {/"+string(source)+"}.")
			return nil
		}
	}
	if t.Uses(canon.FromSourceEvent) {
		problems.add(path, CodeTemplate, "The template may read arguments only; the time of the source event belongs into the key template.")
		return nil
	}
	return t
}

// id compiles an entity template.
func (c *Compiled) id(path string, e EntityTemplate, problems *Problems) *canon.Template {
	if !entityType.MatchString(e.Type) {
		problems.add(path+".type", CodeName, "The type is a constant word such as order: a letter, then letters, digits, _ . or -, at most 64 in all.")
	}
	return c.plainTemplate(path+".id", e.ID, problems)
}
