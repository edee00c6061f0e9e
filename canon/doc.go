// Package canon answers one question: do two sets of arguments mean the same business operation?
//
// The way goes in four steps, each of them a pure function:
//
//	Parse      strict JSON text   -> *Value       nothing is repaired, nothing is guessed
//	Normalize  *Value, field rules -> *Normalized  what takes part in identity, and what each rule changed
//	Canonical  *Value             -> bytes        RFC 8785, of which Fingerprint is the SHA-256
//	Render     *Normalized, template -> Key       readable, reversible, never with an empty component
//
// The package reads no clock, no randomness and no file, and imports nothing of ours. Fault messages never quote a
// value of the arguments, so that they may be logged and shown even where a field is sensitive.
package canon
