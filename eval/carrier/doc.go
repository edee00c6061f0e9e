// Package carrier lets the servers of a world make requests of their own, in virtual time: it is the HTTP adapter that
// production runs, with provider simulators at the other end of its connections. What an answer means is read by the same
// code as ever, by the rules of the tool.
//
// A tool's requests go to its own address, and are led from there to a listener on loopback; only the host of its URLs is
// another one. The far end makes of each request what the simulator reads: the tool's name is the collection, and the object
// keeps the vendor key and the client reference if the request bears them, wherever it does. It answers as eval/provider's
// own face does: a write with the object, a question by its id with the object, and any other with a list under "data".
//
// The world's time passes as the exchange takes it, and no real time does: a sender who waits in vain is told at once that
// he has waited long enough. An answer that comes too slowly is none.
//
// carrier.go is the adapter, trip.go one exchange and what befalls the process that makes it, farend.go the other end.
package carrier
