package canon

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxRules bounds the fields that one tool may give a rule, a default or a seal.
const MaxRules = 512

// Normalizer is a set of rules that was checked and can be used at once by any number of goroutines.
type Normalizer struct {
	root       *node
	patterns   map[string]*compiled // by the text of their pointer
	defaults   []defaultValue       // parents first
	nullAbsent bool
	sensitive  bool
}

// node is one step of the tree that all pointers of the rules make together.
type node struct {
	pattern   Pointer
	children  map[string]*node
	rule      *compiled
	sensitive bool
}

// compiled is a rule with what can be worked out before any value is seen.
type compiled struct {
	Rule
	words         map[string]string // enum: every accepted word, folded if so asked, and its value
	location      *time.Location    // bucket
	currencyField Pointer           // money
	of            *compiled         // set, list
}

type defaultValue struct {
	pattern Pointer
	value   *Value
}

// Compile checks rules by themselves and against each other. Every fault is one of the definition, found when a tool
// is registered and not when it is called; its pointer is the field that the rule is for.
func Compile(rules Rules) (*Normalizer, Faults) {
	c := &compiler{n: &Normalizer{
		root:       &node{},
		patterns:   map[string]*compiled{},
		nullAbsent: rules.Null == NullAbsent,
		sensitive:  len(rules.Sensitive) > 0,
	}}
	if n := len(rules.Fields) + len(rules.Defaults) + len(rules.Sensitive); n > MaxRules {
		return nil, Faults{{Reason: ReasonTooLarge, Message: "There are more than " + strconv.Itoa(MaxRules) + " rules, defaults and sensitive fields."}}
	}
	switch rules.Null {
	case "", NullDistinct, NullAbsent:
	default:
		c.fault("", ReasonBadRule, "The null option is distinct or absent.")
	}
	for _, pointer := range slices.Sorted(maps.Keys(rules.Fields)) {
		c.field(pointer, rules.Fields[pointer])
	}
	c.checkPairs()
	c.checkCurrencyFields()
	for _, pointer := range slices.Sorted(slices.Values(rules.Sensitive)) {
		c.seal(pointer)
	}
	for _, pointer := range slices.Sorted(maps.Keys(rules.Defaults)) {
		c.fillIn(pointer, rules.Defaults[pointer])
	}
	slices.SortStableFunc(c.n.defaults, func(a, b defaultValue) int { return len(a.pattern) - len(b.pattern) })
	if len(c.faults) == 0 {
		c.checkDefaults()
	}
	if len(c.faults) > 0 {
		return nil, c.faults
	}
	return c.n, nil
}

type compiler struct {
	n      *Normalizer
	faults Faults
}

func (c *compiler) fault(pointer string, reason Reason, message string) {
	c.faults = append(c.faults, Fault{pointer, reason, message})
}

// pointer reads the pointer of a definition. The whole document has no rule of its own.
func (c *compiler) pointer(text string) (Pointer, bool) {
	p, err := ParsePointer(text)
	switch {
	case err != nil:
		c.fault(text, ReasonBadPointer, "The "+err.Error()+".")
	case len(p) == 0:
		c.fault(text, ReasonBadPointer, "A rule is for a field; the empty pointer is the whole document.")
	case len(p) > MaxDepth:
		c.fault(text, ReasonBadPointer, "The pointer is deeper than any document may be.")
	default:
		return p, true
	}
	return nil, false
}

func (c *compiler) field(text string, rule Rule) {
	pattern, ok := c.pointer(text)
	if !ok {
		return
	}
	compiled := c.rule(text, rule)
	if rule.Kind == RuleIgnore && pattern[len(pattern)-1] == each {
		c.fault(text, ReasonBadRule, "Items cannot be ignored one by one; ignore the array.")
	}
	c.n.root.grow(pattern).rule = compiled
	c.n.patterns[text] = compiled
}

// grow gives the node of a pattern, making what is missing on the way.
func (n *node) grow(pattern Pointer) *node {
	for i, token := range pattern {
		next := n.children[token]
		if next == nil {
			next = &node{pattern: slices.Clone(pattern[:i+1])}
			if n.children == nil {
				n.children = map[string]*node{}
			}
			n.children[token] = next
		}
		n = next
	}
	return n
}

