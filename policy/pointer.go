package policy

import (
	"fmt"
	"strconv"

	"github.com/opledger/opledger/canon"
)

// amountAt says which whole number of the canonical arguments is summed.
type amountAt struct {
	path     canon.Pointer
	money    bool // the pointer leads to an amount of money, or to its minor units
	required bool // the schema says that it is always there
}

// compileAmount checks a pointer against the arguments' shape; the message says what is wrong with it.
func compileAmount(pointer string, arguments *Shape) (*amountAt, string) {
	path, err := canon.ParsePointer(pointer)
	if err != nil || len(path) == 0 {
		return nil, "The pointer cannot be read; write one such as /amount."
	}
	s, at, required := arguments, "The arguments", true
	for i, token := range path {
		if s == nil || s.Kind == ShapeAny {
			return &amountAt{path: path}, ""
		}
		if s.Kind == ShapeMoney && token == "minor" && i == len(path)-1 {
			return &amountAt{path: path[:i], money: true, required: required}, ""
		}
		required = required && s.Required[token]
		switch {
		case s.Kind == ShapeArray:
			if _, err := strconv.Atoi(token); err != nil {
				return nil, at + " is an array; name one item by its number."
			}
			s = s.Items
		case s.Kind == ShapeObject && s.Fields[token] != nil:
			s = s.Fields[token]
		case s.Kind == ShapeObject && len(s.Fields) == 0 && s.Open:
			s = nil
		default:
			return nil, fmt.Sprintf("%s has no %s.", at, token)
		}
		at = path[:i+1].String()
	}
	switch {
	case s == nil || s.Kind == ShapeAny || s.Kind == ShapeInteger:
		return &amountAt{path: path, required: required}, ""
	case s.Kind == ShapeMoney:
		return &amountAt{path: path, money: true, required: required}, ""
	}
	return nil, fmt.Sprintf("%s is %s; a sum is of whole numbers or of money, which counts in minor units.", at, s.Kind.word())
}

// of reads the amount. There is none where the arguments may lack it and do; it is wrong where it is no whole number.
func (a *amountAt) of(args map[string]any) (amount int64, there, wrong bool) {
	value := a.value(args)
	if value == nil {
		return 0, a.required, a.required
	}
	if a.money {
		object, ok := value.(map[string]any)
		if !ok {
			return 0, true, true
		}
		value = object["minor"]
	} else if _, text := value.(string); text {
		return 0, true, true // digits in a string are no number, outside money
	}
	amount, ok := wholeNumber(value)
	return amount, true, !ok
}

// currency reads the currency of the amount; empty where it is no money.
func (a *amountAt) currency(args map[string]any) string {
	if !a.money {
		return ""
	}
	object, _ := a.value(args).(map[string]any)
	currency, _ := object["currency"].(string)
	return currency
}

func (a *amountAt) value(args map[string]any) any {
	var value any = args
	for _, token := range a.path {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}
