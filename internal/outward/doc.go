// Package outward is what everything shares that reaches out of a server on somebody's behalf: where a secret is found
// that its operator has released, and which addresses may be connected to. Notifications and tools' requests go by it.
package outward
