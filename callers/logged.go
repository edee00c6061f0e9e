package callers

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"google.golang.org/grpc/peer"
)

// toldEvery is how often a fault of one kind is written to the log at most. Refusals come as often as somebody likes to
// send requests.
const toldEvery = 10 * time.Second

// Logged writes why requests are not let in to the log, for operators: the fault's word and what the server looked for,
// never a part of a credential. Each fault is told at most once in ten seconds, with the number of refusals since.
type Logged struct {
	next  Authenticator
	log   *slog.Logger
	clock func() time.Time

	mu   sync.Mutex
	told map[Fault]time.Time
	left map[Fault]int // refusals that were not told
}

var _ Authenticator = (*Logged)(nil)

// NewLogged makes an authenticator that judges as the next one does.
func NewLogged(next Authenticator, log *slog.Logger, clock func() time.Time) *Logged {
	return &Logged{next: next, log: log, clock: clock, told: map[Fault]time.Time{}, left: map[Fault]int{}}
}

// Authenticate asks the next one.
func (l *Logged) Authenticate(ctx context.Context) (Caller, error) {
	caller, err := l.next.Authenticate(ctx)
	var refused *UnauthenticatedError
	if errors.As(err, &refused) {
		l.tell(ctx, refused)
	}
	return caller, err
}

func (l *Logged) tell(ctx context.Context, refused *UnauthenticatedError) {
	l.mu.Lock()
	now, before := l.clock(), l.told[refused.Fault]
	if since := now.Sub(before); !before.IsZero() && since >= 0 && since < toldEvery {
		l.left[refused.Fault]++
		l.mu.Unlock()
		return
	}
	more := l.left[refused.Fault]
	l.told[refused.Fault], l.left[refused.Fault] = now, 0
	l.mu.Unlock()

	facts := []any{"fault", string(refused.Fault)}
	if refused.Detail != "" {
		facts = append(facts, "detail", refused.Detail)
	}
	if more > 0 {
		facts = append(facts, "more_since", more)
	}
	if p, known := peer.FromContext(ctx); known && p.Addr != nil {
		facts = append(facts, "peer", p.Addr.String())
	}
	l.log.WarnContext(ctx, "a caller was not let in", facts...)
}
