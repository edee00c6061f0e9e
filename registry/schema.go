package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/opledger/opledger/canon"
)

// MaxSchemaBytes bounds a schema. It is read by people and models, and is kept with every version.
const MaxSchemaBytes = 256 << 10

// schemaURL is the address that a schema has while it is compiled. It is hierarchical, so that a relative reference leads
// away from it and is seen. Nothing is ever fetched.
const schemaURL = "opledger://tool/arguments"

const dialect = "https://json-schema.org/draft/2020-12/schema"

// compileSchema reads the schema of a tool's arguments, and gives it as it was written as well. Nothing outside the text
// is consulted.
func compileSchema(text []byte) (*jsonschema.Schema, *canon.Value, Problems) {
	var problems Problems
	switch {
	case len(text) == 0:
		problems.add("arguments_schema", CodeRequired, "The arguments need a JSON Schema; without arguments it is {type: object, additionalProperties: false}.")
		return nil, nil, problems
	case len(text) > MaxSchemaBytes:
		problems.add("arguments_schema", CodeBounds, fmt.Sprintf("The schema has more than %d bytes.", MaxSchemaBytes))
		return nil, nil, problems
	}
	value, faults := canon.Parse(text, canon.Limits{Bytes: MaxSchemaBytes})
	for _, f := range faults {
		problems.add("arguments_schema", CodeSchema, "At "+place(f.Pointer)+" of the schema: "+f.Message)
	}
	if len(problems) > 0 {
		return nil, nil, problems
	}
	if value.Kind() != canon.KindObject {
		problems.add("arguments_schema", CodeSchema, "The schema must be a JSON object.")
		return nil, nil, problems
	}
	if named, ok := value.Member("$schema"); ok {
		if s, _ := named.Text(); strings.TrimSuffix(s, "#") != dialect {
			problems.add("arguments_schema", CodeSchema, "$schema must be "+dialect+", or absent.")
			return nil, nil, problems
		}
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(schemaURL, plain(value)); err != nil {
		problems.add("arguments_schema", CodeSchema, "The schema cannot be read: "+err.Error())
		return nil, nil, problems
	}
	schema, err := compiler.Compile(schemaURL)
	if err != nil {
		return nil, nil, schemaProblems(err)
	}
	if !objectOnly(schema, 0) {
		problems.add("arguments_schema", CodeSchema, "Arguments are a JSON object; say type: object at the top of the schema.")
	}
	return schema, value, problems
}

// noLoader refuses every reference that leaves the schema: what a call means must not hang on another host's answer.
type noLoader struct{}

// errRemote is what a reference that leaves the schema meets.
var errRemote = errors.New("references stay inside the schema; move what is meant to $defs")

// Load refuses.
func (noLoader) Load(string) (any, error) { return nil, errRemote }

// schemaProblems turns a compiler's error into problems.
func schemaProblems(err error) Problems {
	var problems Problems
	var invalid *jsonschema.SchemaValidationError
	var meta *jsonschema.ValidationError
	var load *jsonschema.LoadURLError
	var regex *jsonschema.InvalidRegexError
	switch {
	case errors.As(err, &load):
		problems.add("arguments_schema", CodeSchemaReference, fmt.Sprintf("The schema refers to %q, but %v.", load.URL, errRemote))
	case errors.As(err, &regex):
		problems.add("arguments_schema", CodeSchema, fmt.Sprintf("The pattern %q is not one that is matched in linear time (RE2), which look-arounds and back-references are not: %v.", regex.Regex, regex.Err))
	case errors.As(err, &invalid) && errors.As(invalid.Err, &meta):
		for _, leaf := range leaves(meta, nil) {
			problems.add("arguments_schema", CodeSchema, "At "+place(pointer(leaf.InstanceLocation))+" of the schema: "+say(leaf.ErrorKind).message)
		}
	default:
		problems.add("arguments_schema", CodeSchema, "The schema does not compile: "+strings.ReplaceAll(err.Error(), schemaURL, "")+".")
	}
	return problems
}

func place(pointer string) string {
	if pointer == "" {
		return "the top"
	}
	return pointer
}

func pointer(tokens []string) string { return canon.Pointer(tokens).String() }

// plain turns a value into what the validator takes. Numbers go by their literal, so that no digit is lost.
func plain(v *canon.Value) any {
	switch v.Kind() {
	case canon.KindBool:
		b, _ := v.Bool()
		return b
	case canon.KindNumber:
		literal, _ := v.Literal()
		return json.Number(literal)
	case canon.KindString:
		s, _ := v.Text()
		return s
	case canon.KindArray:
		list := make([]any, 0, v.Len())
		for _, item := range v.Items() {
			list = append(list, plain(item))
		}
		return list
	case canon.KindObject:
		object := make(map[string]any, v.Len())
		for _, m := range v.Members() {
			object[m.Name] = plain(m.Value)
		}
		return object
	}
	return nil
}
