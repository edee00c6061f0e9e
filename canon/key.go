package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Key is an idempotency key: the stable identity of one business operation, unique in its namespace. It is printable
// ASCII and at most MaxKeyBytes long.
type Key string

// MaxKeyBytes bounds a key: it is a unique index entry, and is read by people. A longer one keeps a readable prefix
// and the SHA-256 of the whole.
const MaxKeyBytes = 512

// MaxWordBytes bounds each of tool, intent, entity type, entity id, occurrence and a caller's own key.
const MaxWordBytes = 256

// How keys that no template made begin.
const (
	defaultPrefix = "args:"
	callerPrefix  = "own:"
)

// shortened marks a key that was cut: no component begins with ~ save the lone sign of an unnamed occurrence.
const shortened = ":~sha256-"

// Entity is the business object that an operation acts on.
type Entity struct {
	Type string // "order"; it has no slash
	ID   string // "order_123"
}

// IsZero reports whether there is no entity.
func (e Entity) IsZero() bool { return e == Entity{} }

// String writes order/order_123. A type has no slash, so the first one divides, whatever the id holds.
func (e Entity) String() string {
	if e.IsZero() {
		return ""
	}
	return e.Type + "/" + e.ID
}

// check refuses half an entity, and a type that would move the border between type and id.
func (e Entity) check() *Fault {
	if !e.IsZero() && (e.Type == "" || e.ID == "" || strings.Contains(e.Type, "/")) {
		return &Fault{Reason: ReasonBadKey, Message: "An entity has a type without a slash and an id, as in order/order_123."}
	}
	return nil
}

// Parts is what a key is made of.
type Parts struct {
	Arguments  *Normalized
	Tool       string
	Entity     Entity // zero: the tool acts on none
	Intent     string // the tool's own word for what it does, never the caller's
	Occurrence string // empty: the caller named none
	Version    int64  // of the key, from 1
	// EventTime is when the event was sent that brought the request; zero: not known.
	EventTime time.Time
}

// Render makes the key, and gives its components as they went in. A component that is absent, null or empty is
// refused with the pointer of its argument, because it would be the key of everybody.
func (t *Template) Render(parts Parts) (Key, []Component, Faults) {
	text, components, faults := t.join(parts)
	if parts.Version < 1 {
		faults = append(faults, Fault{Reason: ReasonBadKey, Message: "A key version is at least 1."})
	}
	if len(faults) > 0 {
		return "", nil, faults
	}
	return finish(text, parts.Version), components, nil
}

// RenderID makes the plain text of an entity id or an occurrence from arguments. One component alone gives its own
// text, unescaped (order_123, Café); several are joined reversibly as in a key. It has no version and no bound of its
// own below MaxWordBytes.
func (t *Template) RenderID(arguments *Normalized) (string, Faults) {
	text, components, faults := t.join(Parts{Arguments: arguments})
	if len(faults) > 0 {
		return "", faults
	}
	if len(t.parts) == 1 {
		if s, isText := components[0].Value.Text(); isText {
			text = s
		} else {
			text = componentText(components[0].Value)
		}
	}
	if len(text) > MaxWordBytes {
		return "", Faults{{components[0].Pointer, ReasonTooLarge, "An id of more than " + strconv.Itoa(MaxWordBytes) + " bytes cannot be kept; identify the object by a shorter one."}}
	}
	return text, nil
}

func (t *Template) join(parts Parts) (string, []Component, Faults) {
	var b strings.Builder
	var components []Component
	var faults Faults
	for i, p := range t.parts {
		if p.source == "" {
			b.WriteString(p.text)
			continue
		}
		component, fault := p.resolve(parts)
		if fault != nil {
			faults = append(faults, *fault)
			continue
		}
		component.Text = escape(component.text(), t.escaped(i))
		b.WriteString(component.Text)
		components = append(components, component)
	}
	return b.String(), components, faults
}

// escaped gives what must be escaped in the component at a place: the colon of the version, the slash of an entity,
// and what follows it in the template.
func (t *Template) escaped(i int) string {
	if i+1 < len(t.parts) {
		return ":/" + t.parts[i+1].text[:1]
	}
	return ":/"
}

