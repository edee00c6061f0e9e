package server_test

import (
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// digestTool sends one digest a day to a person: the day is that of the event that asked for it.
const digestTool = `
name: digest.send
class: EXTERNAL_NON_IDEMPOTENT_WRITE
arguments_schema:
  type: object
  required: [to]
  properties:
    to: {type: string}
identity:
  key_template: "digest:{to}:{bucket}"
  occurrence: NOBODY
  bucket: {source_event: {}, interval: {unit: DAY, zone: Europe/Berlin}}
provider: {name: acme-mail}
`

// TestADayIsThatOfTheSourceEvent: a retry after midnight, and a second workflow of the same day, are the same operation; the
// next day's is another. Who has no event with a time has no day.
func TestADayIsThatOfTheSourceEvent(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a := newAgent(serve(w))
		a.Apply(digestTool)
		at := func(id string, when time.Time) starting {
			return func(r *pb.StartWorkflowRequest) {
				r.SourceEvent = &pb.SourceEvent{Source: "cron", EventId: id, Time: timestamppb.New(when)}
			}
		}
		night := time.Date(2026, 3, 1, 22, 50, 0, 0, time.UTC) // ten to midnight in Berlin
		first := a.starts(at("e1", night))
		propose := func(s *pb.StartWorkflowResponse) *pb.ProposeOperationResponse {
			return a.Propose("digest.send", `{"to":"kim@example.com"}`, from(s.Workflow.WorkflowId, s.RunId))
		}
		sent := propose(first)
		decided(t, sent, pb.Decision_DECISION_EXECUTE)
		a.Begin(sent.Permit)
		a.Reported(sent.Permit, servertest.Succeeded("msg_1", `{}`))
		w.Pass(time.Hour) // it is tried again after midnight
		decided(t, propose(first), pb.Decision_DECISION_REPLAYED)
		decided(t, propose(a.starts(at("e2", night.Add(5*time.Minute)))), pb.Decision_DECISION_REPLAYED)
		decided(t, propose(a.starts(at("e3", night.Add(15*time.Minute)))), pb.Decision_DECISION_EXECUTE)

		for _, s := range map[string]*pb.StartWorkflowResponse{
			"no time": a.starts(byEvent("cron", "e4")), "no event": a.starts(), "no workflow": {Workflow: &pb.Workflow{}},
		} {
			_, err := a.ProposeOperation(t.Context(), servertest.Proposal("digest.send", `{"to":"kim@example.com"}`, from(s.Workflow.WorkflowId, s.RunId)))
			refused(t, err, codes.InvalidArgument, "KEY_COMPONENT_EMPTY")
			says(t, err.Error(), "source event")
		}
	})
}
