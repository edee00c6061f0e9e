package adapter_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// TestReady: it is asked once, when the connection stands and before any byte; what it says is kept to.
func TestReady(t *testing.T) {
	p := newPeer(t, func(conn net.Conn, _ *http.Request) { _, _ = io.Copy(io.Discard, conn) })
	asked := 0
	e := effect()
	e.Ready = func(context.Context) (time.Duration, error) {
		asked++
		if _, n, _, _ := p.seen(); n != 0 {
			t.Errorf("%d bytes have left before", n)
		}
		return 0, errors.New("the begin was refused")
	}
	want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "permit")
	for _, left := range []time.Duration{0, -time.Second} {
		e.Ready = func(context.Context) (time.Duration, error) { return left, nil }
		want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "permit")
	}
	if _, n, _, _ := p.seen(); n != 0 || asked != 1 {
		t.Fatalf("%d bytes have left, asked %d times", n, asked)
	}
	// A tool's own time of 5 s is no reason to go on longer than the permit.
	e.Ready = func(context.Context) (time.Duration, error) { return 50 * time.Millisecond, nil }
	start := time.Now()
	want(t, local().Act(t.Context(), capture(p.url()), e), ledger.OutcomeAmbiguous, ledger.CategoryTimeout, "timeout")
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestWhatStandsStillBeforeItSends: a process that was frozen after its look at the permit does not send.
func TestWhatStandsStillBeforeItSends(t *testing.T) {
	p := newPeer(t, answers("200 OK", `{}`))
	e := effect()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	e.Ready = func(context.Context) (time.Duration, error) { <-ctx.Done(); return time.Minute, nil }
	want(t, local().Act(ctx, capture(p.url()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "permit")
	if _, n, _, _ := p.seen(); n != 0 {
		t.Errorf("%d bytes have left", n)
	}
}

// TestAResetBeforeTheFirstByte: the connection is gone when it is to be written to, so nothing has left.
func TestAResetBeforeTheFirstByte(t *testing.T) {
	accepted := make(chan net.Conn, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	go func() {
		if conn, err := l.Accept(); err == nil {
			accepted <- conn
		}
	}()
	e := effect()
	e.Ready = func(context.Context) (time.Duration, error) { reset(<-accepted); return time.Minute, nil }
	want(t, local().Act(t.Context(), capture("http://"+l.Addr().String()), e), ledger.OutcomeNotSent, ledger.CategoryNotSent, "connect")
}
