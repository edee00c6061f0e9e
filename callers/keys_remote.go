package callers

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	// keysFresh is how long keys are used without a look at what the issuer publishes now: how long a withdrawn key
	// counts at most while the issuer answers.
	keysFresh = 10 * time.Minute
	// keysBound is how long they are used where the issuer does not answer. An outage of a day at the issuer stops nobody;
	// after that a key withdrawn in the meantime is the greater risk.
	keysBound = 24 * time.Hour
	// fetchFloor is the least time between two questions to the issuer, whatever tokens come: whoever sends tokens under
	// made-up key ids does not make this server flood it.
	fetchFloor = 10 * time.Second
)

// RemoteKeys are the keys that an issuer publishes by OpenID Connect Discovery. They are kept, and asked for again when
// they are old or when a token names a key that is not among them.
type RemoteKeys struct {
	from    *discoverer
	clock   func() time.Time
	current atomic.Pointer[fetchedKeys]
	// fetching has room for one: whoever is in asks the issuer, and attempted and failed are theirs.
	fetching  chan struct{}
	attempted time.Time
	failed    error
}

var _ Keys = (*RemoteKeys)(nil)

type fetchedKeys struct {
	keys keySet
	at   time.Time
}

// DiscoverKeys asks an issuer for its keys. Where it does not answer the keys are asked for again when a token comes, and
// the warning says so; an issuer that answers wrongly is an error. A nil clock is the system's, a nil transport the
// default one.
func DiscoverKeys(ctx context.Context, issuer string, clock func() time.Time, transport http.RoundTripper) (keys *RemoteKeys, warning string, err error) {
	from, err := newDiscoverer(issuer, transport)
	if err != nil {
		return nil, "", err
	}
	if clock == nil {
		clock = time.Now
	}
	r := &RemoteKeys{from: from, clock: clock, fetching: make(chan struct{}, 1)}
	_, err = r.refreshed(ctx, nil)
	if isUnreachable(err) {
		return r, fmt.Sprintf("the issuer %s does not answer, so that its tokens let nobody in until it does: %v", issuer, err), nil
	}
	return r, "", err
}

func (r *RemoteKeys) find(ctx context.Context, id string, algorithm jose.SignatureAlgorithm) ([]any, error) {
	have := r.current.Load()
	found := r.usable(have, id, algorithm)
	if len(found) > 0 {
		if r.clock().Sub(have.at) >= keysFresh {
			r.refreshSoon(ctx)
		}
		return found, nil
	}
	fetched, err := r.refreshed(ctx, have)
	if found := r.usable(fetched, id, algorithm); len(found) > 0 {
		return found, nil
	}
	if err != nil { // the key may be among those that could not be fetched
		return nil, fmt.Errorf("the keys of %s could not be fetched: %w", r.from.issuer, err)
	}
	return nil, refuseJWT(FaultUnknownKey, "the issuer publishes none of the token's key id and algorithm")
}

func (r *RemoteKeys) usable(have *fetchedKeys, id string, algorithm jose.SignatureAlgorithm) []any {
	if have == nil || r.clock().Sub(have.at) >= keysBound {
		return nil
	}
	return have.keys.fitting(id, algorithm)
}

// refreshSoon asks for the keys while those at hand are used.
func (r *RemoteKeys) refreshSoon(ctx context.Context) {
	select {
	case r.fetching <- struct{}{}:
		go func() {
			defer func() { <-r.fetching }()
			r.fetch(ctx)
		}()
	default: // somebody does
	}
}

// refreshed answers keys newer than those seen, or those at hand where the issuer was asked just before. The error is that
// of the last question.
func (r *RemoteKeys) refreshed(ctx context.Context, seen *fetchedKeys) (*fetchedKeys, error) {
	select {
	case r.fetching <- struct{}{}:
	case <-ctx.Done():
		return seen, ctx.Err()
	}
	defer func() { <-r.fetching }()
	if have := r.current.Load(); have != seen {
		return have, nil
	}
	r.fetch(ctx)
	return r.current.Load(), r.failed
}

// fetch asks the issuer unless it was asked just before. The answer is everybody's, so that the end of the one call that
// asked does not end the question.
func (r *RemoteKeys) fetch(ctx context.Context) {
	now := r.clock()
	if since := now.Sub(r.attempted); !r.attempted.IsZero() && since >= 0 && since < fetchFloor {
		return
	}
	r.attempted = now
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*fetchTimeout)
	defer cancel()
	keys, err := r.from.keys(ctx)
	if r.failed = err; err == nil {
		r.current.Store(&fetchedKeys{keys: keys, at: now})
	}
}
