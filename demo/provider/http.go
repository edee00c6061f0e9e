package provider

import (
	"encoding/json"
	"errors"
	"net/http"
)

// KeyHeader carries the idempotency key, as IETF's draft and most payment providers name it.
const KeyHeader = "Idempotency-Key"

// ReplayedHeader tells that the answer is the recorded one of an earlier request under the same key.
const ReplayedHeader = "Idempotent-Replayed"

// maxBody bounds a request; the real ones have some hundred bytes.
const maxBody = 64 << 10

// collections name the kinds of transfers in paths.
var collections = map[Kind]string{KindCharge: "charges", KindRefund: "refunds", KindCredit: "credits"}

func (p *Provider) routes() http.Handler {
	mux := http.NewServeMux()
	for kind, name := range collections {
		mux.HandleFunc("POST /v1/accounts/{account}/"+name, func(w http.ResponseWriter, r *http.Request) { p.postTransfer(w, r, kind) })
		mux.HandleFunc("GET /v1/accounts/{account}/"+name, func(w http.ResponseWriter, r *http.Request) { p.findTransfers(w, r, kind) })
	}
	mux.HandleFunc("POST /v1/messages", p.postMessage)
	mux.HandleFunc("GET /v1/messages", p.findMessages)
	mux.HandleFunc("POST /v1/tickets", p.postTicket)
	p.crmRoutes(mux)
	return mux
}

func (p *Provider) postTransfer(w http.ResponseWriter, r *http.Request, kind Kind) {
	var t Transfer
	if !readBody(w, r, &t) {
		return
	}
	if t.Amount <= 0 || t.Currency == "" || t.Order == "" {
		refuse(w, http.StatusUnprocessableEntity, "a "+string(kind)+" needs amount, currency and order")
		return
	}
	t.Kind, t.Account, t.IdempotencyKey = kind, r.PathValue("account"), r.Header.Get(KeyHeader)
	if t.Account != KeyedAccount && t.Account != PlainAccount {
		refuse(w, http.StatusNotFound, "there is no account "+t.Account)
		return
	}
	made, replayed, err := p.books.transfer(t)
	p.answerKeyed(w, r, kind, made, replayed, err)
}

// answerKeyed answers a request that may bear an idempotency key: with what it made, with what its key had made before, or
// with the conflict of the two.
func (p *Provider) answerKeyed(w http.ResponseWriter, r *http.Request, kind Kind, made any, replayed bool, err error) {
	var conflict *conflictError
	switch {
	case errors.As(err, &conflict):
		refuse(w, http.StatusConflict, err.Error())
		return
	case replayed:
		w.Header().Set(ReplayedHeader, "true")
	case p.faults.loses(kind):
		p.hold(r)
		return
	}
	answer(w, http.StatusCreated, made)
}

// findTransfers reads the books themselves: a transfer shows as soon as it is made.
func (p *Provider) findTransfers(w http.ResponseWriter, r *http.Request, kind Kind) {
	account, q := r.PathValue("account"), r.URL.Query()
	key, reference := q.Get("idempotency_key"), q.Get("client_reference")
	if key == "" && reference == "" {
		refuse(w, http.StatusBadRequest, "ask by idempotency_key or by client_reference")
		return
	}
	answer(w, http.StatusOK, p.books.listTransfers(func(t Transfer) bool {
		return t.Kind == kind && t.Account == account && (key == "" || t.IdempotencyKey == key) && (reference == "" || t.ClientReference == reference)
	}))
}

func (p *Provider) postMessage(w http.ResponseWriter, r *http.Request) {
	var m Email
	if !readBody(w, r, &m) {
		return
	}
	if m.To == "" || m.Subject == "" {
		refuse(w, http.StatusUnprocessableEntity, "a message needs to and subject")
		return
	}
	sent := p.books.send(m)
	if p.faults.loses(KindEmail) {
		p.hold(r)
		return
	}
	answer(w, http.StatusAccepted, sent)
}

// findMessages reads a log that lags behind: a message shows after the propagation delay.
func (p *Provider) findMessages(w http.ResponseWriter, r *http.Request) {
	reference := r.URL.Query().Get("client_reference")
	if reference == "" {
		refuse(w, http.StatusBadRequest, "ask by client_reference")
		return
	}
	shown := p.books.now().Add(-p.propagation)
	answer(w, http.StatusOK, p.books.listEmails(func(m Email) bool {
		return m.ClientReference == reference && !m.CreatedAt.After(shown)
	}))
}

// hold never answers: it waits until the client has given up, as on a connection that a middlebox has dropped.
func (p *Provider) hold(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-p.closing:
	}
	panic(http.ErrAbortHandler) // not even an empty answer
}

func readBody(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(into); err != nil {
		refuse(w, http.StatusBadRequest, "the body is no JSON of this request: "+err.Error())
		return false
	}
	return true
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client is gone; what was done is in the books
}

func refuse(w http.ResponseWriter, status int, why string) {
	answer(w, status, map[string]string{"error": why})
}
