package wirefault

import (
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

// Statement is what a [Match] sees of a statement that is about to be executed.
type Statement struct {
	SQL string // as sent, or as prepared earlier
}

// Match tells whether a rule is for a statement. It is called by one goroutine at a time.
type Match func(Statement) bool

// Any matches every statement, COMMIT and ROLLBACK included.
func Any() Match { return func(Statement) bool { return true } }

// Matching matches statements in whose text the regular expression finds something.
func Matching(pattern string) Match {
	expression := regexp.MustCompile(pattern)
	return func(s Statement) bool { return expression.MatchString(s.SQL) }
}

var (
	leadingSpace = `(?is)^(?:\s|--[^\n]*\n|/\*.*?\*/)*`
	commitWords  = regexp.MustCompile(leadingSpace + `(commit|end)\b`)
)

// Commit matches the statement that commits a transaction. A statement outside of a transaction commits by
// itself and is not meant here; match it by its text.
func Commit() Match { return Statement.commits }

func (s Statement) commits() bool { return commitWords.MatchString(s.SQL) }

// Action is what happens to a matched statement. The functions below make them.
type Action struct {
	kind     actionKind
	sqlState string
	delay    time.Duration
	release  <-chan struct{}
}

type actionKind int

const (
	actFail actionKind = iota + 1
	actFailAfter
	actCut
	actCutAfter
	actCutThenForward
	actTerminate
	actHold
)

// Fail answers with an error of this SQLSTATE; the statement is not executed. The transaction has then
// failed. A failed COMMIT ends its transaction, as the server's own does, and nothing of it is applied.
func Fail(sqlState string) Action { return Action{kind: actFail, sqlState: sqlState} }

// FailAfter executes the statement and answers with an error of this SQLSTATE all the same: the answer that
// CockroachDB gives as 40003 where it does not know. A COMMIT is applied. Another statement within a
// transaction leaves it failed.
func FailAfter(sqlState string) Action { return Action{kind: actFailAfter, sqlState: sqlState} }

// Cut cuts the connection; the statement is not executed and its transaction is rolled back.
func Cut() Action { return Action{kind: actCut} }

// CutAfter executes the statement, a COMMIT too, and cuts the connection instead of answering.
func CutAfter() Action { return Action{kind: actCutAfter} }

// CutThenForward cuts the connection at once and executes the statement only when release is closed. So a
// COMMIT is applied after its client has been told of a broken connection, and perhaps after that client
// has looked for what it wrote. [Injection.Finished] tells when it has been executed.
func CutThenForward(release <-chan struct{}) Action {
	return Action{kind: actCutThenForward, release: release}
}

// Terminate answers with a fatal error of this SQLSTATE (57P01 for an administrator's shutdown) and closes
// the connection; the statement is not executed and its transaction is rolled back.
func Terminate(sqlState string) Action { return Action{kind: actTerminate, sqlState: sqlState} }

// Hold keeps the statement until release is closed, then executes it.
func Hold(release <-chan struct{}) Action { return Action{kind: actHold, release: release} }

// Delay keeps the statement for a while, then executes it. Prefer [Hold], which needs no clock.
func Delay(d time.Duration) Action { return Action{kind: actHold, delay: d} }

// Rule says which statements meet which fault. Where several rules match one statement, the first injected
// one that is not used up takes it.
type Rule struct {
	Match  Match
	Skip   int // let so many matching statements pass first
	Times  int // then act on so many; 0: on all
	Action Action
}

// Injection is a rule at work.
type Injection struct {
	rule     Rule
	seen     int // guarded by the book's mutex
	hits     atomic.Int64
	removed  atomic.Bool
	reached  chan struct{}
	finished chan struct{}

	reachOnce, finishOnce sync.Once
}

// Hits is how many statements the rule has acted on.
func (i *Injection) Hits() int { return int(i.hits.Load()) }

// Remove ends the rule. What it has begun goes on.
func (i *Injection) Remove() { i.removed.Store(true) }

// Reached is closed when the rule first acts on a statement, before it does anything to it.
func (i *Injection) Reached() <-chan struct{} { return i.reached }

// Finished is closed when the rule's first action is over, at the server and towards the client.
func (i *Injection) Finished() <-chan struct{} { return i.finished }

func (i *Injection) finish() { i.finishOnce.Do(func() { close(i.finished) }) }

// book holds a proxy's rules.
type book struct {
	mutex      sync.Mutex
	injections []*Injection
}

func (b *book) add(rule Rule) *Injection {
	injection := &Injection{rule: rule, reached: make(chan struct{}), finished: make(chan struct{})}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.injections = append(b.injections, injection)
	return injection
}

// take finds the rule that acts on the statement, nil where none does, and counts it.
func (b *book) take(s Statement) *Injection {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, injection := range b.injections {
		if injection.removed.Load() || !injection.rule.Match(s) {
			continue
		}
		injection.seen++
		acted := injection.seen - injection.rule.Skip
		if acted <= 0 || (injection.rule.Times > 0 && acted > injection.rule.Times) {
			continue
		}
		injection.hits.Add(1)
		injection.reachOnce.Do(func() { close(injection.reached) })
		return injection
	}
	return nil
}
