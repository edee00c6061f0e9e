package callers

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sync"
	"testing"
)

// shelf is a store that counts how often it is asked.
type shelf struct {
	mu     sync.Mutex
	tokens map[TokenHash]Caller
	asked  int
	fails  error
	gate   chan struct{} // where set, an answer waits for it
}

func (s *shelf) LookupToken(_ context.Context, hash TokenHash) (Caller, bool, error) {
	s.mu.Lock()
	s.asked++
	caller, found := s.tokens[hash]
	err, gate := s.fails, s.gate
	s.mu.Unlock()
	if gate != nil {
		<-gate
	}
	return caller, found, err
}

func (s *shelf) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *shelf) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func TestAnswersOfAStoreLastSomeSeconds(t *testing.T) {
	token, early := tokenOf(t, 1), tokenOf(t, 2)
	s, c := &shelf{tokens: map[TokenHash]Caller{sha256.Sum256([]byte(token)): {Principal: "a"}}}, newClock()
	tokens := Tokens{Remember(s, c.now)}
	judge := func(when, token string, want bool, asked int) {
		t.Helper()
		caller, err := tokens.Authenticate(bearing("Bearer " + token))
		if (err == nil) != want || want && caller.Principal != "a" {
			t.Errorf("%s: got %+v, %v", when, caller, err)
		}
		if s.count() != asked {
			t.Errorf("%s: the store was asked %d times", when, s.count())
		}
	}
	judge("first", token, true, 1)
	judge("again", token, true, 1)
	judge("too early", early, false, 2)
	judge("still too early", early, false, 2)
	s.set(func() { s.tokens = map[TokenHash]Caller{sha256.Sum256([]byte(early)): {Principal: "a"}} })
	c.pass(unknownFor)
	judge("made meanwhile", early, true, 3)
	judge("withdrawn", token, true, 3)
	c.pass(knownFor - unknownFor)
	judge("withdrawn seconds ago", token, false, 4)

	c.pass(knownFor)
	s.set(func() { s.fails = errors.New("down") })
	if _, err := tokens.Authenticate(bearing("Bearer " + early)); err == nil || errors.As(err, new(*UnauthenticatedError)) {
		t.Errorf("a store that is down: %v", err)
	}
	s.set(func() { s.fails = nil })
	judge("up again", early, true, 6)
}

func TestCallsThatComeAtOnceShareAQuestion(t *testing.T) {
	hash := TokenHash{1}
	s := &shelf{tokens: map[TokenHash]Caller{hash: {Principal: "a"}}, gate: make(chan struct{})}
	r := Remember(s, newClock().now)
	impatient, leave := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, _, err := r.LookupToken(impatient, hash)
		gone <- err
	}()
	until(t, func() bool { return s.count() == 1 })
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if c, found, err := r.LookupToken(t.Context(), hash); err != nil || !found || c.Principal != "a" {
				t.Errorf("got %+v, %v, %v", c, found, err)
			}
		})
	}
	close(s.gate)
	all.Wait()
	if s.count() != 1 {
		t.Errorf("the store was asked %d times", s.count())
	}
}

// TestMadeUpTokensDoNotCrowdOutKnownOnes, nor fill the memory.
func TestMadeUpTokensDoNotCrowdOutKnownOnes(t *testing.T) {
	known := TokenHash{0xff}
	s := &shelf{tokens: map[TokenHash]Caller{known: {Principal: "a"}}}
	r := Remember(s, newClock().now)
	lookup := func(hash TokenHash) bool {
		t.Helper()
		_, found, err := r.LookupToken(t.Context(), hash)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	lookup(known)
	var made TokenHash
	for i := range uint64(maxRemembered + 10) {
		binary.BigEndian.PutUint64(made[:], i)
		lookup(made)
	}
	before := s.count()
	if !lookup(known) || s.count() != before {
		t.Error("a known token was forgotten")
	}
	if len(r.not.by) > maxRemembered {
		t.Errorf("%d are remembered", len(r.not.by))
	}
	alike := known
	alike[31] = 1 // begins as the known one does
	if lookup(alike) {
		t.Error("a hash that begins like a known one is let in")
	}
}

func TestTheFirstStoreThatKnowsATokenSaysWhoseItIs(t *testing.T) {
	both, second := tokenOf(t, 1), tokenOf(t, 2)
	of := func(token string, principal string) map[TokenHash]Caller {
		return map[TokenHash]Caller{sha256.Sum256([]byte(token)): {Principal: LocalPrincipal, Person: principal}}
	}
	one, two := &shelf{tokens: of(both, "one")}, &shelf{tokens: of(both, "two")}
	two.tokens[sha256.Sum256([]byte(second))] = Caller{Person: "two"}
	for token, want := range map[string]string{both: "one", second: "two"} {
		if c, err := (Tokens{one, two}).Authenticate(bearing("Bearer " + token)); err != nil || c.Person != want {
			t.Errorf("got %+v, %v", c, err)
		}
	}
	one.fails = errors.New("down") // and who is not found in a store that is down may be there
	if c, err := (Tokens{one, two}).Authenticate(bearing("Bearer " + second)); err == nil {
		t.Errorf("got %+v", c)
	}
}
