package worker

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// The defaults of a Config.
const (
	DefaultRoom         = 1
	DefaultWait         = 20 * time.Second
	DefaultDrainTimeout = 30 * time.Second
	// DefaultReportTimeout bounds how long a report is told again to a ledger that does not answer. The room of its attempt
	// stays taken meanwhile, so that a worker takes nothing on while it cannot tell what it did.
	DefaultReportTimeout = 10 * time.Minute
)

// Handler acts on one attempt, once. It has four duties:
//
//   - It calls Attempt.Send right before the first byte of the effect leaves, and sends nothing where that fails.
//   - It sends one request and no other: no retry, no redirect of a write, no second connection. The ledger retries.
//   - It acts on the attempt's arguments, and puts its vendor key and client reference into the request. Where it writes to
//     stores of its own, it hands the attempt's fencing numbers to them.
//   - It gives the request the context that it was called with, which ends when the permit does.
//
// It answers with what is known. An error says that nothing is: it is told as ambiguous, since it may have come after the
// effect, unless the gate of Send was never passed where a begin is required, or refused to open. So is a panic.
type Handler func(ctx context.Context, a *Attempt) (Outcome, error)

// LookupHandler asks the provider about one operation, by one of the questions, and changes nothing there. An error says
// that the provider could not be asked.
type LookupHandler func(ctx context.Context, l *Lookup) (Finding, error)

// Tool is how a worker serves one tool.
type Tool struct {
	// Act acts on permits. Nil: the worker takes none.
	Act Handler
	// Room is how many attempts run at a time. Zero: DefaultRoom.
	Room int
	// Lookup asks the provider. Nil: the worker takes no questions.
	Lookup LookupHandler
	// LookupRoom is how many questions run at a time. Zero: DefaultRoom.
	LookupRoom int
}

// Clock reads this machine's two clocks. One stands still in a suspended machine, the other can be set; whichever has run
// further is heeded.
type Clock interface {
	// Monotonic is the time on a clock that nobody can set, since some moment.
	Monotonic() time.Duration
	// Wall is the time of the wall, which somebody may set.
	Wall() time.Time
}

// Config says what a worker is. ID and Tools are required.
type Config struct {
	// ID names the worker among those of its principal, such as "mail-7" or the name of its pod. It proves nothing.
	ID    string
	Tools map[string]Tool
	// Wait is how long the ledger may keep a poll waiting for work, at most a minute. Zero: DefaultWait.
	Wait time.Duration
	// DrainTimeout is how long handlers may go on when the worker is to end. Then their contexts end. Zero:
	// DefaultDrainTimeout.
	DrainTimeout time.Duration
	// ReportTimeout bounds the tries of one report or answer. Zero: DefaultReportTimeout.
	ReportTimeout time.Duration
	Logger        *slog.Logger // nil: nothing is logged
	Clock         Clock        // nil: this machine's
	Random        io.Reader    // of nonces and identities; nil: the system's
	// BeforeFirstByte is for tests of what a freeze does: it is called between the last look at the clocks and the first
	// byte, where no program can look any more.
	BeforeFirstByte func(a *Attempt)
}

// complete fills in the defaults and refuses what cannot work.
func (c Config) complete() (Config, error) {
	if c.ID == "" || len(c.Tools) == 0 {
		return c, errors.New("a worker has an ID and serves at least one tool")
	}
	tools := map[string]Tool{}
	for name, t := range c.Tools {
		if t.Act == nil && t.Lookup == nil {
			return c, fmt.Errorf("the tool %s has no handler", name)
		}
		t.Room, t.LookupRoom = cmp.Or(t.Room, DefaultRoom), cmp.Or(t.LookupRoom, DefaultRoom)
		if t.Act == nil {
			t.Room = 0
		}
		if t.Lookup == nil {
			t.LookupRoom = 0
		}
		tools[name] = t
	}
	c.Tools = tools
	c.Wait = cmp.Or(c.Wait, DefaultWait)
	c.DrainTimeout = cmp.Or(c.DrainTimeout, DefaultDrainTimeout)
	c.ReportTimeout = cmp.Or(c.ReportTimeout, DefaultReportTimeout)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = newMachine()
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	return c, nil
}