// resolve finds the value of a component, or says why there is none.
func (p part) resolve(parts Parts) (Component, *Fault) {
	c := Component{Source: p.source, Name: p.name}
	word := ""
	switch p.source {
	case FromArgument, FromBucket:
		c.Pointer = p.pointer.String()
		return p.argumentValue(c, parts.Arguments)
	case FromSourceEvent:
		if parts.EventTime.IsZero() {
			return c, &Fault{Reason: ReasonAbsentComponent, Message: "The key needs the time of the workflow's source event; propose in a workflow that was started with an event and its time."}
		}
		c.Value = String(bucketOf(parts.EventTime, p.unit, p.zone))
		return c, nil
	case FromOccurrence:
		if parts.Occurrence == "" {
			return c, nil
		}
		word = parts.Occurrence
	case FromEntity:
		if fault := parts.Entity.check(); fault != nil {
			return c, fault
		}
		word = parts.Entity.String()
	case FromIntent:
		word = parts.Intent
	}
	if fault := checkWord(p.name, word); fault != nil {
		return c, fault
	}
	c.Value = String(word)
	return c, nil
}

func (p part) argumentValue(c Component, arguments *Normalized) (Component, *Fault) {
	v, found := arguments.Identity.At(p.pointer)
	fault := func(reason Reason, message string) *Fault {
		return &Fault{c.Pointer, reason, "The key needs this argument, which is " + message}
	}
	switch {
	case !found:
		return c, fault(ReasonAbsentComponent, "absent; send it.")
	case v.IsNull():
		return c, fault(ReasonNullComponent, "null; send a value.")
	case v.empty():
		return c, fault(ReasonEmptyComponent, "empty; send a value.")
	}
	c.Value = v
	if amount, isMoney := arguments.Money[c.Pointer]; isMoney && v.kind == KindObject {
		c.Value = Int(amount.Minor) // the currency is a component of its own where it may differ
	}
	if p.source == FromBucket {
		s, isText := v.Text()
		if !isText {
			return c, &Fault{c.Pointer, ReasonWrongType, "A time bucket is taken from a timestamp string."}
		}
		label, wrong := bucket(s, p.unit, p.zone)
		if wrong != nil {
			return c, &Fault{c.Pointer, wrong.reason, wrong.message}
		}
		c.Value = String(label)
	}
	return c, nil
}

// checkWord holds a word that comes from the tool or the caller against the bounds of every component.
func checkWord(name, word string) *Fault {
	most := MaxWordBytes
	if name == string(FromEntity) {
		most = 2*MaxWordBytes + 1 // type, slash and id
	}
	switch {
	case word == "":
		return &Fault{Reason: ReasonEmptyComponent, Message: "The key needs the " + name + ", which is empty."}
	case len(word) > most:
		return &Fault{Reason: ReasonTooLarge, Message: "The " + name + " has more than " + strconv.Itoa(most) + " bytes."}
	}
	if faults := Check(String(word), Limits{}); len(faults) > 0 {
		return &Fault{Reason: faults[0].Reason, Message: "In the " + name + ": " + faults[0].Message}
	}
	return nil
}

// DefaultKey makes the key of a tool without a template: args:TOOL:INTENT:ENTITY:OCCURRENCE:SHA256:v1. What the tool
// has not (an intent, an entity, a named occurrence) is the sign ~.
func DefaultKey(parts Parts) (Key, []Component, Faults) {
	if fault := parts.Entity.check(); fault != nil {
		return "", nil, Faults{*fault}
	}
	hash := strings.TrimPrefix(parts.Arguments.Fingerprint(), "sha256:")
	return fixedKey(defaultPrefix, parts.Version, []Component{
		{Source: FromTool, Value: word(parts.Tool)},
		{Source: FromIntent, Value: word(parts.Intent)},
		{Source: FromEntity, Value: word(parts.Entity.String())},
		{Source: FromOccurrence, Value: word(parts.Occurrence)},
		{Source: FromHash, Value: word("sha256-" + hash)},
	})
}

