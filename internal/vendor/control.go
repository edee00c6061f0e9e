package vendor

import (
	"encoding/json"
	"net/http"
	"time"
)

// control adds what only tests call.
func (s *service) control(mux *http.ServeMux) {
	mux.HandleFunc("POST /control/faults", func(w http.ResponseWriter, r *http.Request) {
		var f Planned
		if read(w, r, &f) {
			s.books.add(f)
			answer(w, http.StatusOK, f)
		}
	})
	mux.HandleFunc("GET /control/counts", func(w http.ResponseWriter, r *http.Request) {
		c, _ := s.books.count()
		answer(w, http.StatusOK, c)
	})
	// wait answers when the counts have changed from those that are given, or after the longest wait.
	mux.HandleFunc("POST /control/wait", func(w http.ResponseWriter, r *http.Request) {
		var known Counts
		if !read(w, r, &known) {
			return
		}
		c, changed := s.books.count()
		if same(c, known) {
			select {
			case <-changed:
			case <-time.After(longestWait):
			case <-r.Context().Done():
			}
			c, _ = s.books.count()
		}
		answer(w, http.StatusOK, c)
	})
	mux.HandleFunc("GET /control/effects", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, s.books.list("", func(*Effect) bool { return true }))
	})
	mux.HandleFunc("POST /control/show", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, s.books.change(func(e *Effect) bool { return !e.Shown }, func(e *Effect) { e.Shown = true }))
	})
	mux.HandleFunc("POST /control/finish", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, s.books.change(func(e *Effect) bool { return e.Status == "pending" }, func(e *Effect) { e.Status = "succeeded" }))
	})
	mux.HandleFunc("POST /control/commit", func(w http.ResponseWriter, r *http.Request) {
		made := []*Effect{}
		for _, late := range s.books.takeLate() {
			made = append(made, s.books.make(late, "succeeded", true))
		}
		answer(w, http.StatusOK, made)
	})
	mux.HandleFunc("POST /control/deliver", func(w http.ResponseWriter, r *http.Request) {
		var d Delivery
		if read(w, r, &d) {
			status, err := s.hooks.send(r.Context(), d)
			if err != nil {
				refuse(w, http.StatusBadGateway, err.Error())
				return
			}
			answer(w, http.StatusOK, map[string]int{"status": status})
		}
	})
}

// longestWait bounds one wait for a change.
const longestWait = 5 * time.Second

func same(a, b Counts) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

func read(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(into); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return false
	}
	return true
}
