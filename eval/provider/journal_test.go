package provider

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval"
)

// keep opens a provider on a journal.
func keep(t *testing.T, path string, profile Profile) (*stand, error) {
	c := &clock{start}
	p, err := Open(path, Options{Clock: c.now, Profile: profile})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = p.Close() })
	return &stand{Provider: p, clock: c, t: t}, nil
}

func TestALineThatACrashCutIsDropped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	s, err := keep(t, path, Stated(false))
	if err != nil {
		t.Fatal(err)
	}
	s.send(eval.NoFault)
	s.send(eval.NoFault)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := append(text[:len(text)-1], strings.Repeat(" ", 10000)...) // longer than what is written in its place
	if err := os.WriteFile(path, cut, 0o600); err != nil {
		t.Fatal(err)
	}
	for want := 1; want <= 3; want++ { // what is written behind the cut is read again
		if s, err = keep(t, path, Stated(false)); err != nil {
			t.Fatal(err)
		}
		s.want(want)
		s.send(eval.TimeoutAfterCommit)
	}
	if text, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) { // and nothing of the cut is left
		if !json.Valid(line) || !bytes.HasSuffix(line, []byte("\n")) {
			t.Errorf("a line is %q", line)
		}
	}
}

func TestAJournalThatTellsAnotherStoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	if _, err := keep(t, good, Stated(false)); err != nil {
		t.Fatal(err)
	}
	if _, err := keep(t, good, Stated(true)); err == nil || !strings.Contains(err.Error(), "another profile") {
		t.Errorf("another profile: %v", err)
	}
	head, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"{}\n":                      "line 1: a profile must stand",
		string(head) + string(head): "line 2: a profile must stand",
		string(head) + "{}\n":       "line 2: it says nothing",
		string(head) + "garbage\n":  "line 2: invalid character",
		string(head) + `{"write":{},"fault":"x"}` + "\n": `line 2: there is no fault "x"`,
	} {
		path := filepath.Join(dir, "bad")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := keep(t, path, Stated(false)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestWhatCannotBeKeptIsNotDone: a provider that can count no more does nothing more.
func TestWhatCannotBeKeptIsNotDone(t *testing.T) {
	s, err := keep(t, filepath.Join(t.TempDir(), "journal"), Stated(false))
	if err != nil {
		t.Fatal(err)
	}
	s.send(eval.NoFault)
	s.pass(minute)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if a := s.send(eval.TimeoutAfterCommit); a.Kind != Answered || a.Status != 500 {
		t.Errorf("%+v", a)
	}
	s.want(1)
	if due := s.Webhooks(s.at); due != nil {
		t.Errorf("handed out without a trace: %+v", due)
	}
	if err := s.Plan(Plan{BusinessKey: "order-1", Faults: []eval.Fault{eval.Refused}}); err == nil {
		t.Error("a plan without a trace")
	}
}
