package provider

import (
	"bytes"
	"net/http"
	"strconv"
	"time"
)

// key is an idempotency key that the provider has seen.
type key struct {
	first   Request
	since   time.Time
	shut    time.Time // until then writes under it are refused
	dropped bool
	made    *effect // nil: the first request is under way
}

// key finds what is remembered of a request's key.
func (p *Provider) key(r Request, now time.Time) (*key, bool) {
	if !p.heeds(r) {
		return nil, false
	}
	k := p.keys[keyName(r)]
	if k == nil || k.dropped || p.profile.Retention > 0 && !now.Before(k.since.Add(p.profile.Retention)) {
		return nil, false
	}
	return k, true
}

// heeds reports whether the request has a key that counts.
func (p *Provider) heeds(r Request) bool { return p.profile.Keyed && !r.Plain && r.VendorKey != "" }

func keyName(r Request) string { return r.Collection + "\x00" + r.VendorKey }

// remember keeps a request's key from now on; nil where keys do not count.
func (p *Provider) remember(r Request, b behaviour, now time.Time) *key {
	if !p.heeds(r) {
		return nil
	}
	k := &key{first: r, since: now}
	k.forget(b, p.profile)
	p.keys[keyName(r)] = k
	return k
}

// forget lets happen to the key what the fault says. A key that is never forgotten outlives an outage of its retention.
func (k *key) forget(b behaviour, p Profile) {
	switch {
	case b.forgets == forgetsAtOnce:
		k.dropped = true
	case b.forgets == afterOutage && p.Retention > 0:
		k.shut = k.since.Add(p.Retention)
	}
}

// replay answers a request under a key that is known.
func (p *Provider) replay(k *key, r Request, b behaviour, now time.Time) Answer {
	switch {
	case k.shut.After(now):
		a := refusal(http.StatusServiceUnavailable, "unavailable", "come back later")
		a.Header.Set("Retry-After", seconds(k.shut.Sub(now)))
		return a
	case !sameRequest(k.first, r):
		return refusal(http.StatusBadRequest, "idempotency_key_reused", "this idempotency key came with other parameters before")
	case k.made == nil:
		return refusal(http.StatusConflict, "idempotency_key_in_use", "the first request under this idempotency key is under way")
	}
	k.made.befall(b, p.profile, now)
	k.forget(b, p.profile)
	a := object(k.made, now)
	a.Header.Set(ReplayedHeader, "true")
	return a
}

func sameRequest(a, b Request) bool {
	return a.Method == b.Method && a.Undoes == b.Undoes && a.ClientReference == b.ClientReference && bytes.Equal(a.Body, b.Body)
}

// seconds writes a time as Retry-After has it, never shorter than it is (RFC 9110, section 10.2.3).
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}
