package canon

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Source says where a component of a key comes from.
type Source string

// The sources of components.
const (
	FromArgument   Source = "argument"
	FromEntity     Source = "entity"
	FromIntent     Source = "intent"
	FromOccurrence Source = "occurrence"
	FromBucket     Source = "bucket"
	FromTool       Source = "tool"      // in keys without a template
	FromHash       Source = "arguments" // the hash of the canonical arguments, in keys without a template
	FromCaller     Source = "caller"    // a key that the caller brought

	// FromSourceEvent is a time bucket too: of the time at which the event was sent that brought the request.
	FromSourceEvent Source = "source_event"
)

// The bounds of a template: a key is read by people and is an index entry, so it has few components.
const (
	MaxTemplateBytes      = 512
	MaxTemplateComponents = 16
)

// Template is a checked key template, such as payment:{order_id}:capture:{amount}:{currency}.
//
// A component in braces is a top-level argument ({order_id}), an argument by its pointer ({/order/id}), or one of
// {entity}, {intent}, {occurrence} and {bucket:POINTER:UNIT:ZONE}, the local day or hour of a time that is an argument
// ({bucket:/as_of:day:Europe/Berlin}) or the time of the source event ({bucket:@source_event:day:Europe/Berlin}). An
// argument that is named like one of these words is read by its pointer.
// Between two components stands text that begins with one of the characters in separators.
type Template struct {
	text  string
	parts []part
}

// part is text as it stands, or a component.
type part struct {
	text    string
	source  Source // empty for text
	name    string // what stands between the braces
	pointer Pointer
	unit    Unit
	zone    *time.Location
}

// separators are the characters with which the text behind a component may begin. They are escaped inside components,
// which is what makes a key reversible; none is a letter, a digit or a sign of the escapes themselves.
const separators = ":/_-.|#,;=@+"

// reservedPrefixes begin the keys that are made without a template.
var reservedPrefixes = []string{defaultPrefix, callerPrefix}

// ParseTemplate reads and checks a template.
func ParseTemplate(text string) (*Template, Faults) {
	t := &Template{text: text}
	var faults Faults
	bad := func(reason Reason, message string) { faults = append(faults, Fault{Reason: reason, Message: message}) }
	if text == "" || len(text) > MaxTemplateBytes {
		bad(ReasonBadTemplate, "A template has 1 to "+strconv.Itoa(MaxTemplateBytes)+" bytes.")
		return nil, faults
	}
	for _, prefix := range reservedPrefixes {
		if strings.HasPrefix(text, prefix) {
			bad(ReasonBadTemplate, "A template does not begin with "+prefix+", which begins keys that are made without one.")
		}
	}
	for rest := text; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open != 0 {
			literal := rest
			if open > 0 {
				literal = rest[:open]
			}
			t.literal(literal, bad)
			rest = rest[len(literal):]
			continue
		}
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			bad(ReasonBadTemplate, "A { has no } behind it.")
			break
		}
		t.component(rest[1:end], bad)
		rest = rest[end+1:]
	}
	switch n := len(t.components()); {
	case n == 0 && len(faults) == 0:
		bad(ReasonBadTemplate, "The template has no component, so all calls of the tool would be one operation; name the arguments that identify the operation, as in payment:{order_id}.")
	case n > MaxTemplateComponents:
		bad(ReasonBadTemplate, "The template has more than "+strconv.Itoa(MaxTemplateComponents)+" components; leave it out to take the hash of all arguments.")
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return t, nil
}

