package inbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/opledger/opledger/ledger"
)

// Event is what a delivery says.
type Event struct {
	ID, Type string
	Says     ledger.Says // empty: nothing of an effect
	Time     time.Time   // by the source's clock; zero: it does not say
	// The references that it carries. Empty: it does not, or none that can be an operation's.
	ClientReference, VendorKey, ObjectID, EffectID string
	ResultJSON                                     []byte
	Digest                                         string // "sha256:" and the hex hash of the body
}

// The bounds of what is read, as in the API. A reference beyond them is none that the ledger ever gave or took.
const (
	maxEventID   = 256
	maxEventType = 128
	maxReference = 256
	maxVendorKey = 1024
	// maxResult bounds the result that is kept with an operation. A larger one is left out; the provider has it.
	maxResult = 64 << 10
)

// ErrPayload says that a delivery cannot be read as its source's settings say. It tells the place and no content.
var ErrPayload = errors.New("the event cannot be read")

func unreadable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrPayload, fmt.Sprintf(format, args...))
}

// Read reads a delivery whose signature was right, or a body that a trusted caller hands in, who may say the event's id
// where the body does not.
func (s *Source) Read(d *Delivery, p Proof, id string) (*Event, error) {
	document, err := parse(d.Body)
	if err != nil {
		return nil, err
	}
	r := reader{document: document, delivery: d}
	sum := sha256.Sum256(d.Body)
	e := &Event{
		ID: r.text(s.places.eventID, maxEventID), Type: r.text(s.places.eventType, maxEventType), Time: r.time(s.places.eventTime),
		ClientReference: r.text(s.places.clientReference, maxReference), VendorKey: r.text(s.places.vendorKey, maxVendorKey),
		ObjectID: r.text(s.places.objectID, maxReference), EffectID: r.text(s.places.effectID, maxReference),
		ResultJSON: r.json(s.places.result), Digest: "sha256:" + hex.EncodeToString(sum[:]),
	}
	if e.ID == "" {
		e.ID = id
	}
	if e.ID == "" {
		return nil, unreadable("there is no event id of 1 to %d characters at %s", maxEventID, s.Fields.EventID)
	}
	by := e.Type
	if s.places.verdictBy != nil {
		by = r.text(s.places.verdictBy, maxEventType)
	}
	e.Says = s.Verdicts[by]
	if e.Time.IsZero() {
		e.Time = p.SignedAt // no later than the delivery was signed
	}
	return e, nil
}

// Retype gives an event the type that a trusted caller says it has.
func (s *Source) Retype(e *Event, eventType string) {
	e.Type = eventType
	if s.places.verdictBy == nil {
		e.Says = s.Verdicts[eventType]
	}
}

// parse reads a body as one JSON value; its numbers stay as they are written.
func parse(body []byte) (any, error) {
	if !utf8.Valid(body) {
		return nil, unreadable("the body is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		return nil, unreadable("the body is no JSON")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, unreadable("something follows the body's JSON")
	}
	return document, nil
}

// reader reads places of one delivery.
type reader struct {
	document any
	delivery *Delivery
}

// value is what stands at a place; nil where nothing does.
func (r *reader) value(p *place) any {
	switch {
	case p == nil || r.delivery == nil:
		return nil
	case p.header != "":
		text, err := r.delivery.one(p.header)
		if err != nil {
			return nil
		}
		return text
	}
	at := r.document
	for _, token := range p.pointer {
		switch v := at.(type) {
		case map[string]any:
			at = v[token]
		case []any:
			i, ok := index(token)
			if !ok || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

// text is a text or a number at a place, as it is written; empty where none stands there that could be kept.
func (r *reader) text(p *place, limit int) string {
	var text string
	switch v := r.value(p).(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	}
	if utf8.RuneCountInString(text) > limit || strings.ContainsRune(text, 0) {
		return ""
	}
	return text
}

// time is the time at a place: RFC 3339, or a number of seconds or milliseconds since 1970.
func (r *reader) time(p *place) time.Time {
	text := r.text(p, 64)
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t.UTC()
	}
	whole, _, _ := strings.Cut(text, ".")
	n, err := json.Number(whole).Int64()
	switch {
	case err != nil || n < 0:
		return time.Time{}
	case n > lastPlainSecond:
		return time.UnixMilli(min(n, lastSecond*1000)).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// json is the value at a place as JSON; nil where there is none, or too large a one.
func (r *reader) json(p *place) []byte {
	v := r.value(p)
	if v == nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil || len(text) > maxResult {
		return nil
	}
	return text
}

// lastPlainSecond tells seconds from milliseconds: as seconds it is in the year 5138, as milliseconds in 1973.
const lastPlainSecond = 100_000_000_000