// checkCurrencyFields holds every currency_field against the rules, since an amount means nothing without its currency.
func (c *compiler) checkCurrencyFields() {
	for _, text := range slices.Sorted(maps.Keys(c.n.patterns)) {
		pattern, _ := ParsePointer(text)
		rule := c.n.patterns[text]
		for ; rule.of != nil; rule = rule.of {
			pattern = pattern.child(each)
		}
		if rule.currencyField == nil {
			continue
		}
		for i, token := range rule.currencyField {
			if token == each && (i >= len(pattern) || !slices.Equal(pattern[:i+1], rule.currencyField[:i+1])) {
				c.fault(text, ReasonConflict, "The * of currency_field must stand for the same items as those of the amount, as in /lines/*/amount and /lines/*/currency.")
				break
			}
		}
		field, ok := c.n.patterns[rule.CurrencyField]
		switch {
		case !ok:
			c.fault(text, ReasonConflict, "currency_field "+rule.CurrencyField+" has no rule; give it an enum of the currencies that the tool takes.")
		case field.Kind == RuleEnum:
			for _, value := range field.Values {
				if _, known := currencyExponent(asciiUpper(value)); !known {
					c.fault(rule.CurrencyField, ReasonUnknownCurrency, strconv.Quote(value)+" is no ISO 4217 currency with minor units, though "+text+" takes its currency from here.")
				}
			}
		case field.Kind != RuleIdentifier:
			c.fault(text, ReasonConflict, "currency_field "+rule.CurrencyField+" must be an enum or an identifier, not "+string(field.Kind)+".")
		}
	}
}

func (c *compiler) seal(text string) {
	pattern, ok := c.pointer(text)
	if !ok {
		return
	}
	n := c.n.root.grow(pattern)
	if n.sensitive {
		c.fault(text, ReasonConflict, "The field is listed as sensitive twice.")
	}
	n.sensitive = true
}

func (c *compiler) fillIn(text string, value *Value) {
	pattern, ok := c.pointer(text)
	if !ok {
		return
	}
	switch {
	case value == nil:
		c.fault(text, ReasonBadRule, "The default has no value.")
		return
	case pattern[len(pattern)-1] == each:
		c.fault(text, ReasonBadRule, "A default is for a member of an object, not for an array item.")
	case c.n.nullAbsent && value.IsNull():
		c.fault(text, ReasonConflict, "The default is null, which counts as absent here; remove the default.")
	}
	if c.ignored(pattern) {
		c.fault(text, ReasonConflict, "The default is for an ignored field and would change nothing; remove one of the two.")
	}
	if faults := Check(value, Limits{}); len(faults) > 0 {
		c.fault(text, ReasonBadRule, "The default: "+faults[0].Message)
		return
	}
	if c.n.nullAbsent {
		value = dropNulls(value, nil, func(Pointer) {})
	}
	c.n.defaults = append(c.n.defaults, defaultValue{pattern, value})
}

// checkDefaults lets every default pass the rules that it will meet, those of single items too.
func (c *compiler) checkDefaults() {
	for _, d := range c.n.defaults {
		nodes := []*node{c.n.root}
		for _, token := range d.pattern {
			nodes = stepDefault(nodes, token)
		}
		for _, n := range nodes {
			if n.ignored() {
				continue // on this item it is dropped before any rule takes it
			}
			r := &run{n: c.n, trial: true, hasher: func(string, []byte) string { return "trial" }}
			r.walk(d.value, d.pattern, []*node{n}, nil, true)
			for _, f := range r.faults {
				c.fault(f.Pointer, f.Reason, "The default is refused by the field's own rule: "+f.Message)
			}
		}
	}
}

// stepDefault follows a token of a default's pattern to every node that some document lets it meet: its * is filled in at
// every index.
func stepDefault(nodes []*node, token string) []*node {
	if token != each {
		return stepPattern(nodes, token)
	}
	var next []*node
	for _, n := range nodes {
		for _, child := range slices.Sorted(maps.Keys(n.children)) {
			if _, index := arrayIndex(child); index || child == each {
				next = append(next, n.children[child])
			}
		}
	}
	return next
}

// stepPattern follows a token of a pattern to every node that may hold there.
func stepPattern(nodes []*node, token string) []*node {
	var next []*node
	for _, n := range nodes {
		if child := n.children[token]; child != nil {
			next = append(next, child)
		}
		if _, index := arrayIndex(token); index && n.children[each] != nil {
			next = append(next, n.children[each])
		}
	}
	return next
}

// asciiLower and asciiUpper change ASCII letters only, so that no locale and no Unicode table has a say.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func asciiUpper(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - ('a' - 'A')
		}
		return r
	}, s)
}
