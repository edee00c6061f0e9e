// Package inbox reads what providers deliver: whether a delivery is its source's, by the signature schemes that vendors
// use, and what it says, by a source's settings. It is pure: bytes and a time in, a judgement out. Secrets come to it as
// keys, and it keeps none.
package inbox
