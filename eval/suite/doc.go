// Package suite composes parts into the suites that have a name, and carries them out.
package suite
