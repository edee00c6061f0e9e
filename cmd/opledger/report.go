package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// outcomes are the words of --outcome.
var outcomes = []string{"succeeded", "noop", "acknowledged", "not_sent", "rejected", "rate_limited", "declined", "ambiguous"}

func newReport() *cobra.Command {
	var outcome, code string
	var after time.Duration
	var stillRunning bool
	req := &pb.ReportAttemptRequest{}
	answered := &pb.ProviderAnswer{}
	cmd := &cobra.Command{
		Use: "report OPERATION ATTEMPT", Short: "Tell what came of an attempt", Args: cobra.ExactArgs(2),
		Long: "Tells what came of an attempt. The first report of an attempt stands. When in doubt the outcome is ambiguous: nothing is\n" +
			"then sent again before it is known.",
		Example: "  opledger report op_01... att_01... --attempt-token ... --outcome succeeded --object-id re_123",
	}
	c := addConnectionFlags(cmd)
	f := addAttemptFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.OperationId, req.AttemptId, req.AttemptToken, req.SenderReturned = args[0], args[1], f.token, !stillRunning
		if req.BeginNonce, err = f.begun(); err != nil {
			return err
		}
		if req.ReportId == "" {
			if req.ReportId, err = newRequestID(); err != nil {
				return err
			}
		}
		if err := setOutcome(req, outcome, code, after); err != nil {
			return err
		}
		if anyChanged(cmd, "object-id", "effect-id", "provider-request-id", "provider-status", "result") {
			req.Answer = answered
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.operations.ReportAttempt(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) {
				p.facts("operation", res.Operation.GetOperationId(), "state", short(res.Operation.GetState()), "known already", yes(res.Duplicate))
				p.result(res.Result)
			})
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&outcome, "outcome", "", "what came of it (required)")
	flags.StringVar(&code, "code", "", "the provider's code, with rejected, declined and not_sent")
	flags.DurationVar(&after, "after", 0, "when the provider asks to try again (rate_limited, declined) or will be finished (acknowledged)")
	flags.BoolVar(&stillRunning, "still-running", false, "the code that sends has not returned, and may still send")
	flags.StringVar(&req.ReportId, "report-id", "", "a UUID that you keep in retries of this very report (default: a new one)")
	flags.StringVar(&req.Message, "message", "", "what happened, without secrets")
	flags.StringVar(&answered.ProviderObjectId, "object-id", "", "the provider's id of the object; it makes the report a receipt")
	flags.StringVar(&answered.EffectId, "effect-id", "", "the id of the effect, where it is not the object's")
	flags.StringVar(&answered.ProviderRequestId, "provider-request-id", "", "the provider's id of the request")
	flags.StringVar(&answered.RawStatusCode, "provider-status", "", "the provider's status as it came")
	flags.StringVar(&answered.ResultJson, "result", "", "the result, as JSON")
	must(cmd.MarkFlagRequired("outcome"))
	must(cmd.RegisterFlagCompletionFunc("outcome", completeWords(outcomes...)))
	return cmd
}

func anyChanged(cmd *cobra.Command, flags ...string) bool {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return true
		}
	}
	return false
}

// setOutcome sets the outcome that the word names.
func setOutcome(req *pb.ReportAttemptRequest, outcome, code string, after time.Duration) error {
	var later *durationpb.Duration
	if after > 0 {
		later = durationpb.New(after)
	}
	switch outcome {
	case "succeeded":
		req.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
	case "noop":
		req.Outcome = &pb.ReportAttemptRequest_Noop{Noop: &pb.OutcomeNoop{}}
	case "acknowledged":
		req.Outcome = &pb.ReportAttemptRequest_Acknowledged{Acknowledged: &pb.OutcomeAcknowledged{FinishBy: later}}
	case "not_sent":
		req.Outcome = &pb.ReportAttemptRequest_NotSent{NotSent: &pb.OutcomeNotSent{Code: code}}
	case "rejected":
		req.Outcome = &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: code}}
	case "rate_limited":
		req.Outcome = &pb.ReportAttemptRequest_RateLimited{RateLimited: &pb.OutcomeRateLimited{RetryAfter: later}}
	case "declined":
		req.Outcome = &pb.ReportAttemptRequest_Declined{Declined: &pb.OutcomeDeclined{Code: code, RetryAfter: later}}
	case "ambiguous":
		req.Outcome = &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{}}
	default:
		return usagef("--outcome %q is none of %v", outcome, outcomes)
	}
	return nil
}
