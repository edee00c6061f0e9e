package check

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// answer is the record's one answer.
func answer(r *eval.Record) *pb.ProposeOperationResponse {
	return r.Calls[0].Answer.(*pb.ProposeOperationResponse)
}

// tells makes the one answer say something of a state.
func says(s state, d pb.Decision, user, model string, next pb.NextActionKind) func(*eval.Record) {
	return func(r *eval.Record) {
		m := answer(r)
		m.Decision, m.Result.State, m.Result.Replayed = d, s, d == pb.Decision_DECISION_REPLAYED
		m.Result.SafeUserMessage, m.Result.ModelMessage, m.Result.NextAction.Kind = user, model, next
	}
}

const (
	wait     = pb.NextActionKind_NEXT_ACTION_KIND_WAIT
	use      = pb.NextActionKind_NEXT_ACTION_KIND_USE_RESULT
	stop     = pb.NextActionKind_NEXT_ACTION_KIND_STOP
	inFlight = pb.Decision_DECISION_IN_FLIGHT
	unsure   = pb.Decision_DECISION_RECONCILING
	replayed = pb.Decision_DECISION_REPLAYED
	confirms = "The status is being confirmed."
)

func TestWording(t *testing.T) {
	finds(t, Wording, []broken{
		{"unknown told as done", says(unknown, unsure, confirms, "It is not known yet. It was carried out.", wait), "it is unknown_outcome, and the text says that it was done"},
		{"unknown told as not done", says(unknown, unsure, confirms, "It is not known yet. Nothing was done.", wait), "it is unknown_outcome, and the text says that it was not done"},
		{"unknown told without a hedge", says(unknown, unsure, confirms, "Wait.", wait), "the text does not say so"},
		{"dispatched told as done", says(dispatched, inFlight, "This has been done.", "Wait.", wait), "it is dispatched, and the text says that it was done"},
		{"dispatched told as failed", says(dispatched, inFlight, "Wait.", "The operation failed.", wait), "it is dispatched, and the text says that it was not done"},
		{"acknowledged told as done", says(acknowledged, inFlight, "It was sent.", "Wait.", wait), "it is acknowledged, and the text says that it was done"},
		{"acknowledged told as not finished when it was", says(acknowledged, inFlight, "It is not finished yet.", "Wait.", wait), "the provider had the effect"},
		{"pending told as done", says(pending, pb.Decision_DECISION_ENQUEUED, "This has been done.", "Wait.", wait), "it is pending_dispatch, and the text says that it was done"},
		{"pending that promises", says(pending, pb.Decision_DECISION_ENQUEUED, "It will be carried out.", "Wait.", wait), "promises what is to come"},
		{"a failure told as done", says(permanent, replayed, "It succeeded.", "Stop.", stop), "it is failed_permanent, and the text says that it was done"},
		{"a noop told as done", says(noop, replayed, "It was sent.", "Use it.", use), "it was already so, and the text says that it was done"},
		{"a denial told as done", func(r *eval.Record) {
			says(absent, pb.Decision_DECISION_DENIED, "It was sent.", "Stop.", stop)(r)
			answer(r).Result.OperationId = ""
		}, "no operation was made, and the text says that it was done"},
		{"a success told as not done", func(r *eval.Record) {
			answer(r).Result.SafeUserMessage += " It was not sent."
		}, "it is completed_success, and the text says that it was not done"},
		{"being undone told as undone", func(r *eval.Record) {
			says(compensating, replayed, "This was undone.", "Wait.", wait)(r)
		}, "it is being undone, and the text says that it was"},
		{"told as done before it was", func(r *eval.Record) { r.Effects[0].At = dawn.Add(time.Hour) }, "had no effect of op_1 yet"},
		{"told as not done though it was", says(permanent, replayed, "Nothing was done.", "Stop.", stop), "the provider had the effect of op_1"},
		{"a replay without its time", func(r *eval.Record) {
			answer(r).Result.SafeUserMessage = "This was already done; no new one was made."
		}, "does not say that it happened on"},
		{"a replay that does not say that nothing new was done", func(r *eval.Record) {
			answer(r).Result.SafeUserMessage = "This was done on 1 March 2026 09:00:03 UTC."
		}, "no new one was made"},
		{"a replay told as done again", func(r *eval.Record) {
			answer(r).Result.SafeUserMessage = "This was done again on 1 March 2026 09:00:03 UTC; no new costs."
		}, "it was done once more"},
		{"a success that asks for the call once more", func(r *eval.Record) {
			answer(r).Result.ModelMessage += " Call it again to be sure."
		}, "asks for the call once more"},
		{"a text that teaches", func(r *eval.Record) {
			answer(r).Result.ModelMessage += " Use another occurrence for a second one."
		}, "teaches a way"},
		{"a sentence beside an answer that teaches", func(r *eval.Record) { r.Calls[0].Told = []string{"Make a new key."} }, "teaches a way"},
		{"an unknown outcome to use", says(unknown, unsure, confirms, confirms, use), "what is next is use_result"},
		{"a success to report", func(r *eval.Record) {
			answer(r).Result.NextAction.Kind = pb.NextActionKind_NEXT_ACTION_KIND_REPORT_OUTCOME
		}, "what is next is report_outcome"},
		{"a secret in a sentence", func(r *eval.Record) { r.Calls[0].Told = []string{"The card is 4111111111111111."} }, "a sentence names a secret"},
		{"a token in a sentence", func(r *eval.Record) {
			answer(r).Permit = &pb.Permit{AttemptToken: "tok_9"}
			answer(r).Result.NextAction.Kind = pb.NextActionKind_NEXT_ACTION_KIND_REPORT_OUTCOME
			r.Calls[0].Told = []string{"Use tok_9."}
		}, "a sentence names a secret"},
		{"a secret in an event", func(r *eval.Record) { r.Events["op_1"][6].Detail["note"] = "4111111111111111" }, "event 7 names a secret in note"},
		{"a secret in an incident", func(r *eval.Record) {
			r.Operations[0].Incidents = []*pb.Incident{{Description: "4111111111111111"}}
		}, "an incident names a secret"},
		{"a secret in an account", func(r *eval.Record) { r.Accounts[1].Prose += " 4111111111111111" }, "account 2 names a secret"},
	})
}

