package world

import (
	"time"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/server"
)

// The engines.
const (
	SQLite     = "sqlite"
	PostgreSQL = "postgresql"
)

// Start is when a world begins, where nothing else is stated: an arbitrary moment.
var Start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// Options say what a world is made of.
type Options struct {
	Engine string // SQLite or PostgreSQL
	// DatabaseURL names a PostgreSQL server on which the world makes a database of its own, and drops it at its end.
	DatabaseURL string
	// Dir is a folder for the SQLite file, which is the world's alone.
	Dir string
	// Start is when the world begins; zero: Start of this package.
	Start time.Time
	// Seed decides the servers' randomness: identifiers and jitter.
	Seed uint64
	// SteadyJitter makes every jitter a half. What happens to one operation then hangs on nothing that others draw, so that it
	// is the same whatever else the world is used for.
	SteadyJitter bool
	// Callers lets callers in; nil: everybody is "local", who holds every right.
	Callers callers.Authenticator
	// Inbox is whose webhooks are taken in.
	Inbox server.Inbox
	// Adapter carries out the tools that the servers themselves act for; nil: nobody does. It may end the server whose request
	// it makes (see Die), and let the others go on meanwhile (see SettleBeside).
	Adapter dispatch.Adapter
	// Defect is told of each decision that failed by a defect of the server. It may be nil.
	Defect func(error)
}
