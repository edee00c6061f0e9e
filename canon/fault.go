package canon

import "strings"

// Reason is a short code that programs may branch on. Reasons are part of the API and are never renamed.
type Reason string

// Reasons of a text that is no acceptable JSON.
const (
	ReasonSyntax          Reason = "SYNTAX"
	ReasonInvalidUTF8     Reason = "INVALID_UTF8"
	ReasonDuplicateName   Reason = "DUPLICATE_NAME"
	ReasonLoneSurrogate   Reason = "LONE_SURROGATE"
	ReasonNulCharacter    Reason = "NUL_CHARACTER"
	ReasonTooDeep         Reason = "TOO_DEEP"
	ReasonTooLarge        Reason = "TOO_LARGE"
	ReasonTrailingText    Reason = "TRAILING_TEXT"
	ReasonNumberChanged   Reason = "NUMBER_CHANGED" // a double would make another number of it
	ReasonNumberOverflow  Reason = "NUMBER_OVERFLOW"
	ReasonNumberUnderflow Reason = "NUMBER_UNDERFLOW"
)

// Reasons of a value that its field's rule does not admit.
const (
	ReasonWrongType       Reason = "WRONG_TYPE"
	ReasonEmpty           Reason = "EMPTY"
	ReasonMalformed       Reason = "MALFORMED"
	ReasonNotInEnum       Reason = "NOT_IN_ENUM"
	ReasonTooFine         Reason = "TOO_FINE" // money or time finer than the rule's unit
	ReasonUnknownCurrency Reason = "UNKNOWN_CURRENCY"
	ReasonNoOffset        Reason = "NO_OFFSET"
	ReasonNoSuchTime      Reason = "NO_SUCH_TIME"
	ReasonNoRegion        Reason = "NO_REGION"
	ReasonDisplayName     Reason = "DISPLAY_NAME"
	ReasonNoHasher        Reason = "NO_HASHER" // sensitive fields without the key that hides them
)

// Reasons of a definition (rules or template) that cannot be used.
const (
	ReasonBadPointer         Reason = "BAD_POINTER"
	ReasonBadRule            Reason = "BAD_RULE"
	ReasonConflict           Reason = "CONFLICT"
	ReasonUnknownZone        Reason = "UNKNOWN_ZONE"
	ReasonBadTemplate        Reason = "BAD_TEMPLATE"
	ReasonForbiddenComponent Reason = "FORBIDDEN_COMPONENT"
)

// Reasons of a key that cannot be made or taken apart.
const (
	ReasonAbsentComponent Reason = "ABSENT_COMPONENT"
	ReasonNullComponent   Reason = "NULL_COMPONENT"
	ReasonEmptyComponent  Reason = "EMPTY_COMPONENT"
	ReasonBadKey          Reason = "BAD_KEY"
	ReasonShortenedKey    Reason = "SHORTENED_KEY"
)

// Fault is one thing that is wrong, where it is, and what to do about it.
type Fault struct {
	Pointer string // RFC 6901; empty for the whole document
	Reason  Reason
	Message string // a sentence that says what to do; it never quotes a value of the arguments
}

// Faults is a list of faults. A nil or empty list means that all is well.
//
// It has an Error method so that it can travel as an error, but a nil Faults put into an error is no nil error: use
// Err for that.
type Faults []Fault

// Error joins all faults, one a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		at := fault.Pointer
		if at == "" {
			at = "(document)"
		}
		lines[i] = at + ": " + fault.Message + " [" + string(fault.Reason) + "]"
	}
	return strings.Join(lines, "\n")
}

// Err gives nil where there is no fault, else the faults as an error.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}
