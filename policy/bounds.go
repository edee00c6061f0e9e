package policy

import "time"

// The defaults of what a rule leaves out.
const (
	// DefaultApprovals: one person.
	DefaultApprovals = 1
	// DefaultApprovalExpiry: who was asked and said nothing for a day will not.
	DefaultApprovalExpiry = 24 * time.Hour
	// DefaultNoHolds: an approver's no lasts as long as a request would have.
	DefaultNoHolds = 24 * time.Hour
	// DefaultMaxRevisions lets a proposer correct a card token or two, and no more.
	DefaultMaxRevisions = 3
)

// The bounds of periods and of what is named.
const (
	// MinPeriod is the finest period: below it a clock's error decides.
	MinPeriod = time.Second
	// MaxPeriod is a year and a month, so that "a year" can be counted with room.
	MaxPeriod = 400 * 24 * time.Hour
	// MaxHistoryID bounds the id of a history row; engines index it.
	MaxHistoryID = 600
	// MaxExpression bounds an expression. A person has to read it.
	MaxExpression = 4000
	// MaxTemplate bounds a template.
	MaxTemplate = 512
	// MaxHistories bounds the history functions of one expression: each is a row that every operation in scope locks.
	MaxHistories = 4
)
