package eval

// Fault is what the world does to one run.
type Fault string

// Faults of the provider, on the write of a run.
const (
	NoFault             Fault = "none"
	TimeoutBeforeCommit Fault = "timeout_before_commit"
	TimeoutAfterCommit  Fault = "timeout_after_commit"
	LateCommit          Fault = "late_commit" // never answers, and commits within the longest flight
	ResetBeforeCommit   Fault = "reset_before_commit"
	ResetAfterCommit    Fault = "reset_after_commit"
	RateLimited         Fault = "rate_limited"      // 429 with Retry-After
	RateLimitedBare     Fault = "rate_limited_bare" // 429 without
	ErrorCommitted      Fault = "error_committed"   // 500, and it happened
	ErrorClean          Fault = "error_clean"       // 500, and it did not
	EventualConsistency Fault = "eventual_consistency"
	Malformed           Fault = "malformed"
	Truncated           Fault = "truncated"
	SlowBody            Fault = "slow_body"
	LongPropagation     Fault = "long_propagation" // hidden from lookups for nearly the stated delay
	LookupDown          Fault = "lookup_down"
	KeyForgotten        Fault = "key_forgotten" // the vendor's retention has passed
	DuplicateWebhook    Fault = "duplicate_webhook"
	UnorderedWebhook    Fault = "unordered_webhook"
	LateWebhook         Fault = "late_webhook"
	Accepted            Fault = "accepted" // 202, finished later
	Refused             Fault = "refused"  // a definite no
)

// Faults of the processes and of the wire between them.
const (
	CrashBeforeSend   Fault = "crash_before_send"
	CrashAfterSend    Fault = "crash_after_send"
	FreezeBeforeSend  Fault = "freeze_before_send" // past the deadline, and wakes before its last look at the clock
	LostProposeAnswer Fault = "lost_propose_answer"
	LostBeginAnswer   Fault = "lost_begin_answer"
	LostReportAnswer  Fault = "lost_report_answer"
	LostReport        Fault = "lost_report"
	ServerRestart     Fault = "server_restart"
)

// Faults that break what a profile says. Only suite B draws them.
const (
	DelayLongerThanStated Fault = "delay_longer_than_stated"
	KeyForgottenEarly     Fault = "key_forgotten_early"
	LookupLies            Fault = "lookup_lies"
	ClockSteps            Fault = "clock_steps"
	FreezeAfterLook       Fault = "freeze_after_look" // between the last look at the clock and the first byte, for an hour
)

// ProviderFaults, ProcessFaults and BrokenPromises list the faults, in the order in which they are shown.
var (
	ProviderFaults = []Fault{
		NoFault, TimeoutBeforeCommit, TimeoutAfterCommit, LateCommit, ResetBeforeCommit, ResetAfterCommit, RateLimited, RateLimitedBare,
		ErrorCommitted, ErrorClean, EventualConsistency, Malformed, Truncated, SlowBody, LongPropagation, LookupDown, KeyForgotten,
		DuplicateWebhook, UnorderedWebhook, LateWebhook, Accepted, Refused,
	}
	ProcessFaults = []Fault{
		CrashBeforeSend, CrashAfterSend, FreezeBeforeSend, LostProposeAnswer, LostBeginAnswer, LostReportAnswer, LostReport, ServerRestart,
	}
	BrokenPromises = []Fault{DelayLongerThanStated, KeyForgottenEarly, LookupLies, ClockSteps, FreezeAfterLook}
)
