package canon

import "strings"

// Names that no key template may read, in whatever spelling (tool_call_id, toolCallId, tool-call-id): they name one
// try, not the business operation, so that each retry would be another operation. They are refused as bare words and
// as the last token of a pointer alike, since an adapter may copy them into the arguments.
var executionWords = wordSet("workflow workflow_id workflow_run_id run run_id attempt attempt_id attempt_number attempt_token " +
	"tool_call tool_call_id call_id trace trace_id trace_parent span span_id request_attempt retry retry_count " +
	"fencing_number fencing_token lease_token idempotency_key")

// Names that are refused as bare words only: in a template they read like the server's clock, randomness or the
// conversation, though a tool may well have an argument of that name (the message that a reaction is put on). Whoever
// means the argument says so by its pointer: {/message_id}.
var ambiguousWords = wordSet("request request_id message message_id turn turn_id thread thread_id conversation_id session_id " +
	"step step_id operation_id now time date today timestamp server_time clock uuid guid ulid random rand nonce seed " +
	"hostname principal namespace")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[plainWord(word)] = true
	}
	return set
}

// plainWord drops what spellings of one name differ in.
func plainWord(word string) string {
	return asciiLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(word))
}
