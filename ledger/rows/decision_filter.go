package rows

import (
	"time"

	"github.com/opledger/opledger/ledger"
)

// DecisionList is the statement that fits a query's narrowest filter: the index that leads it.
type DecisionList int

// The lists of decisions.
const (
	DecisionsAll DecisionList = iota
	DecisionsOfOperation
	DecisionsOfWorkflow
	DecisionsOfEntity
	DecisionsOfRule
	DecisionsOfTool
)

// DecisionFilter is a query as a statement takes it: an absent text is empty, an absent list is nil, an absent bound in
// time lets everything through.
type DecisionFilter struct {
	List   DecisionList
	Kinds  []string
	From   time.Time
	Until  time.Time
	Before time.Time
	Limit  int
}

// FromDecisionQuery makes a query's filter. The second result is false where a text of the query could not have been
// kept, so that nothing has it.
func FromDecisionQuery(q ledger.DecisionQuery) (DecisionFilter, bool) {
	if !Possible(string(q.Namespace), q.Tool, q.Rule, string(q.OperationID), q.WorkflowID, q.Entity, string(q.BeforeID)) {
		return DecisionFilter{}, false
	}
	f := DecisionFilter{
		List: decisionListOf(q), From: roundUp(q.From), Until: roundUp(bounded(q.Until)), Before: bounded(q.Before), Limit: PageSize(q.Limit),
	}
	for _, k := range q.Kinds {
		f.Kinds = append(f.Kinds, string(k))
	}
	return f, true
}

func decisionListOf(q ledger.DecisionQuery) DecisionList {
	switch {
	case q.OperationID != "":
		return DecisionsOfOperation
	case q.WorkflowID != "":
		return DecisionsOfWorkflow
	case q.Entity != "":
		return DecisionsOfEntity
	case q.Rule != "":
		return DecisionsOfRule
	case q.Tool != "":
		return DecisionsOfTool
	}
	return DecisionsAll
}
