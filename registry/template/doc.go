// Package template fills texts, URLs and JSON from the arguments of a call: it is how a tool's HTTP requests and the steps
// of playbooks are written. It is pure.
//
// A reference stands in braces: {args.order.id} is an argument by its names, {vendor_key} a word that whoever fills the
// template knows. A question mark behind it, {args.note?}, says that it may be absent; what it stands in is then left out.
// A brace that is meant as such is doubled: {{ and }}. No value can break out of the place that it is put into: each is
// escaped for it, and what cannot be escaped is refused.
package template
