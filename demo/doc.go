// Package demo plays the double charge: an agent's tool call commits at the provider, its answer is lost, and the agent
// calls again. First the loop runs alone, then the same loop runs through a real Opledger server, with a crash and a
// second channel on top. Effects are counted at the provider, never by the one who plays.
//
// The agent of the second act and the server are processes of their own, started from the same binary, so that killing
// one is a real death. No model is called: the loop does what agent loops do with an error.
package demo