// CallerKey makes the key of a call that brings its own: own:TOOL:KEY:v1. The tool is part of it, so that one
// caller's key on two tools is two operations.
func CallerKey(tool, own string, version int64) (Key, []Component, Faults) {
	if own == "" {
		return "", nil, Faults{{Reason: ReasonEmptyComponent, Message: "The caller's own key is empty."}}
	}
	if len(own) > MaxWordBytes {
		return "", nil, Faults{{Reason: ReasonTooLarge, Message: "The caller's own key has more than " + strconv.Itoa(MaxWordBytes) + " bytes."}}
	}
	return fixedKey(callerPrefix, version, []Component{
		{Source: FromTool, Value: word(tool)},
		{Source: FromCaller, Value: word(own)},
	})
}

func word(s string) *Value {
	if s == "" {
		return nil
	}
	return String(s)
}

// fixedKey joins components by colons. Only the tool can never be missing.
func fixedKey(prefix string, version int64, components []Component) (Key, []Component, Faults) {
	var faults Faults
	texts := make([]string, len(components))
	for i := range components {
		c := &components[i]
		c.Name = string(c.Source)
		named := ""
		if c.Value != nil {
			named = c.Value.text
		}
		if fault := checkWord(c.Name, named); fault != nil && (c.Value != nil || c.Source == FromTool) {
			faults = append(faults, *fault)
		}
		c.Text = escape(c.text(), ":")
		texts[i] = c.Text
	}
	if version < 1 {
		faults = append(faults, Fault{Reason: ReasonBadKey, Message: "A key version is at least 1."})
	}
	if len(faults) > 0 {
		return "", nil, faults
	}
	return finish(prefix+strings.Join(texts, ":"), version), components, nil
}

// finish adds the version, and shortens what is too long.
func finish(text string, version int64) Key {
	suffix := ":v" + strconv.FormatInt(version, 10)
	if len(text)+len(suffix) <= MaxKeyBytes {
		return Key(text + suffix)
	}
	sum := sha256.Sum256([]byte(text))
	tail := shortened + hex.EncodeToString(sum[:]) + suffix
	head := text[:MaxKeyBytes-len(tail)]
	if at := strings.LastIndexByte(head, '%'); at >= len(head)-2 {
		head = head[:at] // no half escape
	}
	return Key(head + tail)
}

var versionSuffix = regexp.MustCompile(`:v([1-9][0-9]{0,18})$`)

// ParseKey takes a key apart again: the components that Render was given, and the key version. A key that was
// shortened cannot be taken apart, and says so.
func ParseKey(t *Template, key Key) ([]Component, int64, error) {
	bad := func(format string, args ...any) ([]Component, int64, error) {
		return nil, 0, Faults{{Reason: ReasonBadKey, Message: fmt.Sprintf(format, args...)}}
	}
	if len(key) > MaxKeyBytes {
		return bad("A key has at most %d bytes.", MaxKeyBytes)
	}
	if strings.Contains(string(key), shortened) {
		return nil, 0, Faults{{Reason: ReasonShortenedKey, Message: "The key was too long and keeps a hash of its components only."}}
	}
	suffix := versionSuffix.FindStringSubmatchIndex(string(key))
	if suffix == nil {
		return bad("The key does not end in a version such as :v1.")
	}
	version, err := strconv.ParseInt(string(key[suffix[2]:suffix[3]]), 10, 64)
	if err != nil {
		return bad("The key's version is no number that a version can have.")
	}
	rest := string(key[:suffix[0]])
	var components []Component
	for i, p := range t.parts {
		if p.source == "" {
			after, ok := strings.CutPrefix(rest, p.text)
			if !ok {
				return bad("The key does not follow the template %s.", t.text)
			}
			rest = after
			continue
		}
		end := len(rest)
		if i+1 < len(t.parts) {
			if end = strings.IndexByte(rest, t.parts[i+1].text[0]); end < 0 {
				return bad("The key does not follow the template %s.", t.text)
			}
		}
		c := Component{Source: p.source, Name: p.name, Text: rest[:end]}
		if p.pointer != nil {
			c.Pointer = p.pointer.String()
		}
		plain, err := unescape(c.Text)
		if err == nil {
			err = c.read(plain)
		}
		if err != nil {
			return bad("The component {%s} of the key cannot be read.", p.name)
		}
		components, rest = append(components, c), rest[end:]
	}
	if rest != "" {
		return bad("The key does not follow the template %s.", t.text)
	}
	return components, version, nil
}
