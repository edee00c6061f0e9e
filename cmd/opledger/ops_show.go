package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// longestWait is how long a request may ask to be kept waiting.
const longestWait = time.Minute

func newOpsShow() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use: "show OPERATION", Short: "Show everything that is known of one operation", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := atMost("wait", wait, longestWait); err != nil {
			return err
		}
		req := &pb.GetOperationRequest{OperationId: args[0]}
		if wait > 0 {
			req.Wait = durationpb.New(wait)
		}
		return c.call(cmd, wait, func(ctx context.Context, r *remote) error {
			res, err := r.operations.GetOperation(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.Operation, func(p *printer) { p.operation(res.Operation) })
		})
	}
	cmd.Flags().DurationVar(&wait, "wait", 0, "wait so long for it to end")
	return cmd
}

// operation writes one operation for a person: what it is, how it stands, what was tried, what is known.
func (p *printer) operation(o *pb.Operation) {
	p.facts(
		"operation", o.OperationId,
		"state", short(o.State)+" since "+clock(o.StateTime),
		"tool", fmt.Sprintf("%s v%d (%s)", o.Tool, o.ToolVersion, strings.ToUpper(short(o.ToolClass))),
		"entity", entityName(o.Entity),
		"key", o.IdempotencyKey,
		"occurrence", o.Occurrence,
		"revision", revision(o),
		"fingerprint", o.Fingerprint,
		"arguments", o.CanonicalArgumentsJson,
		"left out", strings.Join(o.RedactedPointers, " "),
		"proposer", o.Proposer,
		"workflow", strings.TrimSpace(o.WorkflowId+" "+o.RunId),
		"created", clock(o.CreateTime),
		"ended", clock(o.EndTime),
		"version", fmt.Sprint(o.Version),
		"vendor key", o.VendorIdempotencyKey,
		"client reference", o.ClientReference,
		"failure", failure(o.Failure),
		"next attempt", clock(o.RetryTime),
		"next by its executor", nextFact(o),
		"finish by", clock(o.FinishTime),
		"cancel wished", cancelWish(o.CancelWish),
		"needs a person", human(o.NeedsHuman),
	)
	p.result(o.Result)
	p.attempts(o.Attempts)
	for _, e := range o.Effects {
		fmt.Fprintf(p, "\neffect %s at %s, known since %s\n", printable(e.EffectId), printable(e.Provider), clock(e.Time))
		if e.UndoTime != nil {
			fmt.Fprintf(p, "  undone, known since %s\n", clock(e.UndoTime))
		}
	}
	p.compensation(o)
	p.evidence(o.Evidence)
	for _, i := range o.Incidents {
		fmt.Fprintf(p, "\nincident %s at %s: %s\n", short(i.Kind), clock(i.Time), printable(i.Description))
	}
}

// result writes what is known in sentences, and what is to be done.
func (p *printer) result(r *pb.ToolResult) {
	if r == nil {
		return
	}
	fmt.Fprintln(p)
	p.facts("sent", short(r.DispatchStatus), "result", r.ResultJson, "provider object", r.ProviderObjectId,
		"provider request", r.ProviderRequestId, "provider status", r.RawStatusCode, "next action", nextAction(r.NextAction),
		"for the customer", r.SafeUserMessage, "for the model", r.ModelMessage)
}

func (p *printer) attempts(list []*pb.Attempt) {
	if len(list) == 0 {
		return
	}
	var rows [][]string
	for _, a := range list {
		state := "ended " + clock(a.EndTime)
		if a.Live {
			state = "live until " + clock(a.DeadlineTime)
		}
		said := ""
		if a.Report != nil {
			said = outcomeName(a.Report)
		}
		rows = append(rows, []string{fmt.Sprint(a.AttemptNumber), a.AttemptId, clock(a.GrantTime), clock(a.BeginTime), state, said, short(a.Verdict), a.VerdictReason})
	}
	fmt.Fprintln(p)
	p.table([]string{"ATTEMPT", "ID", "GRANTED", "BEGUN", "PERMIT", "REPORT", "VERDICT", "WHY"}, rows)
}

// outcomeName is the name of the outcome that a report has set.
func outcomeName(r *pb.AttemptReport) string {
	m := r.ProtoReflect()
	if set := m.WhichOneof(m.Descriptor().Oneofs().ByName("outcome")); set != nil {
		return string(set.Name())
	}
	return "unknown to this program"
}

func (p *printer) evidence(list []*pb.EvidenceRecord) {
	if len(list) == 0 {
		return
	}
	var rows [][]string
	for _, e := range list {
		rows = append(rows, []string{clock(e.Time), short(e.Evidence.GetVerdict()), short(e.Grade), short(e.Effect), e.Principal, e.Explanation})
	}
	fmt.Fprintln(p)
	p.table([]string{"EVIDENCE", "SAYS", "GRADE", "EFFECT", "FROM", "WHY"}, rows)
}

func revision(o *pb.Operation) string {
	text := fmt.Sprint(o.Revision)
	if o.SupersedesOperationId != "" {
		text += ", succeeds " + o.SupersedesOperationId + " (" + o.ReviseReason + ")"
	}
	if o.SupersededByOperationId != "" {
		text += ", succeeded by " + o.SupersededByOperationId
	}
	return text
}

func failure(f *pb.Failure) string {
	if f == nil {
		return ""
	}
	return strings.TrimSpace(short(f.Category) + " " + f.Code + " " + f.Message)
}

func cancelWish(w *pb.CancelWish) string {
	if w == nil {
		return ""
	}
	return strings.TrimSpace("by " + w.Principal + " at " + clock(w.Time) + " " + w.Reason)
}

func human(h *pb.NeedsHuman) string {
	if h == nil {
		return ""
	}
	text := h.Reason + ", asked: " + h.Owner + ", since " + clock(h.Since)
	if h.EscalateTime != nil {
		text += ", escalated to " + h.EscalateTo
	} else if h.DueTime != nil {
		text += ", due " + clock(h.DueTime)
	}
	return text
}

func nextAction(n *pb.NextAction) string {
	if n == nil {
		return ""
	}
	if n.After != nil {
		return short(n.Kind) + " after " + lasting(n.After.AsDuration())
	}
	return short(n.Kind)
}
