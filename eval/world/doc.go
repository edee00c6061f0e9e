// Package world runs an Opledger inside this process with the time in its user's hands: the whole path from gRPC to a real
// database, and due work that is done when it is asked for, in one goroutine, so that what happens repeats from a seed.
//
// On SQLite time stands still unless it is passed, and two runs of one seed are the same byte for byte. PostgreSQL's own
// clock runs on while the world works; what is passed comes on top, so that what happens repeats as long as nothing hangs on
// a second.
package world
