package provider

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Contact is a customer in the CRM. Whoever sends no idempotency key gets a new one each time.
type Contact struct {
	ID             string    `json:"id"`
	Name           string    `json:"name"`
	Email          string    `json:"email"`
	IdempotencyKey string    `json:"idempotency_key,omitempty"`
	CreatedAt      time.Time `json:"created_at"`
}

// Archiving is that a contact was archived: a change with an id of its own.
type Archiving struct {
	ID             string    `json:"id"`
	Contact        string    `json:"contact"`
	IdempotencyKey string    `json:"idempotency_key,omitempty"`
	CreatedAt      time.Time `json:"created_at"`
}

// enter makes a contact, or finds the one that the same key has made.
func (b *books) enter(c Contact) (made Contact, replayed bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, old := range b.contacts {
		if c.IdempotencyKey == "" || old.IdempotencyKey != c.IdempotencyKey {
			continue
		}
		if old.Name != c.Name || old.Email != c.Email {
			return Contact{}, false, &conflictError{c.IdempotencyKey}
		}
		return old, true, nil
	}
	c.ID, c.CreatedAt = fmt.Sprintf("con_%04d", len(b.contacts)+1), b.now()
	b.contacts = append(b.contacts, c)
	b.tell()
	return c, false, nil
}

// errNoContact: there is no contact of that id.
var errNoContact = errors.New("there is no such contact")

// archive archives a contact, or finds the change that the same key has made.
func (b *books) archive(a Archiving) (made Archiving, replayed bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, old := range b.archivings {
		if a.IdempotencyKey == "" || old.IdempotencyKey != a.IdempotencyKey {
			continue
		}
		if old.Contact != a.Contact {
			return Archiving{}, false, &conflictError{a.IdempotencyKey}
		}
		return old, true, nil
	}
	if len(filter(b.contacts, func(c Contact) bool { return c.ID == a.Contact })) == 0 {
		return Archiving{}, false, errNoContact
	}
	a.ID, a.CreatedAt = fmt.Sprintf("arc_%04d", len(b.archivings)+1), b.now()
	b.archivings = append(b.archivings, a)
	b.tell()
	return a, false, nil
}

// Contacts lists the contacts that were really made, archived ones too.
func (p *Provider) Contacts() []Contact {
	return p.books.listContacts(func(Contact) bool { return true })
}

// Archivings lists what was really archived.
func (p *Provider) Archivings() []Archiving {
	return p.books.listArchivings(func(Archiving) bool { return true })
}

func (b *books) listContacts(keep func(Contact) bool) []Contact {
	b.mu.Lock()
	defer b.mu.Unlock()
	return filter(b.contacts, keep)
}

func (b *books) listArchivings(keep func(Archiving) bool) []Archiving {
	b.mu.Lock()
	defer b.mu.Unlock()
	return filter(b.archivings, keep)
}

func (p *Provider) crmRoutes(mux *http.ServeMux) {
	mux.HandleFunc("POST /v1/contacts", p.postContact)
	mux.HandleFunc("GET /v1/contacts", func(w http.ResponseWriter, r *http.Request) {
		if key, ok := askedKey(w, r); ok {
			answer(w, http.StatusOK, p.books.listContacts(func(c Contact) bool { return c.IdempotencyKey == key }))
		}
	})
	mux.HandleFunc("POST /v1/archivings", p.postArchiving)
	mux.HandleFunc("GET /v1/archivings", func(w http.ResponseWriter, r *http.Request) {
		if key, ok := askedKey(w, r); ok {
			answer(w, http.StatusOK, p.books.listArchivings(func(a Archiving) bool { return a.IdempotencyKey == key }))
		}
	})
}

func (p *Provider) postContact(w http.ResponseWriter, r *http.Request) {
	var c Contact
	if !readBody(w, r, &c) {
		return
	}
	if c.Name == "" || c.Email == "" {
		refuse(w, http.StatusUnprocessableEntity, "a contact needs name and email")
		return
	}
	c.IdempotencyKey = r.Header.Get(KeyHeader)
	made, replayed, err := p.books.enter(c)
	p.answerKeyed(w, r, KindContact, made, replayed, err)
}

func (p *Provider) postArchiving(w http.ResponseWriter, r *http.Request) {
	var a Archiving
	if !readBody(w, r, &a) {
		return
	}
	a.IdempotencyKey = r.Header.Get(KeyHeader)
	made, replayed, err := p.books.archive(a)
	if errors.Is(err, errNoContact) {
		refuse(w, http.StatusNotFound, err.Error())
		return
	}
	p.answerKeyed(w, r, KindArchiving, made, replayed, err)
}

func askedKey(w http.ResponseWriter, r *http.Request) (key string, ok bool) {
	if key = r.URL.Query().Get("idempotency_key"); key == "" {
		refuse(w, http.StatusBadRequest, "ask by idempotency_key")
	}
	return key, key != ""
}
