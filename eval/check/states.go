package check

import pb "github.com/opledger/opledger/gen/go/opledger/v1"

// The states, by short names.
const (
	absent       = pb.Operation_STATE_UNSPECIFIED
	planned      = pb.Operation_STATE_PLANNED
	pending      = pb.Operation_STATE_PENDING_DISPATCH
	dispatched   = pb.Operation_STATE_DISPATCHED
	acknowledged = pb.Operation_STATE_ACKNOWLEDGED
	success      = pb.Operation_STATE_COMPLETED_SUCCESS
	noop         = pb.Operation_STATE_COMPLETED_NOOP
	retryable    = pb.Operation_STATE_FAILED_RETRYABLE
	permanent    = pb.Operation_STATE_FAILED_PERMANENT
	unknown      = pb.Operation_STATE_UNKNOWN_OUTCOME
	compensating = pb.Operation_STATE_COMPENSATING
	compensated  = pb.Operation_STATE_COMPENSATED
)

type state = pb.Operation_State

// row is where a state may go, and where only a contradiction leads: somebody says that the effect exists after all.
type row struct{ to, contradicted []state }

// table is the state table of the design, section 4, copied by hand from the page.
var table = map[state]row{
	absent:       {to: []state{planned, pending}},
	planned:      {to: []state{pending, permanent}, contradicted: []state{success, unknown}},
	pending:      {to: []state{dispatched, noop, permanent}, contradicted: []state{success, unknown}},
	dispatched:   {to: []state{acknowledged, success, noop, retryable, permanent, unknown}},
	acknowledged: {to: []state{success, noop, retryable, permanent, unknown}},
	success:      {to: []state{compensating}},
	noop:         {contradicted: []state{success, unknown}},
	retryable:    {to: []state{dispatched, permanent}, contradicted: []state{success, unknown}},
	permanent:    {contradicted: []state{success, unknown}},
	unknown:      {to: []state{acknowledged, success, noop, retryable, permanent, dispatched}},
	compensating: {to: []state{compensated, success}},
	compensated:  {to: []state{compensating}},
}

// step reports whether the table has it, and whether it is a contradiction.
func step(from, to state) (legal, contradicts bool) {
	for _, s := range table[from].to {
		if s == to {
			return true, false
		}
	}
	for _, s := range table[from].contradicted {
		if s == to {
			return true, true
		}
	}
	return false, false
}

// ended reports whether a state is an answer.
func ended(s state) bool { return s == success || s == noop || s == permanent || s == compensated }

// saysNot reports whether a state says that there is no effect, or none so far.
func saysNot(s state) bool {
	return s == planned || s == pending || s == retryable || s == permanent || s == noop
}

// saysDone reports whether a state says that there is, or was, an effect.
func saysDone(s state) bool { return s == success || s == compensating || s == compensated }

// mayHave reports whether in a state the effect may exist and nobody knows.
func mayHave(s state) bool { return s == dispatched || s == acknowledged || s == unknown }

// mutates reports whether an operation of a class changes anything. One that is not known is taken to.
func mutates(c pb.ToolClass) bool { return c != pb.ToolClass_TOOL_CLASS_PURE_READ }

// neverAgain reports whether a class is never sent again while its outcome is unknown.
func neverAgain(c pb.ToolClass) bool {
	return c == pb.ToolClass_TOOL_CLASS_EXTERNAL_NON_IDEMPOTENT_WRITE || c == pb.ToolClass_TOOL_CLASS_IRREVERSIBLE
}

// word is a state as the design writes it: completed_success.
func word(s state) string { return lower(s.String(), "STATE_") }
