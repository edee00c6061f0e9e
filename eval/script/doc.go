// Package script runs scenarios: files of exact steps, in YAML, and of what must come of each. A scenario talks to a real
// server on virtual time and counts effects at the provider simulator. Adding one takes no Go.
//
// The language stands in scenarios/README.md. Steps are the calls of the API by short names: what a step says beside its
// own words are fields of that call's request, so that nothing of the API is out of reach, and what it expects are fields
// of the answer. A file is checked whole before anything runs: an unknown field, a label that no earlier step gave and a
// field that an answer does not have are errors that name the line.
package script
