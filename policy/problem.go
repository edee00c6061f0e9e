package policy

import "fmt"

// Code is a short name of a problem that programs may branch on. Codes are part of the API and are never renamed.
type Code string

// The codes of problems.
const (
	CodeSyntax   Code = "bad_expression"     // it does not parse
	CodeType     Code = "does_not_type"      // it does not type-check: an unknown name or field, a wrong type
	CodeTemplate Code = "bad_template"       // a template does not parse, or names what is not there
	CodePointer  Code = "bad_pointer"        // a pointer leads to nothing that could be summed
	CodeWindow   Code = "bad_window"         // a window of a history function is not a constant duration
	CodeNotPure  Code = "reads_more"         // an expression reads more than the proposal, where that alone is allowed
	CodeCost     Code = "too_expensive"      // it could take longer than a judgement may
	CodeBounds   Code = "out_of_bounds"      // too many, too long, a period out of its bounds
	CodeRequired Code = "setting_required"   // something is missing
	CodeOneKind  Code = "exactly_one_kind"   // a rule says none or several things
	CodeUnusable Code = "setting_unusable"   // it contradicts another setting
	CodeTwice    Code = "named_twice"        // two of an owner's rules have one name
	CodeScope    Code = "bad_scope"          // the scope cannot be read
	CodeNoEntity Code = "tool_has_no_entity" // the rule needs an entity and the tool names none
	CodeZone     Code = "unknown_zone"       // the zone is not one of the IANA database
	CodeUnknown  Code = "unknown_value"      // a word that this release does not know
)

// Problem is one thing that is wrong with a rule, where it is, and what to do about it.
type Problem struct {
	Rule string // the rule's id, or "tool/name" of a tool's own rule
	// Path is the setting's place in what was applied, in the form that field violations have: limit.per of a rule,
	// policy.limits[0].per of a tool.
	Path string
	// Line and Column are the place within the expression or template, from 1. Zero: the setting as a whole.
	Line, Column int
	Code         Code
	Message      string // a sentence that says what to do
}

// Error makes a single problem an error.
func (p Problem) Error() string {
	at := p.Path
	if at == "" {
		at = "(rule)"
	}
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", at, p.Line, p.Column)
	}
	return fmt.Sprintf("%s: %s: %s [%s]", p.Rule, at, p.Message, p.Code)
}
