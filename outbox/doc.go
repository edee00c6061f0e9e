// Package outbox is the loop of work that is stored with the state that caused it: due operations, notices, requests to
// providers, records that time changes. It claims, paces itself, bounds what is under way, and drains. What is claimed,
// and what is to be done with it, is its source's.
//
// Any number of servers run the same loops on one database. A claim is a row with an expiry and a hint only: whoever
// handles an item sends the ledger a command that looks at the present state itself, so that an item that two servers
// handle is changed once, and nothing is lost with a server that dies.
//
// A source names what is claimed and what handles it:
//
//	loop := outbox.New(outbox.Source[ledger.RecordKey]{
//		Name: "ended workflows",
//		Claim: func(ctx context.Context, limit int) ([]ledger.RecordKey, error) {
//			return engine.ClaimDueRecords(ctx, ledger.RecordWorkflow, claimer, limit, time.Minute)
//		},
//		HandleAll: func(ctx context.Context, due []ledger.RecordKey) {
//			... one command each, handed in together by transact.Ledger.DoAll, so that they share a transaction
//		},
//	}, outbox.Config{Batch: 32, Concurrency: 2})
//	loop.Run(ctx) // until the context ends and what is under way has ended
//
// (For due records dispatch.Config.Records makes exactly this.) Where each item takes time of its own, as a request to a
// provider does, Handle takes the place of HandleAll. Poke shortens the wait for work that this process has caused.
//
// loop.go has the loop, source.go what it is given, pace.go when to look and when to try again, group.go several loops.
package outbox