func (t *Template) literal(text string, bad func(Reason, string)) {
	for _, r := range text {
		if r <= ' ' || r > '~' || strings.ContainsRune(`%'"~}\`, r) {
			bad(ReasonBadTemplate, "The text "+strconv.QuoteToASCII(text)+" of the template holds a character that is not printable ASCII or has a meaning in keys (% ' \" ~ } \\).")
			break
		}
	}
	if len(t.parts) > 0 && !strings.ContainsRune(separators, rune(text[0])) {
		bad(ReasonBadTemplate, "The text "+strconv.QuoteToASCII(text)+" follows a component and must begin with one of "+separators+" so that the border stays clear.")
	}
	t.parts = append(t.parts, part{text: text})
}

func (t *Template) component(name string, bad func(Reason, string)) {
	if len(t.parts) > 0 && t.parts[len(t.parts)-1].source != "" {
		bad(ReasonBadTemplate, "The component {"+name+"} follows another one without text between them, such as a colon.")
	}
	p := part{name: name, source: FromArgument}
	switch {
	case name == "entity" || name == "intent" || name == "occurrence":
		p.source = Source(name)
	case name == "bucket" || strings.HasPrefix(name, "bucket:"):
		p.source = FromBucket
		p.bucket(bad)
	default:
		p.argument(name, bad)
	}
	t.parts = append(t.parts, p)
}

// argument reads a bare name or a pointer.
func (p *part) argument(name string, bad func(Reason, string)) {
	if !strings.HasPrefix(name, "/") {
		if word := plainWord(name); executionWords[word] || ambiguousWords[word] {
			bad(ReasonForbiddenComponent, "The component {"+p.name+"} names something that differs between two tries of one operation, or that the server makes; use an argument that identifies the operation"+byPointer(name)+".")
			return
		}
		if name == "" || strings.ContainsAny(name, "{ \t") {
			bad(ReasonBadTemplate, "The component {"+p.name+"} has no usable name; name an argument, as in {order_id} or {/order/id}.")
			return
		}
		p.pointer = Pointer{name}
		return
	}
	pointer, err := ParsePointer(name)
	switch {
	case err != nil:
		bad(ReasonBadPointer, "In {"+p.name+"}: the "+err.Error()+".")
	case pointer.hasEach():
		bad(ReasonBadTemplate, "The component {"+p.name+"} reaches several values; name one, or the whole array.")
	case executionWords[plainWord(pointer[len(pointer)-1])]:
		bad(ReasonForbiddenComponent, "The component {"+p.name+"} names something that differs between two tries of one operation; use an argument that identifies the operation.")
	}
	p.pointer = pointer
}

// byPointer tells how an argument with an ambiguous name is meant on purpose.
func byPointer(name string) string {
	if executionWords[plainWord(name)] {
		return ""
	}
	return ", or write {" + (Pointer{name}).String() + "} if an argument of that name is meant"
}

// sourceEventTime stands in a bucket for the time of the event that brought the request. No argument can be meant by it.
const sourceEventTime = "@source_event"

// bucket reads bucket:POINTER:UNIT:ZONE. A pointer may hold a colon, unit and zone never do.
func (p *part) bucket(bad func(Reason, string)) {
	fields := strings.Split(p.name, ":")
	if len(fields) < 4 {
		bad(ReasonBadTemplate, "The component {"+p.name+"} is not of the form {bucket:POINTER:UNIT:ZONE}, such as {bucket:/as_of:day:Europe/Berlin}.")
		return
	}
	last := len(fields) - 1
	if of := strings.Join(fields[1:last-1], ":"); of == sourceEventTime {
		p.source = FromSourceEvent
	} else {
		p.argument(of, bad)
	}
	p.unit = Unit(fields[last-1])
	if p.unit != UnitDay && p.unit != UnitHour {
		bad(ReasonBadTemplate, "The unit of {"+p.name+"} must be day or hour.")
	}
	zone, known := loadZone(fields[last])
	if !known {
		bad(ReasonUnknownZone, "The zone of {"+p.name+"} is no IANA name, such as Europe/Berlin or UTC.")
	}
	p.zone = zone
}

// components gives the parts that are no text.
func (t *Template) components() []part {
	var list []part
	for _, p := range t.parts {
		if p.source != "" {
			list = append(list, p)
		}
	}
	return list
}

// String gives the text of the template.
func (t *Template) String() string { return t.text }

// Pointers lists what the template reads from the arguments, sorted, each once. Each of them must be required by the
// schema or have a default, or calls without it would be refused one by one.
func (t *Template) Pointers() []string {
	var list []string
	for _, p := range t.components() {
		if p.pointer != nil {
			list = append(list, p.pointer.String())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Uses reports whether the template has a component from this source.
func (t *Template) Uses(source Source) bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.source == source })
}

// CheckTemplate holds a template against the rules under which it will be read.
func (n *Normalizer) CheckTemplate(t *Template) Faults {
	var faults Faults
	for _, p := range t.components() {
		nodes := []*node{n.root}
		for i, token := range p.pointer {
			nodes = stepPattern(nodes, token)
			at := p.pointer[:i+1].String()
			for _, found := range nodes {
				whole := i+1 == len(p.pointer)
				switch {
				case found.ignored():
					faults = append(faults, Fault{at, ReasonConflict, "The template reads {" + p.name + "}, which identity ignores; remove the rule or the component."})
				case p.source == FromBucket && found.sensitive:
					faults = append(faults, Fault{at, ReasonConflict, "The template takes a time bucket from a sensitive field, of which identity holds a hash only."})
				case p.source == FromBucket && whole && found.rule != nil && found.rule.Kind != RuleTimestamp:
					faults = append(faults, Fault{at, ReasonConflict, "The template takes a time bucket from a field whose rule is " + string(found.rule.Kind) + "; it must be a timestamp."})
				case !whole && found.rule != nil && found.rule.Kind == RuleSet:
					faults = append(faults, Fault{at, ReasonConflict, "The template reads one item of a set, whose items have no order; read the whole set."})
				}
			}
		}
	}
	return faults
}
