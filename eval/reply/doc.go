// Package reply is what an executor that knows the provider simulator makes of its answers, and how it tells the ledger.
//
//	r := reply.Understand(answer, tick)
//	r.Write(report)
package reply
