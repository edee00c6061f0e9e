package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/ledger"
)

// The bounds of the endpoint.
const (
	// maxDeliveries bounds those that are stored at once. Their bodies have come whole, so that a sender who is slow, which
	// strangers can be at will, takes no place.
	maxDeliveries = 64
	// maxBodies bounds the bodies in memory, those that are still on their way included.
	maxBodies = 256
	// webhookRetry is when a vendor should deliver again what could not be stored.
	webhookRetry = 5 * time.Second
	// refusalsLogged is how often at most a refused delivery is logged: anybody can send them.
	refusalsLogged = time.Second
)

// webhooks takes deliveries at POST /webhooks/{namespace}/{source}. Who sends them is proven by their signature; no
// credential is asked for. An answer of 2xx says that the event and all that it causes are stored, or were before.
type webhooks struct {
	*Server
	bodies     chan struct{}
	under      chan struct{}
	lastLogged atomic.Int64
}

func newWebhooks(s *Server) *webhooks {
	return &webhooks{Server: s, bodies: make(chan struct{}, maxBodies), under: make(chan struct{}, maxDeliveries)}
}

// refusedDelivery is an answer other than 2xx. Its message is for the vendor's dashboard: short, and without a word of
// what else this server knows.
type refusedDelivery struct {
	status  int
	message string
	because error // for the log; nil: nothing is to be told
}

func (h *webhooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := h.config.Clock()
	ctx, cancel := context.WithTimeout(r.Context(), h.config.Inbox.deadline())
	defer cancel()
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.config.Inbox.deadline())) // a body that never ends
	code := http.StatusOK
	answer, refused := h.take(ctx, w, r)
	if refused != nil {
		code = refused.status
		answer = map[string]any{"error": refused.message}
		h.tell(ctx, r, refused)
	}
	w.Header().Set("Content-Type", "application/json")
	switch code {
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", strconv.Itoa(int(webhookRetry/time.Second)))
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", http.MethodPost)
	}
	body, _ := json.Marshal(answer) // texts and truth values
	w.WriteHeader(code)
	_, _ = w.Write(append(body, '\n'))
	h.config.Observer.RPC("/webhooks", strconv.Itoa(code), h.config.Clock().Sub(began))
}

// take takes one delivery. The answer to it, or why it is refused.
func (h *webhooks) take(ctx context.Context, w http.ResponseWriter, r *http.Request) (map[string]any, *refusedDelivery) {
	if r.Method != http.MethodPost {
		return nil, &refusedDelivery{status: http.StatusMethodNotAllowed, message: "POST the event"}
	}
	source := h.at(r.URL.Path)
	if source == nil {
		return nil, &refusedDelivery{status: http.StatusNotFound, message: "there is no such endpoint"}
	}
	tooMany := &refusedDelivery{status: http.StatusServiceUnavailable, message: "too many deliveries at once; deliver it again"}
	select {
	case h.bodies <- struct{}{}:
		defer func() { <-h.bodies }()
	default:
		return nil, tooMany
	}
	d, refused := readDelivery(w, r)
	if refused != nil {
		return nil, refused
	}
	select {
	case h.under <- struct{}{}:
		defer func() { <-h.under }()
	default:
		return nil, tooMany
	}
	proof, err := h.prove(ctx, source, d)
	if err != nil {
		return nil, refusalOf(err)
	}
	if challenge := source.Challenge(d); challenge != "" {
		return map[string]any{"challenge": challenge}, nil
	}
	e, err := source.Read(d, proof, "")
	if err != nil {
		return nil, refusalOf(err)
	}
	recorded, err := h.takeIn(ctx, ledger.Principal("webhook/"+source.Name), source, e)
	if err != nil {
		return nil, refusalOf(err)
	}
	return map[string]any{"event_id": e.ID, "deduplicated": recorded.Deduplicated}, nil
}

// at finds the source of a path.
func (h *webhooks) at(path string) *inbox.Source {
	namespace, name, _ := strings.Cut(strings.TrimPrefix(path, "/webhooks/"), "/")
	return h.config.Inbox.source(ledger.Namespace(namespace), name)
}

// readDelivery reads a delivery whole, within its bounds.
func readDelivery(w http.ResponseWriter, r *http.Request) (*inbox.Delivery, *refusedDelivery) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, inbox.MaxBodyBytes))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &refusedDelivery{status: http.StatusRequestEntityTooLarge, message: "the event is larger than 1 MiB"}
	case err != nil:
		return nil, &refusedDelivery{status: http.StatusBadRequest, message: "the event was cut off"}
	}
	return &inbox.Delivery{Header: r.Header, Body: body}, nil
}

// refusalOf turns what went wrong into an answer. What could go right another time is 503, so that it is delivered again.
func refusalOf(err error) *refusedDelivery {
	switch {
	case errors.Is(err, inbox.ErrSignature):
		return &refusedDelivery{http.StatusUnauthorized, "the signature is missing, wrong or too old", err}
	case errors.Is(err, inbox.ErrPayload):
		return &refusedDelivery{http.StatusBadRequest, err.Error(), err}
	case errors.Is(err, errSecrets):
		return &refusedDelivery{http.StatusServiceUnavailable, "the event cannot be checked now; deliver it again", nil}
	}
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.ResourceExhausted, codes.Aborted:
		return &refusedDelivery{http.StatusServiceUnavailable, "the event could not be stored now; deliver it again", nil}
	}
	return &refusedDelivery{http.StatusInternalServerError, "something failed inside; deliver it again", nil}
}

// tell logs a refused delivery, without its body.
func (h *webhooks) tell(ctx context.Context, r *http.Request, refused *refusedDelivery) {
	now, last := h.config.Clock().UnixNano(), h.lastLogged.Load()
	if refused.because == nil || now-last < int64(refusalsLogged) || !h.lastLogged.CompareAndSwap(last, now) {
		return
	}
	h.log.WarnContext(ctx, "a webhook was refused", "path", r.URL.Path, "status", refused.status, "error", refused.because)
}
