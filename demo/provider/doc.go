// Package provider is a payment and mail provider on loopback, for the demonstration and its tests. It speaks HTTP, keeps
// a true count of the effects that it has made, and can be told to do what real providers do at the worst moment: commit,
// and let the answer get lost.
package provider
