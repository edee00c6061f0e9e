package provider

import (
	"encoding/json"
	"io"
	"net/http"
)

// BusinessKeyHeader names what a request is for. The count is kept by it.
const BusinessKeyHeader = "Business-Key"

// maxBody bounds a request.
const maxBody = 1 << 20

// routes are the provider's paths:
//
//	POST, PUT /keyed/{collection}       makes an effect, or undoes the one that "undoes" in the body names
//	GET       /keyed/{collection}       lists what idempotency_key, client_reference and q (a text) all fit
//	GET       /keyed/{collection}/{id}  shows one object
//	GET       /read/{collection}        reads, and makes nothing
//	          /control/                 steers it and reads its count: see Control
//
// What comes in by /keyed/ has its idempotency key heeded if the profile says so, what comes in by /plain/, with the same
// paths below, never. The object keeps the body's "client_reference".
func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	for _, door := range []string{"keyed", "plain"} {
		write := func(w http.ResponseWriter, r *http.Request) { s.write(w, r, door == "plain") }
		mux.HandleFunc("POST /"+door+"/{collection}", write)
		mux.HandleFunc("PUT /"+door+"/{collection}", write)
		mux.HandleFunc("GET /"+door+"/{collection}", s.find)
		mux.HandleFunc("GET /"+door+"/{collection}/{id}", s.get)
	}
	mux.HandleFunc("GET /read/{collection}", func(w http.ResponseWriter, r *http.Request) {
		s.act(w, r, Request{
			Method: Read, Collection: r.PathValue("collection"), BusinessKey: businessKey(r, r.URL.Query().Get(s.settings.KeyField)),
		})
	})
	s.control(mux)
	return mux
}

// write takes a request to make an effect, or, where its body says what it undoes, to undo one.
func (s *service) write(w http.ResponseWriter, r *http.Request, plain bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var fields map[string]any
	if err != nil || json.Unmarshal(body, &fields) != nil {
		send(w, r, refusal(http.StatusBadRequest, "bad_request", "the body is no JSON object"))
		return
	}
	text := func(name string) string { text, _ := fields[name].(string); return text }
	in := Request{
		Method: Create, Collection: r.PathValue("collection"), BusinessKey: businessKey(r, text(s.settings.KeyField)),
		VendorKey: r.Header.Get(KeyHeader), ClientReference: text("client_reference"), Undoes: text("undoes"), Plain: plain, Body: body,
	}
	if in.Undoes != "" {
		in.Method = Undo
	}
	s.act(w, r, in)
}

// businessKey is what a request is for: what its header says, else what its parameters do.
func businessKey(r *http.Request, parameter string) string {
	if header := r.Header.Get(BusinessKeyHeader); header != "" {
		return header
	}
	return parameter
}

// act carries a request out.
func (s *service) act(w http.ResponseWriter, r *http.Request, in Request) {
	if in.BusinessKey == "" {
		send(w, r, refusal(http.StatusBadRequest, "no_business_key", "neither the header "+BusinessKeyHeader+" nor the field "+s.settings.KeyField+
			" says what it is for, so that it could not be counted"))
		return
	}
	a := s.provider.WriteAsPlanned(in, s.settings.Chance)
	s.touch()
	send(w, r, a)
}

// find lists what lookups show, by key, by reference, or by a text of the parameters ("q", a search).
func (s *service) find(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	found, err := s.provider.Find(Query{
		Collection: r.PathValue("collection"), VendorKey: q.Get("idempotency_key"), ClientReference: q.Get("client_reference"), Text: q.Get("q"),
	})
	if err != nil {
		send(w, r, refusal(http.StatusServiceUnavailable, "lookup_down", err.Error()))
		return
	}
	send(w, r, answered(http.StatusOK, map[string]any{"data": found}))
}

// get shows one object.
func (s *service) get(w http.ResponseWriter, r *http.Request) {
	found, err := s.provider.Find(Query{Collection: r.PathValue("collection"), ObjectID: r.PathValue("id")})
	switch {
	case err != nil:
		send(w, r, refusal(http.StatusServiceUnavailable, "lookup_down", err.Error()))
	case len(found) == 0:
		send(w, r, refusal(http.StatusNotFound, "no_such_object", "there is no such object"))
	default:
		send(w, r, answered(http.StatusOK, found[0]))
	}
}
