package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// errNotAnObject is what arguments that are no JSON object meet.
var errNotAnObject = errors.New("the canonical arguments are no JSON object")

// parseObject reads a JSON object without losing a digit. Empty text is the empty object.
func parseObject(text []byte) (map[string]any, error) {
	if len(text) == 0 {
		return map[string]any{}, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotAnObject, err)
	}
	object, ok := value.(map[string]any)
	if !ok || decoder.More() {
		return nil, errNotAnObject
	}
	return object, nil
}

// typed gives a JSON value as expressions see it: numbers by the shape's kind, money with its minor units as a number. A
// value that is not of its shape stays as it is, and an expression that uses it as if it were cannot be evaluated.
func typed(v any, s *Shape) any {
	switch v := v.(type) {
	case json.Number:
		return number(v, s)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = typed(item, s.item())
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = typed(member, s.field(name))
		}
		if s != nil && s.Kind == ShapeMoney {
			if minor, ok := wholeNumber(v["minor"]); ok {
				object["minor"] = minor
			}
		}
		return object
	}
	return v
}

func number(n json.Number, s *Shape) any {
	whole, isWhole := wholeNumber(n)
	if isWhole && (s == nil || s.Kind != ShapeNumber) {
		return whole
	}
	if f, err := n.Float64(); err == nil {
		return f
	}
	return string(n)
}

// wholeNumber reads a canonical whole number, or the digits of one in a string, as money writes its minor units.
func wholeNumber(v any) (int64, bool) {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return i, true
		}
		// The canonical form writes numbers from 1e21 with an exponent; all of them are beyond an int64.
		f, err := v.Float64()
		if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
			return 0, false
		}
		return int64(f), true
	case string:
		i, err := strconv.ParseInt(v, 10, 64)
		return i, err == nil && strconv.FormatInt(i, 10) == v
	}
	return 0, false
}

// field is the shape of a member; nil where nothing is known of it.
func (s *Shape) field(name string) *Shape {
	if s == nil {
		return nil
	}
	return s.Fields[name]
}

func (s *Shape) item() *Shape {
	if s == nil {
		return nil
	}
	return s.Items
}
