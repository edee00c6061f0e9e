// Package vectors reads files of identity vectors and runs them. A vector is a pair of arguments with the answer to one
// question: are they the same operation? Tools that mean to agree on identity can exchange such files.
package vectors

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/opledger/opledger/canon"
)

// Format is the one format that this package reads.
const Format = "opledger-canonical-vectors/1"

// maxFileBytes and maxFileValues bound a file of vectors: some ten thousand pairs.
const (
	maxFileBytes  = 16 << 20
	maxFileValues = 2_000_000
)

// File is a file of vectors.
type File struct {
	Format  string            `json:"format"`
	Title   string            `json:"title"`
	Reading []string          `json:"reading"` // how to read the file, for people
	Kinds   map[string]string `json:"kinds"`   // what each kind of rule means, for people
	Vectors []Vector          `json:"vectors"`
}

// Vector is one pair.
type Vector struct {
	ID    string `json:"id"`
	Group string `json:"group"`
	Why   string `json:"why"`
	Basis string `json:"basis"` // what decides: rfc8785, json, rule, choice, ...

	Fields   map[string]Rule            `json:"fields"`
	Null     string                     `json:"null"`
	Defaults map[string]json.RawMessage `json:"defaults"`
	Template string                     `json:"template"`

	// A and B are JSON texts, so that spellings such as 1.0 survive. A base64 side replaces one that is no UTF-8.
	A       *string `json:"a"`
	B       *string `json:"b"`
	ABase64 string  `json:"a_base64"`
	BBase64 string  `json:"b_base64"`

	Same      bool     `json:"same"`
	Refused   []string `json:"refused"`    // sides that must be refused
	MayRefuse []string `json:"may_refuse"` // sides of which a refusal is a second right answer
	Canonical *string  `json:"canonical"`  // the RFC 8785 text of both sides, where no rule takes part
}

// Rule is a field rule as a file writes it.
type Rule struct {
	Kind          string            `json:"kind"`
	Form          string            `json:"form"`
	Currency      string            `json:"currency"`
	CurrencyField string            `json:"currency_field"`
	Precision     string            `json:"precision"`
	Excess        string            `json:"excess"`
	Unit          string            `json:"unit"`
	Zone          string            `json:"zone"`
	Values        []string          `json:"values"`
	Aliases       map[string]string `json:"aliases"`
	Case          string            `json:"case"`
	Trim          bool              `json:"trim"`
	Whitespace    string            `json:"whitespace"`
	Newlines      string            `json:"newlines"`
	Local         string            `json:"local"`
	Region        string            `json:"region"`
	Of            *Rule             `json:"of"`
}

// Read reads a file of vectors. It is strict: a member that the format does not know, or one that comes twice, is an
// error, because a misspelt rule would otherwise pass as no rule.
func Read(data []byte) (*File, error) {
	if _, faults := canon.Parse(data, canon.Limits{Bytes: maxFileBytes, Values: maxFileValues}); len(faults) > 0 {
		return nil, fmt.Errorf("the file of vectors is no strict JSON: %w", faults)
	}
	var file File
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("the file of vectors cannot be read: %w", err)
	}
	if file.Format != Format {
		return nil, fmt.Errorf("the file has the format %q, but %q is what can be read", file.Format, Format)
	}
	if len(file.Vectors) == 0 {
		return nil, fmt.Errorf("the file has no vectors")
	}
	seen := map[string]bool{}
	for i, v := range file.Vectors {
		if v.ID == "" || seen[v.ID] {
			return nil, fmt.Errorf("vector number %d has no id of its own (%q)", i+1, v.ID)
		}
		seen[v.ID] = true
		if err := v.check(); err != nil {
			return nil, fmt.Errorf("vector %s: %w", v.ID, err)
		}
	}
	return &file, nil
}

// check refuses a vector that could not fail, or could not pass.
func (v *Vector) check() error {
	if (v.A == nil) == (v.ABase64 == "") || (v.B == nil) == (v.BBase64 == "") {
		return fmt.Errorf("each side is either a text or base64")
	}
	for _, side := range slices.Concat(v.Refused, v.MayRefuse) {
		if side != "a" && side != "b" {
			return fmt.Errorf("refused and may_refuse name the sides a and b, not %q", side)
		}
	}
	if v.Same && len(v.Refused) > 0 {
		return fmt.Errorf("a side that must be refused cannot be the same operation")
	}
	return nil
}

// side gives the bytes of one side.
func side(text *string, encoded string) ([]byte, error) {
	if text != nil {
		return []byte(*text), nil
	}
	return base64.StdEncoding.DecodeString(encoded)
}

// rules turns the rules of a vector into those of package canon.
func (v *Vector) rules() (canon.Rules, error) {
	rules := canon.Rules{Fields: map[string]canon.Rule{}, Null: canon.NullOption(v.Null), Defaults: map[string]*canon.Value{}}
	for pointer, rule := range v.Fields {
		rules.Fields[pointer] = *rule.canon()
	}
	for pointer, raw := range v.Defaults {
		value, faults := canon.Parse(raw, canon.Limits{})
		if len(faults) > 0 {
			return rules, fmt.Errorf("the default of %s: %w", pointer, faults)
		}
		rules.Defaults[pointer] = value
	}
	return rules, nil
}

func (r *Rule) canon() *canon.Rule {
	if r == nil {
		return nil
	}
	return &canon.Rule{
		Kind:          canon.RuleKind(r.Kind),
		Form:          canon.Form(r.Form),
		Currency:      r.Currency,
		CurrencyField: r.CurrencyField,
		Precision:     canon.Precision(r.Precision),
		Excess:        canon.Excess(r.Excess),
		Unit:          canon.Unit(r.Unit),
		Zone:          r.Zone,
		Values:        r.Values,
		Aliases:       r.Aliases,
		Case:          canon.Case(r.Case),
		Trim:          r.Trim,
		Whitespace:    canon.Whitespace(r.Whitespace),
		Newlines:      canon.Newlines(r.Newlines),
		Local:         canon.Local(r.Local),
		Region:        r.Region,
		Of:            r.Of.canon(),
	}
}
