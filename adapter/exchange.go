package adapter

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/opledger/opledger/ledger"
)

const (
	maxHeadBytes = 64 << 10 // of an answer's status line and headers
	maxInterim   = 8        // answers of the kind 1xx, before the one that counts
)

// exchange connects, asks ready, sends the request once and reads its answer. Without ready it sends at once. A fault
// says whether anything of the request can have left.
func (c *Caller) exchange(ctx context.Context, w *wire, ready func(context.Context) (time.Duration, error)) (*answer, *fault) {
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	request := w.bytes()
	conn, f := c.connect(ctx, w)
	if f != nil {
		return nil, f
	}
	defer func() { _ = conn.Close() }()
	left := w.timeout
	if ready != nil {
		var err error
		if left, err = ready(ctx); err != nil {
			return nil, &fault{code: CodePermit, message: "the permit does not allow to send"}
		}
	}
	return conn.exchange(ctx, w, request, time.Now().Add(left))
}

// exchange sends the request before the deadline, and reads until then.
func (l *line) exchange(ctx context.Context, w *wire, request []byte, deadline time.Time) (*answer, *fault) {
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	// A whole process can stand still between the look at the permit and this line. Both clocks are asked, since one of
	// them stands still with a suspended machine.
	if now := time.Now(); !now.Before(deadline) || !now.Round(0).Before(deadline.Round(0)) || l.SetDeadline(deadline) != nil {
		return nil, &fault{code: CodePermit, message: "no time was left to send"}
	}
	stop := context.AfterFunc(ctx, func() { _ = l.SetDeadline(time.Unix(1, 0)) })
	defer stop()

	before := l.raw.written.Load()
	_, writing := l.Write(request)
	if writing != nil && l.raw.written.Load() == before {
		return nil, &fault{code: CodeConnect, message: "the connection was closed before anything was sent"}
	}
	// A server may answer, and close, before it has taken the whole request; what it says counts.
	a, f := l.answer(w)
	if f != nil && writing != nil && f.code == CodeConnectionLost && timedOut(writing) {
		f = timeout()
	}
	return a, f
}

// answer reads one answer, bounded in every part of it.
func (l *line) answer(w *wire) (*answer, *fault) {
	bounded := &bounded{from: l, left: maxHeadBytes}
	in := bufio.NewReaderSize(bounded, 4096)
	res, err := http.ReadResponse(in, &http.Request{Method: w.method})
	for n := 0; err == nil && res.StatusCode/100 == 1; n++ {
		if n == maxInterim || res.StatusCode == http.StatusSwitchingProtocols {
			return nil, malformed("the provider went on to speak another protocol")
		}
		res, err = http.ReadResponse(in, &http.Request{Method: w.method})
	}
	if err != nil {
		return nil, unread(bounded.or(err), "the answer is no HTTP")
	}
	bounded.left = w.maxBytes + maxHeadBytes + w.maxBytes/4 // chunks have heads, too
	body, err := io.ReadAll(io.LimitReader(res.Body, w.maxBytes+1))
	switch {
	case err != nil:
		f := unread(bounded.or(err), "the answer's body cannot be read")
		f.status = res.StatusCode
		return nil, f
	case int64(len(body)) > w.maxBytes:
		return nil, &fault{code: CodeTooLong, message: "the answer is longer than the tool's max_response_bytes", sent: true,
			category: ledger.CategoryMalformedAnswer, status: res.StatusCode}
	}
	return newAnswer(res, body, w.secrets), nil
}

// unread says why an answer was not read to its end.
func unread(err error, otherwise string) *fault {
	switch {
	case timedOut(err):
		return timeout()
	case errors.Is(err, errTooLong):
		return malformed("the answer's head is too long, or it is longer than it may be")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), broken(err):
		return &fault{code: CodeConnectionLost, message: "the connection was lost before the whole answer had come", sent: true, category: ledger.CategoryConnectionLost}
	}
	return malformed(otherwise)
}

func timeout() *fault {
	return &fault{code: CodeTimeout, message: "no whole answer came in time", sent: true, category: ledger.CategoryTimeout}
}

func malformed(message string) *fault {
	return &fault{code: CodeMalformed, message: message, sent: true, category: ledger.CategoryMalformedAnswer}
}

// errTooLong is what a reader meets who reads on and on.
var errTooLong = errors.New("longer than it may be")

// bounded reads no more than it may.
type bounded struct {
	from io.Reader
	left int64
	err  error // that ended reading
}

// or is why reading ended, where it did; else the error. A line that was cut off looks like a bad one to its reader.
func (b *bounded) or(err error) error {
	if b.err != nil {
		return b.err
	}
	return err
}

// Read fails once the bound is reached.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.err = errTooLong
		return 0, errTooLong
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.from.Read(p)
	b.left -= int64(n)
	b.err = err
	return n, err
}
