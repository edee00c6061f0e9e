package inbox

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/opledger/opledger/canon"
)

// Fields say where in a delivery something stands: a JSON pointer into the body, or "header:name". Empty: nowhere.
type Fields struct {
	EventID, EventType, EventTime                  string
	ClientReference, VendorKey, ObjectID, EffectID string
	Result                                         string
	VerdictBy                                      string // what verdicts go by; empty: the type
}

// or fills in what is not said.
func (f Fields) or(more Fields) Fields {
	mine, theirs := f.all(), more.all()
	for i := range mine {
		if *mine[i].at == "" {
			*mine[i].at = *theirs[i].at
		}
	}
	return f
}

// named is one field with its name in a file.
type named struct {
	name string
	at   *string
}

// all lists the fields by their names in a file.
func (f *Fields) all() []named {
	return []named{
		{"event_id", &f.EventID}, {"event_type", &f.EventType}, {"event_time", &f.EventTime},
		{"client_reference", &f.ClientReference}, {"vendor_key", &f.VendorKey}, {"object_id", &f.ObjectID},
		{"effect_id", &f.EffectID}, {"result", &f.Result}, {"verdict_by", &f.VerdictBy},
	}
}

// place is a parsed field.
type place struct {
	pointer canon.Pointer
	header  string
}

type places struct {
	eventID, eventType, eventTime, clientReference, vendorKey, objectID, effectID, result, verdictBy *place
}

const inHeader = "header:"

var headerName = regexp.MustCompile(`^[A-Za-z0-9-]{1,128}$`)

func parsePlace(text string) (*place, error) {
	if text == "" {
		return nil, nil
	}
	if name, header := strings.CutPrefix(text, inHeader); header {
		if !headerName.MatchString(name) {
			return nil, fmt.Errorf("%q names no header", text)
		}
		return &place{header: name}, nil
	}
	if !strings.HasPrefix(text, "/") {
		return nil, errors.New(`is neither a JSON pointer, which begins with "/", nor "header:" and a name`)
	}
	pointer, err := canon.ParsePointer(text)
	return &place{pointer: pointer}, err
}

func (f *Fields) places() (places, error) {
	var p places
	to := []**place{&p.eventID, &p.eventType, &p.eventTime, &p.clientReference, &p.vendorKey, &p.objectID, &p.effectID, &p.result, &p.verdictBy}
	for i, field := range f.all() {
		var err error
		if *to[i], err = parsePlace(*field.at); err != nil {
			return p, fmt.Errorf("%s %w", field.name, err)
		}
	}
	return p, nil
}

// index reads an array's index as RFC 6901 writes it: digits without a leading zero.
func index(token string) (int, bool) {
	i, err := strconv.Atoi(token)
	return i, err == nil && i >= 0 && strconv.Itoa(i) == token
}
