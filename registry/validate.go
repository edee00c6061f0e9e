package registry

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/opledger/opledger/canon"
)

// Reasons of arguments that the tool's schema does not admit. Canon's own reasons (WRONG_TYPE, NOT_IN_ENUM) are used
// where they fit.
const (
	ReasonMissing     canon.Reason = "MISSING"
	ReasonUnknown     canon.Reason = "UNKNOWN_FIELD"
	ReasonOutOfRange  canon.Reason = "OUT_OF_RANGE"
	ReasonBadLength   canon.Reason = "BAD_LENGTH"
	ReasonBadPattern  canon.Reason = "PATTERN"
	ReasonNotUnique   canon.Reason = "NOT_UNIQUE"
	ReasonNotAdmitted canon.Reason = "NOT_ADMITTED"
)

// Validate holds arguments against the schema: one fault for each violation, with the pointer of the field, at most
// canon.MaxFaults. Numbers are compared by their literals, never through a double. Formats are notes for people, as the
// dialect says, and refuse nothing. No message quotes a value of the arguments.
func (c *Compiled) Validate(arguments *canon.Value) canon.Faults {
	err := c.schema.Validate(plain(arguments))
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return canon.Faults{{Reason: ReasonNotAdmitted, Message: "The arguments cannot be held against the tool's schema."}}
	}
	var faults canon.Faults
	for _, leaf := range leaves(invalid, nil) {
		said := say(leaf.ErrorKind)
		names := said.names
		if len(names) == 0 {
			faults = append(faults, canon.Fault{Pointer: pointer(leaf.InstanceLocation), Reason: said.reason, Message: said.message})
		}
		for _, name := range names {
			at := append(slices.Clip(leaf.InstanceLocation), name)
			faults = append(faults, canon.Fault{Pointer: pointer(at), Reason: said.reason, Message: said.message})
		}
	}
	slices.SortStableFunc(faults, func(a, b canon.Fault) int {
		return strings.Compare(a.Pointer+" "+a.Message, b.Pointer+" "+b.Message)
	})
	faults = slices.Compact(faults)
	return faults[:min(len(faults), canon.MaxFaults)]
}

// leaves gives the violations that are worth telling. Of alternatives that all failed it tells that none fits, rather
// than what each of them would have liked.
func leaves(e *jsonschema.ValidationError, list []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not, *kind.Contains, *kind.PropertyNames:
		return append(list, e)
	}
	if len(e.Causes) == 0 {
		return append(list, e)
	}
	for _, cause := range e.Causes {
		list = leaves(cause, list)
	}
	return list
}

// saying is a violation in words. names are the members that it is about, where it is about members of its place.
type saying struct {
	reason  canon.Reason
	message string
	names   []string
}

// say puts a violation into words that name what the schema wants and never what came.
func say(k jsonschema.ErrorKind) saying {
	one := func(reason canon.Reason, format string, args ...any) saying {
		return saying{reason: reason, message: fmt.Sprintf(format, args...)}
	}
	switch k := k.(type) {
	case *kind.Required:
		return saying{ReasonMissing, "The field is required; send it.", k.Missing}
	case *kind.DependentRequired:
		return saying{ReasonMissing, "The field is required beside " + strconv.Quote(k.Prop) + "; send it.", k.Missing}
	case *kind.AdditionalProperties:
		return saying{ReasonUnknown, "The tool has no such field; leave it out, or correct its name.", k.Properties}
	case *kind.FalseSchema:
		return one(ReasonUnknown, "The tool takes no value here; leave it out.")
	case *kind.Type:
		return one(canon.ReasonWrongType, "The value must be of the type %s.", strings.Join(k.Want, " or "))
	case *kind.Enum:
		return one(canon.ReasonNotInEnum, "The value must be one of %s.", listed(k.Want))
	case *kind.Const:
		return one(canon.ReasonNotInEnum, "The value must be %s.", listed([]any{k.Want}))
	case *kind.Minimum:
		return one(ReasonOutOfRange, "The number must be at least %s.", k.Want.RatString())
	case *kind.Maximum:
		return one(ReasonOutOfRange, "The number must be at most %s.", k.Want.RatString())
	case *kind.ExclusiveMinimum:
		return one(ReasonOutOfRange, "The number must be greater than %s.", k.Want.RatString())
	case *kind.ExclusiveMaximum:
		return one(ReasonOutOfRange, "The number must be less than %s.", k.Want.RatString())
	case *kind.MultipleOf:
		return one(ReasonOutOfRange, "The number must be a multiple of %s.", k.Want.RatString())
	case *kind.MinLength:
		return one(ReasonBadLength, "The text must have at least %d characters.", k.Want)
	case *kind.MaxLength:
		return one(ReasonBadLength, "The text must have at most %d characters.", k.Want)
	case *kind.MinItems:
		return one(ReasonBadLength, "The array must have at least %d items.", k.Want)
	case *kind.MaxItems:
		return one(ReasonBadLength, "The array must have at most %d items.", k.Want)
	case *kind.MinProperties:
		return one(ReasonBadLength, "The object must have at least %d members.", k.Want)
	case *kind.MaxProperties:
		return one(ReasonBadLength, "The object must have at most %d members.", k.Want)
	case *kind.Pattern:
		return one(ReasonBadPattern, "The text must match the pattern %s.", k.Want)
	case *kind.Format:
		return one(canon.ReasonMalformed, "The text must be of the format %s.", k.Want)
	case *kind.UniqueItems:
		return one(ReasonNotUnique, "The items of the array must differ; items %d and %d are equal.", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains, *kind.MinContains:
		return one(ReasonNotAdmitted, "The array lacks an item that the tool's schema asks for.")
	case *kind.MaxContains:
		return one(ReasonNotAdmitted, "The array has too many items of a kind that the tool's schema bounds.")
	case *kind.PropertyNames:
		return one(ReasonUnknown, "The object has a member whose name the tool's schema does not admit.")
	case *kind.AnyOf:
		return one(ReasonNotAdmitted, "The value fits none of the alternatives of the tool's schema.")
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return one(ReasonNotAdmitted, "The value fits more than one of the alternatives of the tool's schema, which admits one.")
		}
		return one(ReasonNotAdmitted, "The value fits none of the alternatives of the tool's schema.")
	}
	return one(ReasonNotAdmitted, "The tool's schema does not admit the value.")
}

// maxListed bounds how many values of an enum a message names.
const maxListed = 20

func listed(values []any) string {
	var words []string
	for i, v := range values {
		if i == maxListed {
			words = append(words, "...")
			break
		}
		words = append(words, fmt.Sprint(v))
	}
	return strings.Join(words, ", ")
}
