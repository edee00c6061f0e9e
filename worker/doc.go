// Package worker runs Opledger workers: processes that take up operations from the ledger, act on them at a provider, and
// report what came of it.
//
//	err := worker.Run(ctx, conn, worker.Config{
//		ID:    "mail-7",
//		Tools: map[string]worker.Tool{"email.send": {Act: send, Room: 8}},
//	})
//
// The package keeps the rules that every worker has to keep. A begin is said right before the first byte, where the tool
// requires one. Time is counted from before the ledger was asked, on two clocks. Permits are extended while their handler
// runs. An outcome that nobody can know is told as ambiguous. A report is told again, under one id, until the ledger has
// it. What remains for a handler is in the documentation of Handler.
package worker
