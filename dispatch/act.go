package dispatch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// holding is a permit in the hands of this process.
type holding struct {
	*Executor
	operation *ledger.Operation
	attempt   ledger.Attempt
	tool      *registry.Definition
	config    *Configuration
	nonceHash string // of a nonce that this process's memory alone has
	begins    bool   // a begin is required
	lasts     lease  // what is left of the permit
	greatest  lease  // until no extension moves its deadline any more
}

// act makes the one request of an attempt and reports what came of it. It answers whether the provider's breaker has
// learned something.
func (e *Executor) act(ctx context.Context, item errand, handed *ledger.Handed, granted lease, config *Configuration) bool {
	o, permit := handed.Operation, handed.Permit
	h := &holding{
		Executor: e, operation: o, attempt: permit.Attempt, tool: e.definition(ctx, config, o), config: config,
		nonceHash: hashed(e.config.NewID("")), begins: permit.BeginRequired,
		lasts: granted, greatest: lease{granted.asked, permit.GreatestAge},
	}
	began := e.config.Clocks.now()
	var r ledger.Report
	if h.tool == nil || h.tool.HTTP == nil {
		r = ledger.Report{
			Outcome: ledger.OutcomeNotSent, Category: ledger.CategoryNotSent, Code: "tool_unknown", SenderReturned: true,
			Message: fmt.Sprintf("version %d of the tool has no HTTP request that this server knows", o.ToolVersion),
		}
	} else {
		r = e.config.Adapter.Act(e.cut, h.tool, Effect{
			Namespace: o.Namespace, OperationID: o.ID, Arguments: permit.Arguments, VendorKey: permit.VendorKey,
			ClientReference: permit.ClientReference, Ready: h.ready,
		})
	}
	took := e.config.Clocks.since(began)
	r.Bearer, r.NonceHash, r.Jitter = h.bearer(), h.nonceHash, e.config.Jitter()
	r.ReportID = ledger.EvidenceID(e.config.NewUUID())
	e.config.Observer.Exchange(o.Tool, string(ledger.WorkDispatch), string(r.Outcome), took)
	good, tells := breaker.Tells(&r)
	learned := e.learn(item.key, good, tells)
	if _, err := e.durable(ctx, "what came of a request", o, &r); err != nil && refused(err) {
		e.config.Logger.Info("what came of a request was kept as evidence: its permit had ended", "error", err,
			"namespace", o.Namespace, "operation_id", o.ID, "attempt_id", r.AttemptID)
	}
	return learned
}

func hashed(nonce string) string {
	sum := sha256.Sum256([]byte(nonce))
	return hex.EncodeToString(sum[:])
}

func (h *holding) bearer() ledger.Bearer {
	return ledger.Bearer{
		Namespace: h.operation.Namespace, Principal: ServerPrincipal, OperationID: h.operation.ID, AttemptID: h.attempt.ID, TokenProven: true,
	}
}

// leastLeft is what must be left of a permit for a request to be begun at all.
const leastLeft = 100 * time.Millisecond

// spare is what a permit should last beyond the request, for the report to come in time.
const spare = 2 * time.Second

var errTooLate = errors.New("the permit has ended, or is about to")

// ready is asked right before the first byte. It extends a permit that the request may outlast, says the begin where one
// is required, and looks at both clocks at last. Nothing is sent after an error.
func (h *holding) ready(ctx context.Context) (time.Duration, error) {
	if err := h.extend(ctx); err != nil {
		return 0, err
	}
	if h.begins {
		held, asked, err := h.judged(ctx, func(c *Configuration) ledger.Command {
			return &ledger.Begin{Bearer: h.bearer(), NonceHash: h.nonceHash, Epoch: c.Epoch, Rules: c.Rules}
		})
		if err != nil {
			return 0, fmt.Errorf("the begin was not accepted: %w", err)
		}
		h.lasts = lease{asked, held.Remaining}
	}
	left := h.lasts.left(h.Executor.config.Clocks)
	if left < leastLeft {
		return 0, errTooLate
	}
	h.Executor.config.BeforeSend(h.operation.ID)
	return left, nil
}

// extend makes the permit last as long as the request may take, as far as it can. Where the ledger cannot be asked, what
// is left of the permit bounds the request.
func (h *holding) extend(ctx context.Context) error {
	clocks := h.Executor.config.Clocks
	wanted := h.tool.HTTP.Request.Timeout
	if wanted <= 0 {
		wanted = registry.DefaultHTTPTimeout
	}
	wanted += spare
	left := h.lasts.left(clocks)
	if left >= wanted || h.greatest.left(clocks) <= left+leastLeft {
		return nil
	}
	id := h.Executor.config.NewID("ext_")
	held, asked, err := h.judged(ctx, func(c *Configuration) ledger.Command {
		return &ledger.Extend{Bearer: h.bearer(), Epoch: c.Epoch, Rules: c.Rules, By: wanted, ExtensionID: id}
	})
	var no *ledger.Refusal
	switch {
	case err == nil:
		h.lasts = lease{asked, held.Remaining}
	case errors.As(err, &no) && no.Reason != ledger.ReasonGreatestAge:
		return fmt.Errorf("the permit was not extended: %w", err)
	}
	return nil
}

// judged hands in a command that is judged by the configuration, and builds it anew where that has moved. It answers from
// when what it grants counts.
func (h *holding) judged(ctx context.Context, build func(*Configuration) ledger.Command) (*ledger.Held, moment, error) {
	for try := 0; ; try++ {
		asked := h.Executor.config.Clocks.now()
		reply, err := h.do(ctx, build(h.config))
		var moved *ledger.EpochMovedError
		if errors.As(err, &moved) && try < maxRebuilds {
			if h.config, err = h.Executor.config.Configurations.Configuration(ctx, h.operation.Namespace, true); err != nil {
				return nil, asked, err
			}
			continue
		}
		h.Executor.config.Announce(reply, err)
		if err != nil {
			return nil, asked, err
		}
		return reply.(*ledger.Held), asked, nil
	}
}
