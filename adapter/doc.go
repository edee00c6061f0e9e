// Package adapter makes the HTTP requests of tools that the server itself carries out, and reads what they come to.
//
// One permit is one request on the wire. A library's HTTP client may send a request again by itself, on a kept-alive
// connection that broke or after a redirect, so none is used: each exchange has a connection of its own, writes its request
// once and as a whole, and reads one answer. Whether a byte has left is counted beneath TLS. What fails before is not sent;
// what fails afterwards is ambiguous.
//
// caller.go has the two things that can be asked of it. render.go makes the request's bytes from the tool's templates,
// connect.go the connection, exchange.go sends and reads; answer.go holds an answer against conditions, outcome.go makes a
// report of it and lookup.go a statement. What an answer means is the tool's to say; nothing here knows a provider's name.
package adapter
