package demo

import (
	"time"

	"github.com/opledger/opledger/demo/provider"
)

// The case of the first story.
const (
	orderID    = "order_123"
	customer   = "ada@example.com"
	workflowID = "wf_order_123"
	threadID   = "thread_support_42"

	paymentTool = "payment.capture"
	receiptTool = "email.send_receipt"

	// callTimeout is how long a tool waits for the provider. Half a minute in life, a second on the stage.
	callTimeout = time.Second
	// logLag is how long a message takes to show in the mail provider's log, as the tool's definition states it. It is longer
	// than the time-out, so that the first look comes too early.
	logLag = 2 * time.Second
	// maxTries ends a loop that gets nowhere.
	maxTries = 12

	// What the provider is told: the answers to so many effects get lost, in both acts alike.
	lostCharges = 2
	lostEmails  = 1
)

// nightTime is the clock on the stage at an act's first moment; real seconds are added.
var nightTime = time.Date(2026, time.March, 1, 2, 13, 0, 0, time.UTC)

// toolCall is what a model hands to its loop.
type toolCall struct {
	Tool      string
	ID        string // the model's own id of the call, new with each turn
	Arguments string // JSON
	Note      string // what the call is, for the stage
}

// agentCalls are what the agent wants done for the order.
func agentCalls() []toolCall {
	return []toolCall{
		{Tool: paymentTool, ID: "call_7Qd1", Arguments: `{"order_id":"order_123","amount":"49.00","currency":"USD"}`,
			Note: "capture 49.00 USD for order_123"},
		{Tool: receiptTool, ID: "call_9Zk4", Arguments: `{"order_id":"order_123","to":"ada@example.com","subject":"Your receipt for order_123"}`,
			Note: "send the receipt to " + customer},
	}
}

// consoleCalls are what the button in the support console asks for: the same payment, in other words.
func consoleCalls() []toolCall {
	return []toolCall{
		{Tool: paymentTool, ID: "call_btn1", Arguments: `{"currency":"usd","note":"the customer asked why it is not paid","amount":49,"order_id":" order_123 "}`,
			Note: `capture {"amount":49,"currency":"usd"} for order_123`},
	}
}

// accounts are the provider's accounts that can be played with, and the tool's definition for each.
var accounts = map[string]string{
	provider.KeyedAccount: "payment_keyed.yaml",
	provider.PlainAccount: "payment_plain.yaml",
}
