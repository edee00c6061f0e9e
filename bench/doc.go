// Package bench measures a unit of work through Opledger beside the table that one would write by hand in its place: a row
// inserted as pending, then updated to done.
//
// Both are measured in one run, in turns: the speed of a machine moves by a factor of two from minute to minute, so that a
// figure means something only beside another one of the same minutes. What counts is the ratio; absolute figures are shown
// so that somebody can see what kind of machine it was.
//
// The ledger is a real "opledger serve" in a process of its own, called over gRPC through loopback; it shares the machine's
// cores with the clients and the database. The table is written straight through a driver, which saves it the way that
// the ledger's callers go: the comparison is unfair to the ledger on purpose.
package bench
