package server

import (
	"slices"
	"strings"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// A task is named by what waits: the prefix, and the id of its approval or its operation.
const taskPrefix, approvalPrefix = "hum_", "apr_"

// humanTask is a task with its place in the list.
type humanTask struct {
	*pb.HumanTask
	due time.Time // zero: it has none
}

// undated comes behind everything that has a due time.
var undated = time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC)

func (t *humanTask) id() string { return t.HumanTaskId }

// order is the moment by which tasks are listed.
func (t *humanTask) order() time.Time {
	if t.due.IsZero() {
		return undated
	}
	return t.due
}

// follows reports whether the task comes behind the last one of the page before.
func (t *humanTask) follows(token pageToken) bool {
	after := t.order().Compare(token.Time)
	return token.ID == "" || after > 0 || after == 0 && t.id() > token.ID
}

// wanted reports whether the task passes the filters of the list.
func (t *humanTask) wanted(req *pb.ListHumanTasksRequest, now time.Time) bool {
	overdue := t.EndTime == nil && !t.due.IsZero() && !now.Before(t.due)
	switch {
	case req.Owner != "" && req.Owner != t.NeedsHuman.Owner && !slices.Contains(strings.Split(t.NeedsHuman.Owner, ", "), req.Owner):
		return false
	case req.Overdue != nil && *req.Overdue != overdue:
		return false
	case req.Acknowledged != nil && *req.Acknowledged != (t.NeedsHuman.AcknowledgedBy != ""):
		return false
	}
	return true
}

// taskOfApproval is what an approval asks of people. Its due time is the moment at which it ends, or goes to the next ones.
func taskOfApproval(a *ledger.Approval) *humanTask {
	needs := &pb.NeedsHuman{Reason: a.Because, Owner: a.Owner, Since: stamp(a.CreatedAt), DueTime: stamp(a.ExpiresAt)}
	switch {
	case a.Escalated:
		needs.EscalateTime = stamp(a.ExpiresAt.Add(-a.Need.ExpiresAfter))
	case a.Need.OnExpiry == policy.ExpiryEscalate:
		needs.EscalateTo = strings.Join(a.Need.EscalateRoles, ", ")
	}
	takenBy(needs, a.Taken)
	m := &pb.HumanTask{HumanTaskId: taskPrefix + a.ID, Subject: &pb.HumanTask_ApprovalId{ApprovalId: a.ID}, NeedsHuman: needs, Etag: a.Etag()}
	switch {
	case !a.EndedAt.IsZero():
		m.EndTime = stamp(a.EndedAt)
	case a.State != ledger.ApprovalOpen:
		m.EndTime = stamp(a.GrantedAt)
	}
	return &humanTask{HumanTask: m, due: a.ExpiresAt}
}

// taskOfOperation is what an operation that needs a person asks.
func taskOfOperation(o *ledger.Operation) *humanTask {
	m := &pb.HumanTask{
		HumanTaskId: taskPrefix + string(o.ID), Subject: &pb.HumanTask_OperationId{OperationId: string(o.ID)},
		NeedsHuman: humanOf(o.Human), Etag: o.Etag(),
	}
	if o.Human.Reason == ledger.HumanBlocking {
		held := ledger.Holder{Entity: o.Entity, Since: o.BlockingSince}
		if ref, grouped := o.GroupRef(); grouped {
			held.Scope = ref.Name
		}
		of := held.Of(o)
		m.Subject = &pb.HumanTask_Block{Block: holderOf(&of, time.Time{})}
	}
	return &humanTask{HumanTask: m, due: o.Human.Due}
}

// takenBy says who has taken it up.
func takenBy(m *pb.NeedsHuman, t *ledger.Taken) {
	if t != nil {
		m.AcknowledgedBy, m.AcknowledgeTime = string(t.By), stamp(t.At)
	}
}
