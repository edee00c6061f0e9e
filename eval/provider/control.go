package provider

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/opledger/opledger/eval"
)

// longestWait bounds one wait for a change.
const longestWait = 5 * time.Second

// control adds what only the evaluation calls. It meets no fault.
func (s *service) control(mux *http.ServeMux) {
	mux.HandleFunc("POST /control/plan", func(w http.ResponseWriter, r *http.Request) {
		var plan Plan
		if understand(w, r, &plan) {
			done(w, r, s.provider.Plan(plan))
		}
	})
	mux.HandleFunc("POST /control/webhooks", func(w http.ResponseWriter, r *http.Request) {
		var target Target
		if understand(w, r, &target) {
			s.mu.Lock()
			s.target = target
			s.mu.Unlock()
			s.touch()
			done(w, r, nil)
		}
	})
	mux.HandleFunc("GET /control/counts", func(w http.ResponseWriter, r *http.Request) {
		send(w, r, answered(http.StatusOK, s.provider.Counts()))
	})
	mux.HandleFunc("GET /control/effects", func(w http.ResponseWriter, r *http.Request) {
		effects := s.provider.All()
		if key := r.URL.Query().Get("business_key"); key != "" {
			effects = s.provider.Effects(key)
		}
		send(w, r, answered(http.StatusOK, map[string][]eval.Effect{"effects": effects}))
	})
	// It answers when the counts are other than those that are given, or after the longest wait.
	mux.HandleFunc("POST /control/wait", func(w http.ResponseWriter, r *http.Request) {
		var known Counts
		if understand(w, r, &known) {
			send(w, r, answered(http.StatusOK, s.await(r, known)))
		}
	})
}

func (s *service) await(r *http.Request, known Counts) Counts {
	limit := time.NewTimer(longestWait)
	defer limit.Stop()
	for {
		changed := s.watch()
		if c := s.provider.Counts(); !c.equal(known) {
			return c
		}
		select {
		case <-changed:
		case <-limit.C:
			return s.provider.Counts()
		case <-r.Context().Done():
			return known
		}
	}
}

func understand(w http.ResponseWriter, r *http.Request, into any) bool {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		done(w, r, err)
		return false
	}
	return true
}

func done(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil {
		send(w, r, refusal(http.StatusBadRequest, "bad_request", err.Error()))
		return
	}
	send(w, r, answered(http.StatusOK, struct{}{}))
}
