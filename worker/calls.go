package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	// callTimeout bounds one try of a call that does not wait.
	callTimeout = 10 * time.Second
	// The bounds of the pause before a call is made again. It is drawn from zero to a bound that doubles.
	leastPause, greatestPause = 100 * time.Millisecond, 2 * time.Second
)

// Reasons of the API that this package tells apart.
const (
	reasonExpired = "PERMIT_EXPIRED"
	reasonStale   = "STALE_ATTEMPT"
	reasonNonce   = "BEGIN_NONCE_MISMATCH"
	reasonAge     = "GREATEST_AGE_REACHED"
)

// reasonOf is an error's stable reason; empty where the ledger stated none.
func reasonOf(err error) string {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return ""
}

// passing reports whether the same call may be answered a little later, and after which pause the server wants it again.
func passing(err error) (retryAfter time.Duration, passes bool) {
	st := status.Convert(err)
	for _, d := range st.Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok {
			retryAfter = info.RetryDelay.AsDuration()
		}
	}
	switch st.Code() {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Aborted, codes.Internal, codes.Unknown:
		return retryAfter, true
	case codes.ResourceExhausted:
		return retryAfter, retryAfter > 0 // otherwise it is a limit of size
	}
	return 0, false
}

// unary is a call of a generated client.
type unary[Request, Answer any] func(context.Context, *Request, ...grpc.CallOption) (*Answer, error)

// again makes a call, and the very same once more while the ledger cannot answer and the context lasts. It also answers the
// moment right before the try that was answered, from which durations in the answer count.
func again[Request, Answer any](ctx context.Context, w *worker, r *Request, call unary[Request, Answer]) (*Answer, moment, error) {
	return againWithin(ctx, w, callTimeout, r, call)
}

func againWithin[Request, Answer any](ctx context.Context, w *worker, each time.Duration, r *Request, call unary[Request, Answer]) (*Answer, moment, error) {
	for tries := 0; ; tries++ {
		asked := now(w.config.Clock)
		answer, err := once(ctx, each, r, call)
		if err == nil {
			return answer, asked, nil
		}
		retryAfter, passes := passing(err)
		if !passes || ctx.Err() != nil {
			return nil, asked, err
		}
		pause := retryAfter
		if pause == 0 {
			pause = w.jitter(min(greatestPause, leastPause<<min(tries, 8)))
		}
		if sleep(ctx, pause) != nil {
			return nil, asked, err
		}
	}
}

func once[Request, Answer any](ctx context.Context, each time.Duration, r *Request, call unary[Request, Answer]) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	return call(ctx, r)
}

// sleep waits, or ends early with the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// random draws bytes.
func (w *worker) random(n int) []byte {
	b := make([]byte, n)
	w.drawing.Lock()
	defer w.drawing.Unlock()
	if _, err := io.ReadFull(w.config.Random, b); err != nil {
		panic(errors.Join(errors.New("no randomness"), err)) // the system's does not fail
	}
	return b
}

// newID makes the identity of a request before its first try.
func (w *worker) newID() string {
	id := uuid.UUID(w.random(16))
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80 // version 4, RFC 9562
	return id.String()
}

// jitter draws a duration from zero to the bound.
func (w *worker) jitter(bound time.Duration) time.Duration {
	return time.Duration(binary.BigEndian.Uint64(w.random(8)) % uint64(bound))
}
