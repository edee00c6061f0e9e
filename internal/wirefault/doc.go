// Package wirefault stands between a PostgreSQL client and a real server and lets the wire fail on demand:
// a COMMIT that is applied and never answered, one that is never applied, a serialization failure, an
// administrator's shutdown. What a store does about such faults decides whether an effect happens twice, and
// none of them can be had from a healthy server at the moment when a test needs it.
//
//	proxy := wirefault.Start(t, pgtest.NewDatabase(t))
//	lost := proxy.Inject(wirefault.Rule{Match: wirefault.Commit(), Times: 1, Action: wirefault.CutAfter()})
//	pool, err := pgxpool.New(ctx, proxy.URL())
//	// ... the next commit is applied, and its client sees a broken connection ...
//	if lost.Hits() != 1 { ... }
//
// The real server is kept in step with what the client is told. An injected error is raised by the server
// itself, in the statement's place: the transaction has then truly failed, and the server itself refuses
// every statement until ROLLBACK.
//
// Rules match statements when they are executed, not when they are prepared, in the simple and in the
// extended protocol. The statements of one pipeline, up to its Sync, go to the server together; a simple
// query is one statement, however many semicolons it holds. COPY works; the Flush message, which pgx does
// not send by itself, does not.
//
// With [Pooled] the proxy is a pooler in transaction mode too: each transaction may run on another server
// connection, so whatever a session remembers (prepared statements, settings) is lost or met again elsewhere.
// Requests to cancel a statement are ignored then.
package wirefault
