package registry

import (
	"strconv"
	"strings"
)

// Code is a short name of a problem that programs may branch on. Codes are part of the API and are never renamed.
type Code string

// Codes of a definition that is refused.
const (
	CodeName            Code = "bad_name"
	CodeClass           Code = "unknown_class"
	CodeValue           Code = "unknown_value"           // a word that this release does not know
	CodeSchema          Code = "bad_schema"              // the schema does not compile, or is not of an object
	CodeSchemaReference Code = "remote_schema_reference" // a schema's references stay inside it
	CodeRule            Code = "bad_rule"
	CodeTemplate        Code = "bad_template"
	CodeForbidden       Code = "forbidden_component" // a template reads what differs between two tries
	CodeNotInSchema     Code = "pointer_not_in_schema"
	CodeTypeMismatch    Code = "rule_and_schema_disagree"
	CodeNotRequired     Code = "component_not_required" // a template reads a field that may be absent
	CodeOccurrence      Code = "occurrence_and_template_disagree"
	CodeBounds          Code = "out_of_bounds"
	CodeRequired        Code = "setting_required"
	CodeUnusable        Code = "setting_unusable" // it contradicts another setting, or its class gives it no meaning
	CodeReason          Code = "reason_required"
	CodeRetention       Code = "retention_too_short"
	CodeTwice           Code = "named_twice"        // two of the tool's rules have one name
	CodeZone            Code = "unknown_zone"       // the zone is not one of the IANA database
	CodeNoEntity        Code = "tool_has_no_entity" // a rule is about the entity, and the tool names none
	CodeHost            Code = "host_not_allowed"   // a request goes to a host that http.allowed_hosts does not list
)

// Codes of a version that does not fit the one before it.
const (
	CodeChangeUnstated Code = "identity_change_unstated"
	CodeKeyVersion     Code = "key_version_not_raised"
	CodeUntil          Code = "until_without_bucket"
	CodeOtherTool      Code = "another_tool"
)

// CodeCapability is the code of what a server cannot enforce.
const CodeCapability Code = "capability_missing"

// Codes of what is allowed and looks wrong.
const (
	CodeVolatileField     Code = "volatile_field"
	CodeCallerKeyField    Code = "caller_key_field"
	CodeUnusedOccurrence  Code = "unused_occurrence"
	CodeUnusedPropagation Code = "unused_propagation_delay"
	CodeUnusedShadow      Code = "unused_shadow"
	CodeMixedCurrencies   Code = "mixed_currencies"
	CodeConflictRejected  Code = "already_exists_rejected"
	CodeNoReceipt         Code = "success_without_id"
	CodeLookupUnmade      Code = "lookup_not_made"
	CodeNoEcho            Code = "find_without_echo"
)

// Problem is one thing that is wrong with a definition, where it is, and what to do about it.
type Problem struct {
	// Path is the place as a path in the definition, in the form that field violations have:
	// identity.fields["/amount"].money.
	Path    string
	Code    Code
	Message string // a sentence that says what to do
}

// Error makes a single problem an error.
func (p Problem) Error() string {
	at := p.Path
	if at == "" {
		at = "(definition)"
	}
	return at + ": " + p.Message + " [" + string(p.Code) + "]"
}

// Problems is a list of problems. It travels as an error through Err only, since a nil list in an error is no nil error.
type Problems []Problem

// Error joins the problems, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Err gives nil where there is no problem, else the problems as an error.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

func (ps *Problems) add(path string, code Code, message string) {
	*ps = append(*ps, Problem{path, code, message})
}

// keyed writes the path of a map entry.
func keyed(path, key string) string { return path + "[" + strconv.Quote(key) + "]" }

// indexed writes the path of a list item.
func indexed(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
