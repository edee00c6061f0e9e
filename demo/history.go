package demo

import (
	"context"
	"fmt"
	"strings"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// readOperations asks the ledger for every operation that the play has made, with its history.
func readOperations(ctx context.Context, ledger pb.OperationServiceClient, notes []note) ([]Operation, error) {
	list, err := ledger.ListOperations(ctx, &pb.ListOperationsRequest{})
	if err != nil {
		return nil, fmt.Errorf("list the operations: %w", err)
	}
	var operations []Operation
	for i := len(list.Operations) - 1; i >= 0; i-- { // the oldest first
		o, err := readOperation(ctx, ledger, list.Operations[i].OperationId)
		if err != nil {
			return nil, err
		}
		o.takeAnswers(notes)
		operations = append(operations, *o)
	}
	return operations, nil
}

func readOperation(ctx context.Context, ledger pb.OperationServiceClient, id string) (*Operation, error) {
	got, err := ledger.GetOperation(ctx, &pb.GetOperationRequest{OperationId: id})
	if err != nil {
		return nil, fmt.Errorf("read the operation %s: %w", id, err)
	}
	history, err := ledger.ListOperationEvents(ctx, &pb.ListOperationEventsRequest{OperationId: id, PageSize: 1000})
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", id, err)
	}
	m := got.Operation
	o := &Operation{
		OperationID: id, Tool: m.Tool, State: stateShown(m.State), IdempotencyKey: m.IdempotencyKey,
		ProviderObjectID: m.Result.GetProviderObjectId(), Undoes: m.CompensatesOperationId, SafeUserMessage: m.Result.GetSafeUserMessage(),
		ModelMessage: m.Result.GetModelMessage(), Events: []Event{}, Decisions: []string{},
	}
	runs := map[int32]string{}
	for _, a := range m.Attempts {
		runs[a.AttemptNumber] = a.RunId
	}
	for _, e := range history.Events {
		o.Events = append(o.Events, eventOf(e, m, runs))
	}
	return o, nil
}

func eventOf(e *pb.OperationEvent, o *pb.Operation, runs map[int32]string) Event {
	out := Event{
		Seconds: e.Time.AsTime().Sub(o.CreateTime.AsTime()).Seconds(),
		Type:    strings.ToLower(strings.TrimPrefix(e.Type.String(), "OPERATION_EVENT_TYPE_")),
		Attempt: e.AttemptNumber, Who: e.Principal,
	}
	if e.ToState != pb.Operation_STATE_UNSPECIFIED {
		out.To = stateShown(e.ToState)
		if e.FromState != pb.Operation_STATE_UNSPECIFIED {
			out.From = stateShown(e.FromState)
		}
	}
	if out.Who == "" {
		out.Who = "due work"
	}
	out.Run = runs[e.AttemptNumber]
	out.Detail = detailShown(e)
	return out
}

// detailShown picks what a reader of the history wants to know of an event.
func detailShown(e *pb.OperationEvent) string {
	d := e.Detail
	switch e.Type {
	case pb.OperationEventType_OPERATION_EVENT_TYPE_CREATED:
		return d["key"]
	case pb.OperationEventType_OPERATION_EVENT_TYPE_ATTEMPT_REPORTED:
		return strings.TrimSpace(d["outcome"] + " " + d["effect_id"])
	case pb.OperationEventType_OPERATION_EVENT_TYPE_EVIDENCE_KEPT:
		return strings.TrimSpace(d["source"] + " says " + strings.ReplaceAll(d["says"], "_", " ") + " " + d["effect_id"])
	case pb.OperationEventType_OPERATION_EVENT_TYPE_APPROVAL_CHANGED:
		return approvalChange(d)
	case pb.OperationEventType_OPERATION_EVENT_TYPE_EFFECT_ATTRIBUTED:
		return d["effect_id"]
	}
	return d["because"]
}

// approvalChange says what has happened to an approval.
func approvalChange(d map[string]string) string {
	switch {
	case d["change"] != "word":
		return d["change"]
	case d["approved"] == "true":
		return d["person"] + " says yes, for " + d["role"]
	}
	return d["person"] + " says no, for " + d["role"]
}

// takeAnswers takes the agents' notes of the answers that they were given about the operation.
func (o *Operation) takeAnswers(notes []note) {
	for _, n := range notes {
		if n.OperationID != o.OperationID || n.Decision == "" {
			continue
		}
		o.Decisions = append(o.Decisions, n.Decision)
		o.SafeUserMessage, o.ModelMessage = n.SafeUserMessage, n.ModelMessage
		if n.Decision == decisionShown(pb.Decision_DECISION_RECONCILING) {
			o.UnknownSafeUserMessage, o.UnknownModelMessage = n.SafeUserMessage, n.ModelMessage
		}
	}
}

// rows are the history as a table.
func (o *Operation) rows() [][]string {
	var rows [][]string
	for _, e := range o.Events {
		change := ""
		if e.To != "" {
			change = e.To
		}
		attempt := ""
		if e.Attempt > 0 {
			attempt = fmt.Sprintf("%d, %s", e.Attempt, e.Run)
		}
		rows = append(rows, []string{
			fmt.Sprintf("+%.3f s", e.Seconds), strings.ReplaceAll(e.Type, "_", " "), change, attempt, e.Who, e.Detail,
		})
	}
	return rows
}

// historyHeading names the columns of rows.
var historyHeading = []string{"time", "event", "new state", "attempt", "who", "detail"}

func stateShown(s pb.Operation_State) string {
	return strings.ToLower(strings.TrimPrefix(s.String(), "STATE_"))
}
