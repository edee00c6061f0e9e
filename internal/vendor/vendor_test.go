package vendor

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

// post sends one write, and gives up soon where no answer comes.
func post(t *testing.T, url, key, body string) (status int, header http.Header, answer string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.Header.Set(KeyHeader, key)
	}
	req.GetBody = nil
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer res.Body.Close()
	read, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, res.Header, string(read), err
}

func TestAKeyStandsForOneEffect(t *testing.T) {
	p := Start(t)
	if status, _, _, _ := post(t, p.URL+"/keyed/charges", "k1", `{"amount":1}`); status != http.StatusCreated {
		t.Fatal(status)
	}
	status, header, _, _ := post(t, p.URL+"/keyed/charges", "k1", `{"amount":1}`)
	if status != http.StatusCreated || header.Get(ReplayedHeader) != "true" {
		t.Errorf("a repeat: %d %v", status, header)
	}
	if status, _, _, _ := post(t, p.URL+"/keyed/charges", "k1", `{"amount":2}`); status != http.StatusBadRequest {
		t.Errorf("other parameters: %d", status)
	}
	if status, _, _, _ := post(t, p.URL+"/plain/mails", "k1", `{}`); status != http.StatusCreated {
		t.Error(status)
	}
	post(t, p.URL+"/plain/mails", "k1", `{}`)
	c := p.Counts()
	if c.Effects["charges"] != 1 || c.Writes["charges"] != 3 || c.Effects["mails"] != 2 {
		t.Errorf("%+v", c)
	}
}

// TestFaults: of each fault, whether its effect is made, and what a client sees.
func TestFaults(t *testing.T) {
	for fault, want := range map[Fault]struct {
		effects int
		sees    string // an answer's status and body begin so, or the error holds it
	}{
		TimeoutAfterCommit: {1, "error"}, TimeoutBeforeCommit: {0, "error"}, LateCommit: {0, "error"}, Hides: {1, "error"},
		ResetAfterCommit: {1, "error"}, ResetBeforeCommit: {0, "error"}, RateLimited: {0, "429"}, Unavailable: {0, "503"},
		ErrorCommitted: {1, "500"}, ErrorClean: {0, "500"}, Malformed: {1, `201 {"id":"things_`}, SlowBody: {1, "error"},
		EndlessBody: {1, "201"}, SaysError: {0, `200 {"error"`}, Redirects: {0, "307"}, Accepts: {1, "202"}, Refuses: {0, "422"},
	} {
		t.Run(string(fault), func(t *testing.T) {
			p := Start(t)
			p.Fail("things", fault)
			seen := func() string {
				status, _, body, err := post(t, p.URL+"/keyed/things", "", `{"client_reference":"r"}`)
				if err != nil {
					return "error"
				}
				return strconv.Itoa(status) + " " + body
			}()
			if !strings.HasPrefix(seen, want.sees) {
				t.Errorf("a client sees %.80q, want %q", seen, want.sees)
			}
			if c := p.Counts(); c.Effects["things"] != want.effects || c.Writes["things"] != 1 {
				t.Errorf("%+v, want %d effects", c, want.effects)
			}
		})
	}
}
func TestWhatComesLater(t *testing.T) {
	p := Start(t)
	shown := func() int {
		res, err := http.Get(p.URL + "/plain/things?client_reference=r")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(body), `"id"`)
	}
	p.Fail("things", Hides)
	_, _, _, _ = post(t, p.URL+"/plain/things", "", `{"client_reference":"r"}`)
	if n := shown(); n != 0 {
		t.Errorf("a hidden effect shows: %d", n)
	}
	p.Show()
	if n := shown(); n != 1 {
		t.Errorf("shown: %d", n)
	}
	p.Fail("things", LateCommit)
	_, _, _, _ = post(t, p.URL+"/plain/things", "", `{"client_reference":"r"}`)
	if made := p.CommitLate(); len(made) != 1 || shown() != 2 {
		t.Errorf("late: %+v", made)
	}
	p.Fail("things", Accepts)
	_, _, _, _ = post(t, p.URL+"/plain/things", "", `{"client_reference":"r"}`)
	if e := p.Effects(); e[2].Status != "pending" {
		t.Errorf("%+v", e)
	}
	p.Finish()
	if e := p.Effects(); e[2].Status != "succeeded" {
		t.Errorf("%+v", e)
	}
}
