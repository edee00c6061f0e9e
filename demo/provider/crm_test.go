package provider

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestAContactUnderAKeyIsMadeOnce(t *testing.T) {
	p := start(t, Options{})
	contact := Contact{Name: "Nora Lind", Email: "nora@example.com", IdempotencyKey: "key_1"}
	first, err := patient(p).AddContact(t.Context(), contact)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := patient(p).AddContact(t.Context(), contact); err != nil || again.ID != first.ID {
		t.Errorf("under the same key: got %+v, %v, want %s", again, err, first.ID)
	}
	contact.IdempotencyKey = ""
	for range 2 {
		if _, err := patient(p).AddContact(t.Context(), contact); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.Contacts()); n != 3 {
		t.Errorf("once under a key and twice without: %d contacts, want 3", n)
	}
	contact.Name, contact.IdempotencyKey = "Nora Other", "key_1"
	_, err = patient(p).AddContact(t.Context(), contact)
	wantStatus(t, err, http.StatusConflict)
	_, err = patient(p).AddContact(t.Context(), Contact{Name: "Nora Lind"})
	wantStatus(t, err, http.StatusUnprocessableEntity)
}

func TestAContactIsArchivedOnceUnderAKey(t *testing.T) {
	p := start(t, Options{})
	var ids []string
	for range 2 {
		made, err := patient(p).AddContact(t.Context(), Contact{Name: "Nora Lind", Email: "nora@example.com"})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, made.ID)
	}
	for range 2 {
		if a, err := patient(p).ArchiveContact(t.Context(), Archiving{Contact: ids[0], IdempotencyKey: "key_1"}); err != nil || a.ID != "arc_0001" {
			t.Errorf("got %+v, %v", a, err)
		}
	}
	_, err := patient(p).ArchiveContact(t.Context(), Archiving{Contact: ids[1], IdempotencyKey: "key_1"})
	wantStatus(t, err, http.StatusConflict)
	_, err = patient(p).ArchiveContact(t.Context(), Archiving{Contact: "con_none"})
	wantStatus(t, err, http.StatusNotFound)
	if got := p.Archivings(); len(got) != 1 || got[0].Contact != ids[0] {
		t.Errorf("archived %v, want %s alone", got, ids[0])
	}
}

// TestWhatWasMadeIsFoundUnderItsKey asks as the tools' definitions do.
func TestWhatWasMadeIsFoundUnderItsKey(t *testing.T) {
	p := start(t, Options{})
	made, err := patient(p).AddContact(t.Context(), Contact{Name: "Nora Lind", Email: "nora@example.com", IdempotencyKey: "key_1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := patient(p).ArchiveContact(t.Context(), Archiving{Contact: made.ID, IdempotencyKey: "key_2"}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/v1/contacts?idempotency_key=key_1":   `"id":"con_0001"`,
		"/v1/contacts?idempotency_key=key_2":   "[]",
		"/v1/archivings?idempotency_key=key_2": `"id":"arc_0001"`,
		"/v1/archivings?idempotency_key=key_1": "[]",
		"/v1/contacts":                         "ask by idempotency_key",
	} {
		if got := get(t, p.URL()+path); !strings.Contains(got, want) {
			t.Errorf("%s answers %s, want %s", path, got, want)
		}
	}
}

func TestALostContactIsMade(t *testing.T) {
	p := start(t, Options{})
	p.LoseAnswers(KindContact, 1)
	if _, err := NewClient(p.URL(), 50*time.Millisecond).AddContact(t.Context(), Contact{Name: "Nora Lind", Email: "nora@example.com"}); err == nil {
		t.Error("an answer came")
	}
	if err := p.WaitFor(t.Context(), KindContact, 1); err != nil || len(p.Contacts()) != 1 {
		t.Errorf("%v: %d contacts, want 1", err, len(p.Contacts()))
	}
}

func TestNoTicketIsEverOpened(t *testing.T) {
	p := start(t, Options{})
	for range 2 {
		wantStatus(t, patient(p).OpenTicket(t.Context(), Ticket{Project: "setup", Title: "t"}), http.StatusUnprocessableEntity)
	}
	if n := p.Refused(); n != 2 {
		t.Errorf("%d were asked for, want 2", n)
	}
}

func wantStatus(t *testing.T, err error, want int) {
	t.Helper()
	var status *StatusError
	if !errors.As(err, &status) || status.Status != want {
		t.Errorf("got %v, want status %d", err, want)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