func TestAnswers(t *testing.T) {
	finds(t, Answers, []broken{
		{"a permit without EXECUTE", func(r *eval.Record) {
			answer(r).Permit = &pb.Permit{OperationId: "op_1", AttemptId: "att_1", AttemptToken: "t", AttemptNumber: 1}
		}, "that a permit is there is true"},
		{"EXECUTE without a permit", func(r *eval.Record) {
			answer(r).Decision, answer(r).Result.Replayed = pb.Decision_DECISION_EXECUTE, false
		}, "that a permit is there is false"},
		{"a permit that names nothing", func(r *eval.Record) {
			answer(r).Permit, answer(r).Decision, answer(r).Result.Replayed = &pb.Permit{}, pb.Decision_DECISION_EXECUTE, false
		}, "does not name its attempt"},
		{"no sentence", func(r *eval.Record) { answer(r).Result.SafeUserMessage = "" }, "or what to say"},
		{"a replay that is none", func(r *eval.Record) { answer(r).Decision = inFlight }, "says that it replays"},
		{"an unknown reason", func(r *eval.Record) { r.Calls[0].Error = "WHATEVER" }, "no reason of the API's"},
		{"the server's own fault", func(r *eval.Record) { r.Calls[0].Error = "INTERNAL" }, "no reason of the API's"},
	})
}

func TestProjection(t *testing.T) {
	swap := func(old, new string) func(*eval.Record) {
		return func(r *eval.Record) {
			for _, p := range r.Accounts {
				p.Json, p.Prose = strings.ReplaceAll(p.Json, old, new), strings.ReplaceAll(p.Prose, old, new)
			}
		}
	}
	// opened makes the one operation an open one, told as such.
	opened := func(more ...func(*eval.Record)) func(*eval.Record) {
		return func(r *eval.Record) {
			r.Operations[0].State = unknown
			for _, p := range r.Accounts {
				p.Json = `{"schema":"opledger.projection/1","workflow":{"id":"wf_1"},"ended":[],"open":[{"operation_id":"op_1","version":4,"state":"unknown_outcome","outcome":"open","may_have_happened":true}]}`
				p.Prose = "Open, 1: do not repeat them.\n- op_1 email.send: open (unknown_outcome); it may have happened."
				p.Operations[0].Result.State = unknown
			}
			for _, m := range more {
				m(r)
			}
		}
	}
	r := sound()
	opened()(&r)
	if found := Projection(r); len(found) > 0 {
		t.Fatalf("of an open operation: %+v", found)
	}
	finds(t, Projection, []broken{
		{"no JSON", func(r *eval.Record) { r.Accounts = r.Accounts[:1]; r.Accounts[0].Json = "{" }, "the account is no JSON"},
		{"another schema", swap("projection/1", "projection/2"), "of the schema"},
		{"the wrong word", swap(`"outcome":"done"`, `"outcome":"not_done"`), ""},
		{"an ended one told as open", swap(`"open":[],"ended":[`, `"ended":[],"open":[`), ""},
		{"an open one told with a result", opened(swap(`"outcome":"open"`, `"outcome":"open","result":{}`)), "tells a result of it"},
		{"an open one that may have happened and is told otherwise", opened(swap(`"may_have_happened":true`, `"may_have_happened":false`)), ""},
		{"an open one without a word whether it may have", opened(swap(`,"may_have_happened":true`, ``)), ""},
		{"an open one told as done in prose", opened(swap(": open (unknown_outcome); it may have happened.", ": done.")), "and the prose says"},
		{"a wrong count in prose", swap("Ended, 1,", "Ended, 2,"), "the prose counts 2 ended"},
		{"a line too few", swap("- op_1 email.send", "- email.send"), "has 0 lines in the prose"},
		{"a line too many", swap("Ended, 1,", "- op_9 email.send: done.\nEnded, 1,"), "the prose tells of op_9"},
		{"one that is listed and not told", func(r *eval.Record) {
			for _, p := range r.Accounts {
				p.Operations = append(p.Operations, &pb.ProjectedOperation{OperationId: "op_9"})
			}
		}, ""},
		{"another version than listed", swap(`"version":4`, `"version":3`), "is listed with version 4"},
		{"summed up without saying so", func(r *eval.Record) { r.Accounts[0].Summarized, r.Accounts[1].Summarized = true, true }, "said to be true"},
		{"a sum that is none", swap(`"open":[]`, `"open":[],"summary":{"count":2,"done":1}`), ""},
		{"another state than the ledger's", func(r *eval.Record) { r.Operations[0].State = compensated }, "says completed_success of the same version"},
		{"an older version at the end", func(r *eval.Record) { r.Operations[0].Version = 5 }, "tells of version 4"},
		{"one that is left out", func(r *eval.Record) {
			r.Operations = append(r.Operations, &pb.Operation{OperationId: "op_2", State: unknown, WorkflowId: "wf_1"})
		}, "op_2 is unknown_outcome, and the account does not tell of it"},
		{"two accounts of one state", func(r *eval.Record) { r.Accounts[1].Prose += "\nAnd more." }, "give two accounts"},
	})
}
