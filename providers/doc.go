// Package providers holds the shipped profiles of providers, which a tool's provider.base starts from.
//
// A profile decides what may be resent and what an answer proves, so each of its claims has a source: the provider's own
// words, with the day on which they were read. What could not be sourced is left out, and absent reads as "no". A profile
// that was released never changes, because tools that name it do not: what a provider says anew is a new file, v2.
package providers
