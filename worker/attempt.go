package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// LostError says that a permit does not let its holder send any more. Do not send; return the error.
type LostError struct {
	Reason string // stable, such as "PERMIT_EXPIRED"; empty: the ledger could not be asked
	Err    error  // what the ledger said; nil: this machine's clocks did
}

func (e *LostError) Error() string {
	if e.Err != nil {
		return "the permit cannot be used: " + e.Err.Error()
	}
	return "the permit's time has passed; nothing may be sent"
}

func (e *LostError) Unwrap() error { return e.Err }

// ErrSent is answered by a second Send: one permit, one request on the wire.
var ErrSent = errors.New("this attempt has sent already; report what came of it, and the ledger decides about another")

// Attempt is the right to act once, in the hands of this process. Its methods may be called from any goroutine.
type Attempt struct {
	worker *worker
	permit *pb.Permit
	nonce  []byte // of this process's begin, made with the attempt and stored nowhere

	mu        sync.Mutex
	asked     moment // from which the ledger's word of remaining and greatest counts
	remaining time.Duration
	greatest  time.Duration
	gate      gate
	begun     bool
	refused   *LostError // the ledger extends it no more
	end       context.CancelCauseFunc
}

// gate is how far an attempt has come.
type gate int

const (
	gateUntouched gate = iota // nobody has asked to send
	gateAsked                 // a begin may be on its way
	gateClosed                // it refused: nothing may be sent
	gatePassed                // the first byte may have left
)

// OperationID is the operation. A tool of the class INTERNAL_DETERMINISTIC_WRITE keys its transaction by it.
func (a *Attempt) OperationID() string { return a.permit.OperationId }

// ID is the attempt's own id.
func (a *Attempt) ID() string { return a.permit.AttemptId }

// Number is the attempt's number within the operation, from 1.
func (a *Attempt) Number() int { return int(a.permit.AttemptNumber) }

// Tool is the tool, by name.
func (a *Attempt) Tool() string { return a.permit.Tool }

// ToolVersion is the version whose rendering is to be used: that of the first attempt.
func (a *Attempt) ToolVersion() int { return int(a.permit.ToolVersion) }

// Arguments are the arguments to act on, as JSON text. A resend carries those of the first attempt.
func (a *Attempt) Arguments() []byte { return []byte(a.permit.DispatchArgumentsJson) }

// VendorKey is the idempotency key that the request must carry, with the header or the JSON pointer of the body field for
// it. Empty: the provider has none.
func (a *Attempt) VendorKey() (key, header, bodyField string) {
	return a.permit.VendorIdempotencyKey, a.permit.VendorKeyHeader, a.permit.VendorKeyBodyField
}

// ClientReference is what the request must carry, so that its effect can be found.
func (a *Attempt) ClientReference() string { return a.permit.ClientReference }

// Provider is the provider with its account. Empty: the tool names none.
func (a *Attempt) Provider() (name, account string) {
	return a.permit.Provider, a.permit.ProviderAccount
}

// Resend reports whether this is the same request once more: same key, same account, same arguments.
func (a *Attempt) Resend() bool { return a.permit.Resend }

// FencingNumbers are the numbers of this permit. A store refuses a write that bears a smaller number than it has seen.
func (a *Attempt) FencingNumbers() []*pb.FencingNumber { return a.permit.FencingNumbers }

// TimeLeft is how long the permit still lasts, never below zero.
func (a *Attempt) TimeLeft() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.timeLeft()
}

func (a *Attempt) timeLeft() time.Duration {
	return max(0, a.remaining-a.asked.elapsed(a.worker.config.Clock))
}

// count takes the ledger's word of how long the permit lasts.
func (a *Attempt) count(remaining, greatest time.Duration, asked moment) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.remaining, a.greatest, a.asked = remaining, greatest, asked
}

// Send opens the gate for one request: it says the begin where the tool requires one, and looks at both clocks once more.
// Call it right before the first byte. Where it fails nothing may be sent. It opens once.
func (a *Attempt) Send(ctx context.Context) error {
	a.mu.Lock()
	if a.gate != gateUntouched {
		defer a.mu.Unlock()
		if a.gate == gateClosed {
			return &LostError{}
		}
		return ErrSent
	}
	a.gate = gateAsked
	a.mu.Unlock()

	err := a.begin(ctx)
	a.mu.Lock()
	if err == nil {
		err = a.look()
	}
	if err != nil {
		a.gate = gateClosed
		a.mu.Unlock()
		return err
	}
	a.gate = gatePassed
	a.mu.Unlock()
	if f := a.worker.config.BeforeFirstByte; f != nil {
		f(a)
	}
	return nil
}

// look is the last look at the clocks.
func (a *Attempt) look() error {
	switch {
	case a.refused != nil:
		return a.refused
	case a.timeLeft() <= 0:
		return &LostError{Reason: reasonExpired}
	}
	return nil
}

// begin says that the first byte is about to leave, where that must be said. The same begin again is one.
func (a *Attempt) begin(ctx context.Context) error {
	if !a.permit.BeginRequired {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, max(a.TimeLeft(), callTimeout))
	defer cancel()
	request := &pb.BeginAttemptRequest{
		OperationId: a.permit.OperationId, AttemptId: a.permit.AttemptId, AttemptToken: a.permit.AttemptToken, BeginNonce: a.nonce,
	}
	answer, asked, err := again(ctx, a.worker, request, a.worker.operations.BeginAttempt)
	if err != nil {
		return &LostError{Reason: reasonOf(err), Err: err}
	}
	if answer.Begun == nil {
		return &LostError{Err: errors.New("the ledger did not say that the begin is accepted")}
	}
	a.count(answer.Begun.Remaining.AsDuration(), answer.Begun.GreatestRemaining.AsDuration(), asked)
	a.mu.Lock()
	a.begun = true
	a.mu.Unlock()
	return nil
}

// watch ends the handler's context when the permit's time has passed, extensions included.
func (a *Attempt) watch(ctx context.Context) {
	timer := time.NewTimer(a.TimeLeft())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
			left := a.TimeLeft()
			if left <= 0 {
				a.end(&LostError{Reason: reasonExpired})
				return
			}
			timer.Reset(left)
		}
	}
}

// String tells people which attempt it is, and nothing secret.
func (a *Attempt) String() string {
	return fmt.Sprintf("attempt %d of %s (%s)", a.Number(), a.OperationID(), a.Tool())
}
