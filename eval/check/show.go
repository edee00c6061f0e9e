package check

import (
	"fmt"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// askedShort names what a request is about. Tokens and arguments are not shown.
func askedShort(request any) string {
	switch q := request.(type) {
	case *pb.ProposeOperationRequest:
		return fmt.Sprintf("%s by %s", q.Tool, q.RequestId)
	case *pb.ReportAttemptRequest:
		says := q.ProtoReflect().WhichOneof(q.ProtoReflect().Descriptor().Oneofs().ByName("outcome"))
		if says == nil {
			return q.AttemptId
		}
		return fmt.Sprintf("%s %s", q.AttemptId, says.Name())
	case *pb.AcquireEntityLeaseRequest:
		return fmt.Sprintf("%s %s", q.WorkflowId, q.RunId)
	case interface{ GetAttemptId() string }:
		return q.GetAttemptId()
	case interface{ GetOperationId() string }:
		return q.GetOperationId()
	case interface{ GetWorkflowId() string }:
		return q.GetWorkflowId()
	}
	return ""
}

// saidShort names what an answer says.
func saidShort(answer any) string {
	switch m := answer.(type) {
	case nil:
		return "done"
	case *pb.ProposeOperationResponse:
		return fmt.Sprintf("%s %s %s", decision(m), m.GetPermit().GetAttemptId(), word(m.GetResult().GetState()))
	case *pb.AcquireEntityLeaseResponse:
		if m.Grant == nil {
			return "held by others"
		}
		return fmt.Sprintf("granted %v", m.Grant.GetLease().GetFencingNumbers())
	case *pb.ReleaseEntityLeaseResponse:
		return fmt.Sprintf("was lost: %t", m.WasLost)
	case interface{ GetOperation() *pb.Operation }:
		return word(m.GetOperation().GetState())
	}
	return "ok"
}
