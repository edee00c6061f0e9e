package provider

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// Settings say what provider a process is.
type Settings struct {
	// Listen is where Main takes requests; empty: a free port of the loopback.
	Listen string `json:"listen,omitempty"`
	// Journal is the file that keeps the count. Empty: the count ends with the process.
	Journal string  `json:"journal,omitempty"`
	Profile Profile `json:"profile"`
	// Chance is what befalls requests without a plan.
	Chance Chance `json:"chance"`
	// Webhooks is where events go. Empty: they wait until control names a place.
	Webhooks Target `json:"webhooks"`
	// KeyField is the field of a request's body that holds the business key, where no header does; empty: "business_key".
	KeyField string `json:"key_field,omitempty"`
	// Clock is the provider's time; nil: the machine's.
	Clock func() time.Time `json:"-"`
}

// service is a provider on the wire.
type service struct {
	provider *Provider
	settings Settings

	mu      sync.Mutex
	target  Target
	changed chan struct{} // closed at each change
}

// Serve is a provider on a listener until the context ends. Requests that wait for an answer are cut then.
func Serve(ctx context.Context, listener net.Listener, settings Settings) error {
	s, err := openService(settings)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	return s.serve(ctx, listener)
}

// openService reads back what the provider has done so far.
func openService(settings Settings) (*service, error) {
	if settings.Clock == nil {
		settings.Clock = time.Now
	}
	settings.KeyField = cmp.Or(settings.KeyField, "business_key")
	options := Options{Clock: settings.Clock, Profile: settings.Profile}
	s := &service{
		provider: New(options), settings: settings, target: settings.Webhooks, changed: make(chan struct{}),
	}
	var err error
	if settings.Journal != "" {
		s.provider, err = Open(settings.Journal, options)
	}
	return s, err
}

func (s *service) serve(ctx context.Context, listener net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	server := &http.Server{Handler: s.routes(), ReadHeaderTimeout: 10 * time.Second}
	var beside sync.WaitGroup
	beside.Go(func() { s.live(ctx) })
	beside.Go(func() {
		<-ctx.Done()
		_ = server.Close() // nobody is owed an answer by a provider that ends
	})
	err := server.Serve(listener)
	if ctx.Err() != nil && errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	cancel()
	beside.Wait()
	return errors.Join(err, s.provider.Close())
}

// live does what happens without a request: it tells those who wait of commits that came late, and sends webhooks.
func (s *service) live(ctx context.Context) {
	for ctx.Err() == nil {
		changed := s.watch()
		s.deliver(ctx)
		if s.sleep(ctx, changed) {
			s.touch()
		}
	}
}

// sleep waits for a change or the end, or until something happens by itself, which it reports.
func (s *service) sleep(ctx context.Context, changed <-chan struct{}) (happens bool) {
	var wake <-chan time.Time // nothing wakes it
	if next, some := s.next(); some {
		timer := time.NewTimer(next.Sub(s.settings.Clock()))
		defer timer.Stop()
		wake = timer.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-changed:
		return false
	case <-wake:
		return true
	}
}

// watch is closed at the next change.
func (s *service) watch() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// touch tells those who wait.
func (s *service) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}
