package report

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the report for programs. The names of its fields, and those of the figures, stay what they are.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
