// Package faulttest runs a whole Opledger against a provider in a process of its own that fails in every way that is known
// of providers, for each side-effect class. What is right is counted at the provider: its effects are exactly what the
// class promises.
package faulttest
