package vendor

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// KeyHeader carries the idempotency key. Paths that begin with /keyed/ heed it, those that begin with /plain/ do not.
const KeyHeader = "Idempotency-Key"

// ReplayedHeader tells that the answer is the recorded one of an earlier request under the same key.
const ReplayedHeader = "Idempotent-Replayed"

// maxBody bounds a request.
const maxBody = 1 << 20

// service is the provider's side of the wire.
type service struct {
	books   *books
	hooks   hooks
	closing chan struct{}
}

func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	for _, kind := range []string{"keyed", "plain"} {
		keyed := kind == "keyed"
		write := func(w http.ResponseWriter, r *http.Request) { s.write(w, r, keyed) }
		mux.HandleFunc("POST /"+kind+"/{collection}", write)
		mux.HandleFunc("PUT /"+kind+"/{collection}", write)
		mux.HandleFunc("GET /"+kind+"/{collection}", s.find)
		mux.HandleFunc("GET /"+kind+"/{collection}/{id}", s.get)
	}
	s.control(mux)
	return mux
}

// write takes a request to make an effect.
func (s *service) write(w http.ResponseWriter, r *http.Request, keyed bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil || !json.Valid(body) {
		refuse(w, http.StatusBadRequest, "the body is no JSON")
		return
	}
	var named struct {
		Reference string `json:"client_reference"`
	}
	if json.Unmarshal(body, &named) != nil {
		refuse(w, http.StatusBadRequest, "the body is no JSON object")
		return
	}
	in := request{keyed: keyed, collection: r.PathValue("collection"), key: r.Header.Get(KeyHeader), reference: named.Reference, body: body}
	fault, faulty := s.books.arrive(in)
	if !faulty {
		fault.Fault = ""
	}
	made, conflict := s.books.replay(in)
	switch {
	case conflict:
		refuse(w, http.StatusBadRequest, "this idempotency key came with other parameters before")
		return
	case made != nil && fault.Fault == "":
		w.Header().Set(ReplayedHeader, "true")
		answer(w, http.StatusCreated, made)
		return
	}
	s.act(w, r, in, fault)
}

// act does what the fault says.
func (s *service) act(w http.ResponseWriter, r *http.Request, in request, f Planned) {
	switch f.Fault {
	case "":
		answer(w, http.StatusCreated, s.books.make(in, "succeeded", true))
	case TimeoutAfterCommit:
		s.books.make(in, "succeeded", true)
		s.hold(r)
	case TimeoutBeforeCommit:
		s.hold(r)
	case Hides:
		s.books.make(in, "succeeded", false)
		s.hold(r)
	case LateCommit:
		s.books.keep(in)
		s.hold(r)
	case ResetAfterCommit:
		s.books.make(in, "succeeded", true)
		reset(w)
	case ResetBeforeCommit:
		reset(w)
	case RateLimited:
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfterSeconds))
		refuse(w, http.StatusTooManyRequests, "too many requests")
	case Unavailable:
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfterSeconds))
		refuse(w, http.StatusServiceUnavailable, "come back later")
	case ErrorCommitted:
		s.books.make(in, "succeeded", false)
		refuse(w, http.StatusInternalServerError, "something went wrong")
	case ErrorClean:
		refuse(w, http.StatusInternalServerError, "something went wrong")
	case Malformed:
		s.books.make(in, "succeeded", true)
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write([]byte(`{"id":"` + in.collection + `_`))
	case SlowBody:
		s.books.make(in, "succeeded", true)
		s.drip(w, r, 50*time.Millisecond)
	case EndlessBody:
		s.books.make(in, "succeeded", true)
		s.drip(w, r, 0)
	case SaysError:
		answer(w, http.StatusOK, map[string]string{"error": "declined"})
	case Redirects:
		w.Header().Set("Location", r.URL.Path)
		w.WriteHeader(http.StatusTemporaryRedirect)
	case Accepts:
		answer(w, http.StatusAccepted, s.books.make(in, "pending", true))
	case Refuses:
		refuse(w, http.StatusUnprocessableEntity, "refused")
	default:
		refuse(w, http.StatusNotImplemented, "there is no fault "+string(f.Fault))
	}
}

// hold never answers: it waits until the client has given up, as on a connection that a middlebox has dropped.
func (s *service) hold(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.closing:
	}
	panic(http.ErrAbortHandler)
}

// reset ends the connection with RST, so that not even its orderly end is an answer.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// drip answers for ever, with a pause before each byte or with none.
func (s *service) drip(w http.ResponseWriter, r *http.Request, pause time.Duration) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	piece := []byte(" ")
	if pause == 0 {
		piece = []byte(strings.Repeat(" ", 4096))
	}
	out := http.NewResponseController(w)
	for r.Context().Err() == nil {
		if _, err := w.Write(piece); err != nil || out.Flush() != nil {
			return
		}
		if pause > 0 {
			select {
			case <-time.After(pause):
			case <-r.Context().Done():
			case <-s.closing:
				return
			}
		}
	}
}

// find lists what lookups show, by key, by reference or by a text of the body ("q", a search).
func (s *service) find(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	key, reference, text := q.Get("idempotency_key"), q.Get("client_reference"), q.Get("q")
	if s.misread(w, r) {
		return
	}
	answer(w, http.StatusOK, map[string]any{"data": s.books.list(r.PathValue("collection"), func(e *Effect) bool {
		return e.Shown && (key == "" || e.IdempotencyKey == key) && (reference == "" || e.Reference == reference) &&
			(text == "" || strings.Contains(string(e.Body), text))
	})})
}

func (s *service) get(w http.ResponseWriter, r *http.Request) {
	if s.misread(w, r) {
		return
	}
	found := s.books.list(r.PathValue("collection"), func(e *Effect) bool { return e.Shown && e.ID == r.PathValue("id") })
	if len(found) == 0 {
		refuse(w, http.StatusNotFound, "there is no such object")
		return
	}
	answer(w, http.StatusOK, found[0])
}

// misread lets a read meet its fault, if one is planned for "collection?". A read makes nothing, whatever goes wrong.
func (s *service) misread(w http.ResponseWriter, r *http.Request) bool {
	f, faulty := s.books.arrive(request{collection: r.PathValue("collection") + "?"})
	if !faulty {
		return false
	}
	switch f.Fault {
	case TimeoutAfterCommit, TimeoutBeforeCommit, LateCommit, Hides:
		s.hold(r)
	case ResetAfterCommit, ResetBeforeCommit:
		reset(w)
	case Malformed:
		_, _ = w.Write([]byte(`{"data":[`))
	case SlowBody:
		s.drip(w, r, 50*time.Millisecond)
	case EndlessBody:
		s.drip(w, r, 0)
	case RateLimited, Unavailable:
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfterSeconds))
		refuse(w, map[Fault]int{RateLimited: http.StatusTooManyRequests, Unavailable: http.StatusServiceUnavailable}[f.Fault], "come back later")
	case SaysError:
		answer(w, http.StatusOK, map[string]string{"error": "not now"})
	default:
		refuse(w, http.StatusInternalServerError, string(f.Fault))
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

// errClosed is what a provider that was closed says.
var errClosed = errors.New("the provider has stopped")
