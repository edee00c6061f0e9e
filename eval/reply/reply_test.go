package reply_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/reply"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	inFlight = 7 * time.Second
	timeout  = pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT
	lost     = pb.AmbiguityKind_AMBIGUITY_KIND_CONNECTION_LOST
	broken   = pb.AmbiguityKind_AMBIGUITY_KIND_PROVIDER_ERROR
	unread   = pb.AmbiguityKind_AMBIGUITY_KIND_MALFORMED_ANSWER
)

// sent is what a report says of a provider's answer to one request under a fault, after the answers to others.
func sent(t *testing.T, profile provider.Profile, faults ...eval.Fault) (reply.Reply, *pb.ReportAttemptRequest) {
	t.Helper()
	p := provider.New(provider.Options{Clock: func() time.Time { return time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC) }, Profile: profile})
	var r reply.Reply
	for _, f := range faults {
		r = reply.Understand(p.Write(provider.Request{Collection: "charges", BusinessKey: "order", VendorKey: "key", Body: []byte(`{}`)}, f), inFlight)
	}
	report := &pb.ReportAttemptRequest{}
	r.Write(report)
	return r, report
}

// TestWhatIsNotKnownIsAmbiguous: an answer that did not come, or not whole, and a 5xx say nothing of the effect.
func TestWhatIsNotKnownIsAmbiguous(t *testing.T) {
	for fault, why := range map[eval.Fault]pb.AmbiguityKind{
		eval.TimeoutBeforeCommit: timeout, eval.TimeoutAfterCommit: timeout, eval.LateCommit: timeout, eval.ResetBeforeCommit: lost, eval.ResetAfterCommit: lost,
		eval.ErrorCommitted: broken, eval.ErrorClean: broken, eval.SlowBody: timeout, eval.Malformed: unread, eval.Truncated: unread,
	} {
		r, report := sent(t, provider.Stated(true), fault)
		if report.GetAmbiguous() == nil || report.GetAmbiguous().Kind != why || report.Answer != nil || r.String() != "an ambiguous outcome" {
			t.Errorf("%s is reported as %v", fault, report)
		}
	}
}

// TestWhatIsKnown is reported with what the provider said.
func TestWhatIsKnown(t *testing.T) {
	keyed := provider.Stated(true)
	for name, c := range map[string]struct {
		faults []eval.Fault
		want   func(*pb.ReportAttemptRequest) bool
	}{
		"done": {[]eval.Fault{eval.NoFault}, func(m *pb.ReportAttemptRequest) bool {
			return m.GetSucceeded() != nil && m.Answer.ProviderObjectId != "" && m.Answer.ResultJson != "" && m.Answer.ProviderReplayed == nil
		}},
		"done before": {[]eval.Fault{eval.NoFault, eval.NoFault}, func(m *pb.ReportAttemptRequest) bool {
			return m.GetSucceeded() != nil && m.Answer.GetProviderReplayed()
		}},
		"taken on": {[]eval.Fault{eval.Accepted}, func(m *pb.ReportAttemptRequest) bool {
			return m.GetAcknowledged() != nil && m.Answer.ProviderObjectId != ""
		}},
		"refused": {[]eval.Fault{eval.Refused}, func(m *pb.ReportAttemptRequest) bool { return m.GetRejected().GetCode() == "refused" }},
		"too many": {[]eval.Fault{eval.RateLimited}, func(m *pb.ReportAttemptRequest) bool {
			return m.GetRateLimited().GetRetryAfter().AsDuration() == keyed.RetryAfter
		}},
		"too many, with no word of when": {[]eval.Fault{eval.RateLimitedBare}, func(m *pb.ReportAttemptRequest) bool {
			return m.GetRateLimited() != nil && m.GetRateLimited().RetryAfter == nil
		}},
		"under way by another request": {[]eval.Fault{eval.LateCommit, eval.NoFault}, func(m *pb.ReportAttemptRequest) bool {
			return m.GetDeclined().GetCode() != "" && m.GetDeclined().GetRetryAfter().AsDuration() == inFlight
		}},
	} {
		if _, report := sent(t, keyed, c.faults...); !c.want(report) {
			t.Errorf("%s: %v", name, report)
		}
	}
}

func TestUnsent(t *testing.T) {
	report := &pb.ReportAttemptRequest{}
	if reply.Unsent("PERMIT_EXPIRED").Write(report); report.GetNotSent().GetCode() != "PERMIT_EXPIRED" || report.Answer != nil {
		t.Errorf("%v", report)
	}
}
