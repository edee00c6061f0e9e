package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/opledger/opledger/registry"
)

// Engine is what a database must offer. It carries and never decides.
type Engine interface {
	// Transact runs fn in one serializable transaction. Where the database asks for another try (a serialization
	// failure, a deadlock, a commit whose result is not known) it runs fn again in a new transaction, with a bound and
	// jitter; fn must therefore build everything that it hands out anew in each try.
	Transact(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error
	// Reader answers queries outside any command's transaction.
	Reader
	// ClaimDue hands out due work to one claimer until the claim's expiry. A claim is a hint: the command that it leads
	// to checks the operation's stamp.
	ClaimDue(ctx context.Context, claimer string, limit int, hold time.Duration) ([]Due, error)
	// ReleaseDue gives a claim back at once, to be tried again at the stated time or later. It frees only what is still
	// held by the item's claimer, at the item's stamp.
	ReleaseDue(ctx context.Context, due Due, retryAfter time.Duration) error
	// WorkEngine keeps what executors take up, beside the due work that time alone changes.
	WorkEngine
	// ClaimDueRecords hands out due records of one kind as ClaimDue hands out due work: those whose DueAt has passed.
	ClaimDueRecords(ctx context.Context, kind RecordKind, claimer string, limit int, hold time.Duration) ([]RecordKey, error)
	// AddFigures adds to the figures of rules. They are for people: what a killed server had not added yet is lost.
	AddFigures(ctx context.Context, figures []RuleFigures) error
	// Barrier returns when every transaction that began before the call has ended, so that what was committed before
	// the call holds everywhere.
	Barrier(ctx context.Context) error
	// Settings says what the engine's settings make weaker than promised, in sentences; none where all is well.
	Settings(ctx context.Context) ([]string, error)
	// Name is "sqlite", "postgresql" or "cockroachdb".
	Name() string
	// ClockError is by how much two readings of the engine's clock may disagree.
	ClockError() time.Duration
	// TokenKey is the secret by which attempt tokens are made and known again, created on first use and kept.
	TokenKey(ctx context.Context, fresh []byte) ([]byte, error)
	Close() error
}

// Tx is one try of one transaction.
type Tx interface {
	// Now is the database's time, read once per try, in microseconds and UTC.
	Now(ctx context.Context) (time.Time, error)
	// Claim inserts the claims and answers those that somebody else holds. A claim is never listed twice in one call.
	Claim(ctx context.Context, claims []Claim) (lost []ClaimID, err error)
	// Load answers the reads into the view: PutX for each row found, MarkLoaded for each read. A read of a key or
	// effect also puts the operations that hold it.
	Load(ctx context.Context, v *View, reads []Read) error
	// Save writes the changes. A claim of a request is inserted or replaced; any other claim that another operation
	// holds is answered with a ClaimConflictError, and the transaction is tried again. An operation row is written only where its stored version is one less than the first
	// change of this transaction made it; anything else is ErrLostWrite.
	Save(ctx context.Context, c *Changes) error
}

// Reader answers queries from committed state.
type Reader interface {
	GetOperation(ctx context.Context, ns Namespace, id OperationID) (*Operation, error)
	// ListOperations pages by (created time, id), newest first.
	ListOperations(ctx context.Context, q OperationQuery) ([]*Operation, error)
	ListEvents(ctx context.Context, ns Namespace, id OperationID, afterSequence int64, limit int) ([]Event, error)
	GetDecision(ctx context.Context, ns Namespace, id DecisionID) (*Decision, error)
	// ListDecisions pages by (time, id), newest first.
	ListDecisions(ctx context.Context, q DecisionQuery) ([]Decision, error)
	// Tools lists a namespace's configuration in one snapshot: its epoch, its tool heads and the versions that they name
	// (all versions, oldest first), and the records by which its policy is made: rules, switches and standing approvals
	// that hold.
	Tools(ctx context.Context, ns Namespace) (ToolSet, error)
	GetRecord(ctx context.Context, key RecordKey) (Record, error)
	ListRecords(ctx context.Context, q RecordQuery) ([]Record, error)
	// Figures sums up the figures of rules from the hour that holds the given moment on, most refusals first, at most
	// 1000 rules; of one rule where it is named.
	Figures(ctx context.Context, ns Namespace, from time.Time, rule string) ([]RuleFigures, error)
	// Versions gives the present versions of operations, for those that watch them.
	Versions(ctx context.Context, ns Namespace, ids []OperationID) (map[OperationID]int64, error)
	Stats(ctx context.Context) (Stats, error)
	Time(ctx context.Context) (time.Time, error)
}

// OperationQuery selects operations of one namespace. Zero fields do not restrict.
type OperationQuery struct {
	Namespace     Namespace
	States        []State
	Tool          string
	WorkflowID    string
	RunID         string
	ToolCallID    string // of the correlation: recorded, never identity
	Classes       []registry.Class
	Entity        string // "order/order_123"
	Key           IdempotencyKey
	NeedsHuman    *bool
	HasIncident   *bool
	CreatedFrom   time.Time // inclusive
	CreatedUntil  time.Time // exclusive
	CreatedBefore time.Time // cursor: (CreatedBefore, BeforeID) exclusive
	BeforeID      OperationID
	Limit         int
}

// DecisionQuery selects decisions of one namespace. Zero fields do not restrict.
type DecisionQuery struct {
	Namespace   Namespace
	Tool        string
	Kinds       []DecisionKind
	Rule        string // that decided
	OperationID OperationID
	WorkflowID  string
	Entity      string    // "order/order_123"
	From        time.Time // inclusive
	Until       time.Time // exclusive
	Before      time.Time // cursor: (Before, BeforeID) exclusive
	BeforeID    DecisionID
	Limit       int
}

// ToolSet is one namespace's configuration in one snapshot.
type ToolSet struct {
	Epoch    int64
	Heads    []ToolHead
	Versions []ToolVersion
	Rules    []*Rule
	Switches []*Switch
	Standing []*Standing
}

// Stats are the figures behind the gauges.
type Stats struct {
	// ByState counts operations of each (namespace, tool, class, state) that has not ended.
	Open []OpenCount
	// OldestUnknown is the age of the oldest unknown_outcome; zero where there is none.
	OldestUnknown time.Duration
	// Unknown are the unknown outcomes of each tool that has some, with the age of the oldest.
	Unknown    []UnknownCount
	NeedsHuman int64
	// DueLag is by how much the most overdue item of due work is late; zero where none is.
	DueLag   time.Duration
	DueCount int64
	// ApprovalsOpen counts the approvals that persons are asked for.
	ApprovalsOpen int64
	Leases        LeaseStats
}

// LeaseStats are the figures of the leases that hold now.
type LeaseStats struct {
	Held   int64
	Oldest time.Duration // since its acquisition; zero where none is held
	// Unused counts those that were renewed several times and proved no proposal for long: a heartbeat proves that a timer
	// lives, not that the work does.
	Unused int64
}

// When a lease counts as unused.
const (
	UnusedRenewals = 10
	UnusedFor      = 10 * time.Minute
)

// UnknownCount is how many of a tool's operations have an unknown outcome, and for how long the oldest of them had.
type UnknownCount struct {
	Namespace Namespace
	Tool      string
	Count     int64
	Oldest    time.Duration
}

// OpenCount is one row of Stats.
type OpenCount struct {
	Namespace Namespace
	Tool      string
	Class     string
	State     State
	Count     int64
}

// ErrNotFound is answered by readers for what does not exist in the namespace.
var ErrNotFound = errors.New("not found")

// ErrLostWrite says that a row was not as the transaction had read it, or that an identity was another's by the time it
// was written. Nothing is saved. A race of two inserts looks like this and is over at the next try; where it stays it is
// a defect, since transactions are serializable.
var ErrLostWrite = errors.New("a row changed under a serializable transaction")

// ClaimConflictError says that claims which a decision assumed to be free are held. The transaction is tried again with
// their holders loaded.
type ClaimConflictError struct{ IDs []ClaimID }

func (e *ClaimConflictError) Error() string {
	return fmt.Sprintf("%d claims are held by others", len(e.IDs))
}

// ErrGivenUp says that the database asked for another try, or could not be reached, until the tries ran out. Nothing was
// committed; the same may succeed later.
var ErrGivenUp = errors.New("given up")

// ErrUnknownCommit says that the database may or may not have committed: the last commit's answer was lost, and the
// tries that would have told ran out. Nothing may be concluded from it; the same command asked again finds what it did.
var ErrUnknownCommit = errors.New("it is not known whether the transaction was committed")

// Is makes a claim conflict a lost write: the transaction is tried again, this time with the holders in view.
func (e *ClaimConflictError) Is(target error) bool { return target == ErrLostWrite }

// RecordQuery selects records of one kind in one namespace, ordered by (at, id). Zero fields do not restrict.
type RecordQuery struct {
	Kind      RecordKind
	Namespace Namespace
	Statuses  []string
	Subject   string
	Tool      string
	Entity    string
	// Descending lists the newest first.
	Descending bool
	// After is the cursor: the order of the last record of the page before, and its id.
	After   time.Time
	AfterID string
	Limit   int
}

// RuleFigures are how often a rule was asked within one hour, and what it said.
type RuleFigures struct {
	Namespace      Namespace
	Rule           string
	RuleVersion    int64
	Hour           time.Time // the start of the hour
	Evaluations    int64
	Refusals       int64
	ShadowRefusals int64 // it would have said no
	Overrides      int64
}
